//! A process of the server, and what the system says of it.

use crate::PATIENCE;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

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
    /// Starts the program and waits until it listens.
    ///
    /// # Errors
    /// It does not.
    pub async fn start(program: &Path, address: SocketAddr, variables: &[(&str, &str)]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(["serve", "--http", &address.to_string()]).envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let said = child.stderr.take().ok_or_else(|| io::Error::other("no standard error"))?;
        let mut said = BufReader::new(said).lines();
        let mut lines = Vec::new();
        let address = loop {
            let line = timeout(PATIENCE, said.next_line()).await??;
            let line = line.ok_or_else(|| io::Error::other(format!("it ended: {lines:?}")))?;
            let url = line.split_once("listening on http://").map(|(_, url)| url.trim_end_matches("/mcp"));
            if let Some(address) = url.and_then(|url| url.parse().ok()) {
                break address;
            }
            lines.push(line);
        };
        // The log of panics and the like is read on, or the server would wait for a reader.
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        Ok(HttpServer { child, address })
    }

    /// What the system says of it.
    ///
    /// # Errors
    /// It has ended.
    pub fn vitals(&self) -> io::Result<Vitals> {
        vitals(self.child.id())
    }

    /// Asks it to end, and waits until it does.
    ///
    /// # Errors
    /// It does not.
    pub async fn terminate(mut self) -> io::Result<ExitStatus> {
        terminate(&mut self.child).await
    }
}

/// Asks a process to end, and waits until it does.
///
/// # Errors
/// It does not.
pub async fn terminate(child: &mut Child) -> io::Result<ExitStatus> {
    ask_to_end(child.id().ok_or_else(|| io::Error::other("it has ended before"))?)?;
    timeout(PATIENCE, child.wait()).await?
}

#[cfg(unix)]
fn ask_to_end(id: u32) -> io::Result<()> {
    let pid = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("no id of a process"))?;
    Ok(rustix::process::kill_process(pid, rustix::process::Signal::TERM)?)
}

#[cfg(not(unix))]
fn ask_to_end(_: u32) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
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
