//! Servers as processes: started on their core, watched through `/proc`, and always ended.

use crate::cases::Transport;
use crate::{Result, text};
use rustix::pipe::fcntl_setpipe_size;
use rustix::process::{Pid, Signal};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long an end may take; under valgrind everything takes long.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often to look whether it has come: there is no wait with a limit.
const LOOK: Duration = Duration::from_millis(10);

/// A server that is ended when this goes away.
pub(crate) struct Server {
    child: Child,
    /// What it complains about, for the message if it fails.
    stderr: Option<BufReader<ChildStderr>>,
    address: Option<SocketAddr>,
}

impl Server {
    /// Starts a program. What this process is bound to, it is bound to as well: see [`bind`].
    pub(crate) fn start(program: &Path, args: &[String], transport: Transport) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(args).stderr(Stdio::piped());
        match transport {
            Transport::Stdio => command.stdin(Stdio::piped()).stdout(Stdio::piped()),
            Transport::Http => command.stdin(Stdio::null()).stdout(Stdio::null()),
        };
        let child = command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let mut server = Server { child, stderr: None, address: None };
        let mut stderr = BufReader::new(server.child.stderr.take().ok_or("no standard error")?);
        if transport == Transport::Http {
            let mut line = String::new();
            stderr.read_line(&mut line).map_err(|error| error.to_string())?;
            let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
            server.address = Some(address.and_then(|text| text.parse().ok()).ok_or(format!("no address: {line}"))?);
        }
        server.stderr = Some(stderr);
        Ok(server)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> Result<SocketAddr> {
        self.address.ok_or_else(|| "the server does not listen".to_owned())
    }

    /// Its standard streams; once.
    pub(crate) fn streams(&mut self) -> Result<(ChildStdin, ChildStdout)> {
        self.child.stdin.take().zip(self.child.stdout.take()).ok_or_else(|| "no streams".to_owned())
    }

    /// Gives its standard streams room for a whole large answer: in how many pieces one passes a narrow pipe depends on who of
    /// the two is quicker.
    pub(crate) fn widen_pipes(&self) -> Result {
        /// The most that Linux gives to anyone without being asked for more.
        const ROOM: usize = 1 << 20;
        let ends = [self.child.stdin.as_ref().map(AsFd::as_fd), self.child.stdout.as_ref().map(AsFd::as_fd)];
        ends.into_iter().flatten().try_for_each(|end| fcntl_setpipe_size(end, ROOM).map(drop).map_err(text))
    }

    /// Ends it in peace: over HTTP by the signal for it; over standard input by that input's end, which is with whoever has
    /// the streams.
    pub(crate) fn end(&mut self) -> Result {
        if self.address.is_some() {
            rustix::process::kill_process(Pid::from_child(&self.child), Signal::TERM).map_err(text)?;
        }
        let begin = Instant::now();
        while self.child.try_wait().map_err(text)?.is_none() {
            if begin.elapsed() > PATIENCE {
                return Err("the server does not end".to_owned());
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// What it wrote to standard error, after it was ended.
    pub(crate) fn complaint(&mut self) -> String {
        let (mut text, _) = (String::new(), self.child.kill());
        if let Some(stderr) = &mut self.stderr {
            let _ = stderr.read_to_string(&mut text);
        }
        text.chars().take(2_000).collect()
    }

    /// The time that its threads have spent on a core so far, in seconds.
    pub(crate) fn cpu(&self) -> f64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let times = tasks.into_iter().flatten().flatten().filter_map(|task| {
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<f64>().ok()
        });
        times.sum::<f64>() / 1e9
    }

    /// A line of `/proc/PID/status` in MiB: `VmRSS` or `VmHWM`.
    pub(crate) fn memory(&self, field: &str) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Binds this thread to cores, and so every process that it starts from now on. Does nothing where there are no such cores.
pub(crate) fn bind(cores: &[usize]) {
    let mut set = CpuSet::new();
    cores.iter().for_each(|core| set.set(*core));
    let _ = sched_setaffinity(None, &set);
}
