//! Child processes that are always ended, and waits that always end.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;

/// How long what a child wrote may take to arrive after the child itself has ended.
const DRAIN: Duration = Duration::from_secs(5);
/// How often a waiting parent looks; `std` has no wait with a limit.
const LOOK: Duration = Duration::from_millis(10);

/// A child process that is ended, with everything it started, when this value goes away.
pub(crate) struct Running {
    child: Child,
    name: String,
}

impl Running {
    /// Starts a command without standard input.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.stdin(Stdio::null()).spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
        Ok(Self { child, name })
    }

    /// The child itself, for its pipes.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// The exit status if the child has ended by now.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().map_err(|error| format!("cannot wait for {}: {error}", self.name))
    }

    /// Waits for the end, at most `limit`.
    pub(crate) fn wait(&mut self, limit: Duration) -> Result<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if Instant::now() >= deadline {
                return Err(format!("{} is not done after {} s and was ended", self.name, limit.as_secs()));
            }
            thread::sleep(LOOK);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        end_descendants(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a finished command left behind.
pub(crate) struct Output {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// What it wrote to standard output.
    pub(crate) stdout: String,
    /// What it wrote to standard error, if that was piped.
    pub(crate) stderr: String,
}

/// Runs a command that writes to this process's own output, at most `limit`; anything but exit code 0 is an error.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result {
    let mut running = Running::start(command)?;
    let status = running.wait(limit)?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", spell(command))) }
}

/// Runs a command at most `limit` and gives what it wrote, whatever its exit code. Its standard error is collected if
/// the command was told to pipe it, and else passes through.
pub(crate) fn output(command: &mut Command, limit: Duration) -> Result<Output> {
    let mut running = Running::start(command.stdout(Stdio::piped()))?;
    let stdout = collect(running.child().stdout.take());
    let stderr = collect(running.child().stderr.take());
    let status = running.wait(limit)?;
    let text = |pipe: mpsc::Receiver<Vec<u8>>| {
        let bytes = pipe.recv_timeout(DRAIN).map_err(|_| format!("{} left its output open", spell(command)))?;
        Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Output { status, stdout: text(stdout)?, stderr: text(stderr)? })
}

/// The standard output of a command that must succeed within `limit`.
pub(crate) fn stdout(command: &mut Command, limit: Duration) -> Result<String> {
    let output = output(command, limit)?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{} ended with {}\n{}", spell(command), output.status, output.stderr.trim_end()))
    }
}

/// A command as one would type it.
pub(crate) fn spell(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Reads a pipe to its end on a thread of its own, so that the writer never blocks.
fn collect<R: Read + Send + 'static>(pipe: Option<R>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Ends what a child has started: cargo, for one, leaves its test programs running when it is killed.
#[cfg(target_os = "linux")]
fn end_descendants(root: u32) {
    for pid in descendants(root, &parents()) {
        if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn end_descendants(_root: u32) {}

/// Every process with its parent.
#[cfg(target_os = "linux")]
fn parents() -> Vec<(u32, u32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        Some((pid, parent_in_stat(&stat)?))
    })
    .collect()
}

/// The parent in a line of `/proc/PID/stat`; the command name before it may hold blanks and parentheses.
#[cfg(target_os = "linux")]
fn parent_in_stat(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(target_os = "linux")]
fn descendants(root: u32, parents: &[(u32, u32)]) -> Vec<u32> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        let children = parents.iter().filter(|(pid, of)| *of == parent && !found.contains(pid));
        let children: Vec<u32> = children.map(|(pid, _)| *pid).collect();
        found.extend(children);
        next += 1;
    }
    found.split_off(1)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_parent_is_found_behind_an_odd_command_name() {
        assert_eq!(parent_in_stat("42 (a ) b) S 7 42 42 0"), Some(7));
        assert_eq!(parent_in_stat("garbage"), None);
    }

    #[test]
    fn descendants_are_followed_through_every_generation() {
        let parents = [(2, 1), (3, 2), (4, 3), (5, 1), (9, 8)];
        assert_eq!(descendants(2, &parents), [3, 4]);
        assert!(descendants(9, &parents).is_empty());
    }

    #[test]
    fn output_is_collected_with_the_exit_code() {
        let seen = output(shell("echo out; echo err >&2; exit 3").stderr(Stdio::piped()), DRAIN).unwrap();
        assert_eq!((seen.stdout.as_str(), seen.stderr.as_str(), seen.status.code()), ("out\n", "err\n", Some(3)));
    }

    #[test]
    fn a_command_that_fails_is_named() {
        let message = run(&mut shell("exit 3"), DRAIN).unwrap_err();
        assert!(message.starts_with("sh -c exit 3 ended with"), "{message}");
    }

    #[test]
    fn a_wait_has_an_end_and_takes_grandchildren_along() {
        let mut running = Running::start(shell("sleep 60 & echo $!; wait").stdout(Stdio::piped())).unwrap();
        let mut pipe = running.child().stdout.take().unwrap();
        let mut line = Vec::new();
        while line.last() != Some(&b'\n') {
            let mut byte = [0];
            pipe.read_exact(&mut byte).unwrap();
            line.push(byte[0]);
        }
        assert!(running.wait(Duration::ZERO).unwrap_err().contains("not done"));
        drop(running);
        // The grandchild held the other end: the pipe is at its end only once it is gone.
        assert_eq!(pipe.read_to_end(&mut line).unwrap(), 0);
    }
}
