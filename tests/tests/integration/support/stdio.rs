//! A server process on the other end of its standard streams.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than anything may take; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The process.
pub struct Process {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Process {
    /// Starts a program that speaks MCP on its standard streams.
    pub fn start(program: &str, arguments: &[&str]) -> Process {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (to_lines, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = to_lines.send(line);
            }
        });
        let (to_errors, errors) = channel();
        let mut stderr = child.stderr.take().expect("piped");
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = to_errors.send(text);
        });
        let stdin = child.stdin.take();
        Process { child, stdin, lines, errors }
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    /// Writes one line.
    pub fn line(&mut self, text: &str) {
        self.write(format!("{text}\n").as_bytes());
    }

    /// The next line of output; `None` when the output has ended.
    pub fn read(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the server is silent"),
        }
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to end by itself; gives what it wrote to standard output and error since.
    pub fn wait(mut self) -> (ExitStatus, Vec<String>, String) {
        let started = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("the process can be waited for") {
                Some(status) => break status,
                None if started.elapsed() > PATIENCE => panic!("the server does not end"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let mut lines = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            lines.push(line);
        }
        let errors = self.errors.recv_timeout(PATIENCE).expect("standard error ends with the process");
        (status, lines, errors)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
