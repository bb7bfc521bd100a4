//! An example that serves Streamable HTTP while a task tries it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::Result;
use crate::process::Running;

const START_LIMIT: Duration = Duration::from_secs(30);
const HOST: &str = "http://127.0.0.1:";
const PATH: &str = "/mcp";

/// A serving example; it is ended when this value goes away.
pub(crate) struct HttpServer {
    running: Running,
    url: String,
    log: PathBuf,
}

impl HttpServer {
    /// Starts `program serve --http 127.0.0.1:0`, waits for the line that names its address, and keeps everything it
    /// writes to standard error in `log`.
    pub(crate) fn start(program: &Path, log: &Path) -> Result<Self> {
        Self::start_with(program, log, &[])
    }

    /// The same, with variables in the environment.
    pub(crate) fn start_with(program: &Path, log: &Path, variables: &[(&str, &str)]) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["serve", "--http", "127.0.0.1:0"]).envs(variables.iter().copied());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut running = Running::start(&mut command)?;
        let file = File::create(log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let urls = watch(running.child().stderr.take(), file);
        let url = urls.recv_timeout(START_LIMIT).map_err(|_| {
            let said = std::fs::read_to_string(log).unwrap_or_default();
            format!("{} named no address to serve on; it wrote:\n{said}", program.display())
        })?;
        Ok(Self { running, url, log: log.to_owned() })
    }

    /// The endpoint by number, `http://127.0.0.1:PORT/mcp`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Where it listens, `127.0.0.1:PORT`.
    pub(crate) fn authority(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches(PATH)
    }

    /// The endpoint by name, `http://localhost:PORT/mcp`.
    pub(crate) fn localhost_url(&self) -> String {
        self.url.replace("127.0.0.1", "localhost")
    }

    /// An error if the server has ended on its own.
    pub(crate) fn check_alive(&mut self) -> Result {
        match self.running.ended()? {
            None => Ok(()),
            Some(status) => Err(format!("the server ended with {status}; its log is {}", self.log.display())),
        }
    }
}

/// Copies lines to the log as they come and sends the first address among them.
fn watch(pipe: Option<ChildStderr>, mut log: File) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut sender = Some(sender);
        for line in pipe.into_iter().flat_map(|pipe| BufReader::new(pipe).split(b'\n')).map_while(|line| line.ok()) {
            let line = String::from_utf8_lossy(&line).into_owned();
            let _ = writeln!(log, "{line}");
            if let (Some(url), Some(to)) = (find_url(&line), &sender) {
                let _ = to.send(url.to_owned());
                sender = None;
            }
        }
    });
    receiver
}

/// The endpoint's address in a line of prose.
fn find_url(line: &str) -> Option<&str> {
    let start = line.find(HOST)?;
    let rest = &line[start + HOST.len()..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let found = digits > 0 && rest[digits..].starts_with(PATH);
    found.then(|| &line[start..start + HOST.len() + digits + PATH.len()])
}

#[cfg(test)]
mod tests {
    use super::find_url;

    #[test]
    fn the_address_is_found_in_prose() {
        let line = "\u{1b}[32mINFO\u{1b}[0m listening on http://127.0.0.1:4711/mcp, press Ctrl-C to stop";
        assert_eq!(find_url(line), Some("http://127.0.0.1:4711/mcp"));
    }

    #[test]
    fn other_addresses_are_passed_over() {
        assert_eq!(find_url("http://127.0.0.1:/mcp"), None);
        assert_eq!(find_url("http://127.0.0.1:4711/"), None);
        assert_eq!(find_url("nothing here"), None);
    }
}
