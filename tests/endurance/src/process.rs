//! A process of the server, and what the system says of it.

use crate::within;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// How often the server is started anew if its port is taken for a moment, by a client of anybody's.
const ATTEMPTS: usize = 20;

/// What the system says of a process.
#[derive(Debug, Clone, Copy)]
pub struct Vitals {
    /// Memory in use, in KiB.
    pub resident: u64,
    /// The most memory that was ever in use, in KiB.
    pub peak: u64,
    /// Threads.
    pub threads: u64,
    /// Open file descriptors.
    pub descriptors: u64,
}

/// A server over HTTP. It is killed when this value goes away.
pub struct HttpServer {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl HttpServer {
    /// Starts the program with variables, and waits until it listens at an address of this machine.
    ///
    /// # Errors
    /// It does not.
    pub async fn start(program: &Path, address: SocketAddr, variables: &[(&str, String)]) -> io::Result<Self> {
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            match HttpServer::attempt(program, address, variables).await? {
                Ok(started) => return Ok(started),
                Err(line) => said = line,
            }
        }
        Err(io::Error::other(format!("the server does not start: {said}")))
    }

    /// The process, or its last words.
    async fn attempt(
        program: &Path,
        address: SocketAddr,
        variables: &[(&str, String)],
    ) -> io::Result<Result<Self, String>> {
        let mut command = Command::new(program);
        command.args(["serve", "--http", &address.to_string()]).envs(variables.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let said = child.stderr.take().ok_or_else(|| io::Error::other("no standard error"))?;
        let mut lines = BufReader::new(said).lines();
        let mut said = String::new();
        while let Some(line) = within("the server's address", lines.next_line()).await?? {
            let url = line.strip_prefix("listening on ").and_then(|url| url.split_once("://"));
            let url = url.map(|(_, rest)| rest.trim_end_matches("/mcp"));
            if let Some(address) = url.and_then(|url| url.parse().ok()) {
                // The log of panics and the like is read on, or the server would wait for a reader.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return Ok(Ok(HttpServer { child, address }));
            }
            said = line;
        }
        Ok(Err(said))
    }

    /// What the system says of it.
    ///
    /// # Errors
    /// It has ended.
    pub fn vitals(&self) -> io::Result<Vitals> {
        vitals(self.child.id())
    }

    /// Kills it (SIGKILL), and waits until nothing is left of it.
    ///
    /// # Errors
    /// It cannot be killed.
    pub async fn kill(mut self) -> io::Result<()> {
        within("the end of a killed server", self.child.kill()).await?
    }

    /// Asks it to end (SIGTERM), and waits until it does.
    ///
    /// # Errors
    /// It does not.
    pub async fn terminate(mut self) -> io::Result<ExitStatus> {
        terminate(&mut self.child).await
    }
}

/// Asks a process to end, and waits until it does. Where no signal asks, it is killed, and that is as good.
///
/// # Errors
/// It does not.
pub async fn terminate(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    {
        let id = child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed()));
        let id = id.ok_or_else(|| io::Error::other("it has ended before"))?;
        rustix::process::kill_process(id, rustix::process::Signal::TERM)?;
        within("the end of the server", child.wait()).await?
    }
    #[cfg(not(unix))]
    {
        child.kill().await?;
        Ok(ExitStatus::default())
    }
}

/// What the system says of a process.
///
/// # Errors
/// There is no such process.
pub fn vitals(id: Option<u32>) -> io::Result<Vitals> {
    let folder = format!("/proc/{}", id.ok_or_else(|| io::Error::other("it has ended"))?);
    let status = std::fs::read_to_string(format!("{folder}/status"))?;
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
        line.and_then(|text| text.parse().ok()).ok_or_else(|| io::Error::other(format!("no {name}")))
    };
    let descriptors = std::fs::read_dir(format!("{folder}/fd"))?.count() as u64;
    Ok(Vitals { resident: number("VmRSS:")?, peak: number("VmHWM:")?, threads: number("Threads:")?, descriptors })
}
