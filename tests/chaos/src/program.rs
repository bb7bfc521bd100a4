//! The server's process, which is started, killed and started again.

use crate::Trouble;
use crate::http::within;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// How often the server is started anew if its port is taken for a moment, by a client of anybody's.
const ATTEMPTS: usize = 20;

/// How the server is started.
pub(crate) struct Program {
    path: PathBuf,
    /// For the table of sessions; without it, it is in the memory of the process.
    sessions: Option<PathBuf>,
}

/// A process that serves. It is killed when this value goes away.
pub(crate) struct Process(Child);

impl Program {
    pub(crate) fn new(path: &Path, sessions: Option<&Path>) -> Self {
        Program { path: path.to_owned(), sessions: sessions.map(Path::to_owned) }
    }

    /// Starts a process that listens at an address of this machine, and gives where it does.
    pub(crate) async fn start(&self, address: SocketAddr) -> Result<(Process, SocketAddr), Trouble> {
        let mut said = String::new();
        for _ in 0..ATTEMPTS {
            match self.attempt(address).await? {
                Ok(started) => return Ok(started),
                Err(line) => said = line,
            }
        }
        Err(Trouble::Wrong(format!("the server does not start: {said}")))
    }

    /// The process, or its last words.
    async fn attempt(&self, address: SocketAddr) -> Result<Result<(Process, SocketAddr), String>, Trouble> {
        let mut command = Command::new(&self.path);
        command.arg("serve").arg("--http").arg(address.to_string());
        if let Some(folder) = &self.sessions {
            // With the table of sessions, the keys of rounds are shared by all lives of the server.
            command.env("CHAOS_SESSIONS", folder).env("MCP_STATE_KEYS", format!("{}AQE=", "AQEB".repeat(10)));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(wrong)?;
        let mut lines = BufReader::new(child.stderr.take().ok_or_else(|| wrong("no standard error"))?).lines();
        let mut said = String::new();
        while let Some(line) = within("the server's address", lines.next_line()).await?.map_err(wrong)? {
            let address = line.strip_prefix("listening on http://").and_then(|url| url.strip_suffix("/mcp"));
            if let Some(address) = address.and_then(|address| address.parse().ok()) {
                // What else it says is read, so that it never waits for a reader.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return Ok(Ok((Process(child), address)));
            }
            said = line;
        }
        Ok(Err(said))
    }
}

impl Process {
    /// Kills it (SIGKILL) and waits until nothing is left of it.
    pub(crate) async fn kill(mut self) -> Result<(), Trouble> {
        within("the end of a killed server", self.0.kill()).await?.map_err(wrong)
    }

    /// Tells it to end (SIGTERM) and waits until it has.
    #[cfg(unix)]
    pub(crate) async fn end(mut self) -> Result<ExitStatus, Trouble> {
        let pid = self.0.id().and_then(|pid| rustix::process::Pid::from_raw(pid.cast_signed()));
        let pid = pid.ok_or_else(|| wrong("the server has ended by itself"))?;
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).map_err(wrong)?;
        within("the end of the server", self.0.wait()).await?.map_err(wrong)
    }

    /// There is no signal that a process can obey here.
    #[cfg(not(unix))]
    pub(crate) async fn end(mut self) -> Result<ExitStatus, Trouble> {
        self.0.kill().await.map_err(wrong)?;
        Ok(ExitStatus::default())
    }
}

fn wrong(error: impl std::fmt::Display) -> Trouble {
    Trouble::Wrong(error.to_string())
}
