//! The load over standard input and output.

use crate::exchange::{self, Checker, Request};
use crate::load::{Load, Tally};
use crate::server::Server;
use crate::work::{Dialect, Work};
use crate::{Result, text};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use std::io::{ErrorKind, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

/// A client on the streams of one server.
pub(crate) struct Client {
    input: ChildStdin,
    output: ChildStdout,
    request: Request,
    checker: Checker,
    work: Work,
    /// What still has to be written.
    pending: Vec<u8>,
    written: usize,
    /// What was read and is not yet a whole line.
    read: Vec<u8>,
    filled: usize,
    next: u64,
}

impl Client {
    pub(crate) fn connect(server: &mut Server, work: Work, dialect: Dialect) -> Result<Self> {
        let (input, output) = server.streams()?;
        // The server's end is a description of its own and keeps blocking.
        fcntl_setfl(&input, OFlags::NONBLOCK).map_err(text)?;
        let mut client = Client {
            input,
            output,
            request: Request::new(&(work.request(dialect) + "\n")),
            checker: Checker::new(work),
            work,
            pending: Vec::new(),
            written: 0,
            read: vec![0; 256 * 1024],
            filled: 0,
            next: 0,
        };
        if let Some([initialize, initialized]) = exchange::handshake(dialect) {
            client.pending = (initialize + "\n").into_bytes();
            client.turn(&mut |line| match memchr::memmem::find(line, b"\"result\"") {
                Some(_) => Ok(()),
                None => Err(format!("no handshake: {}", String::from_utf8_lossy(line))),
            })?;
            client.pending = (initialized + "\n").into_bytes();
        }
        Ok(client)
    }

    /// The last answer.
    pub(crate) fn answer(&self) -> Option<&[u8]> {
        self.checker.answer()
    }

    /// Keeps so many calls in flight until the time is over, then waits for the last.
    pub(crate) fn run(&mut self, load: Load) -> Result<Tally> {
        let mut tally = Tally::default();
        // In flight by the number of the call, modulo the room.
        let mut sent: Vec<Option<(u64, Instant)>> = vec![None; (load.in_flight * 4).next_power_of_two()];
        let mask = sent.len() as u64 - 1;
        let begin = Instant::now();
        let end = begin + load.time;
        let (mut in_flight, mut now, mut notified) = (0, begin, 0);
        for _ in 0..load.in_flight {
            self.send(&mut sent, mask, now);
            in_flight += 1;
        }
        let mut checker = self.checker.clone();
        while in_flight > 0 {
            let mut answered = 0;
            let (mut latencies, expects) = (std::mem::take(&mut tally.latencies), self.work.notifications() > 0);
            self.turn(&mut |line| {
                if expects && memchr::memmem::find(&line[..line.len().min(80)], b"notifications/progress").is_some() {
                    notified += 1;
                    return Ok(());
                }
                let n = checker.check(line)?;
                let slot = &mut sent[(n & mask) as usize];
                let (_, at) = slot.take().filter(|(m, _)| *m == n).ok_or("an answer to nothing")?;
                latencies.push(at);
                answered += 1;
                Ok(())
            })?;
            now = Instant::now();
            tally.latencies = latencies;
            tally.settle(now);
            in_flight -= answered;
            if now < end {
                for _ in 0..answered {
                    // A call that was overtaken by many others holds its place: then the next number is taken.
                    while sent[(self.next & mask) as usize].is_some() {
                        self.next += 1;
                    }
                    self.send(&mut sent, mask, now);
                    in_flight += 1;
                }
            }
        }
        self.checker = checker;
        tally.seconds = begin.elapsed().as_secs_f64();
        let expected = tally.calls() as u64 * self.work.notifications();
        tally.lost = expected.saturating_sub(notified);
        Ok(tally)
    }

    fn send(&mut self, sent: &mut [Option<(u64, Instant)>], mask: u64, now: Instant) {
        self.pending.extend_from_slice(self.request.numbered(self.next));
        sent[(self.next & mask) as usize] = Some((self.next, now));
        self.next += 1;
    }

    /// Writes what there is to write, and reads until at least one line has come.
    fn turn(&mut self, each: &mut dyn FnMut(&[u8]) -> Result) -> Result {
        loop {
            let blocked = !self.write()?;
            if blocked && !self.is_readable()? {
                continue;
            }
            if self.filled == self.read.len() {
                self.read.resize(self.filled * 2, 0);
            }
            let count = self.output.read(&mut self.read[self.filled..]).map_err(text)?;
            if count == 0 {
                return Err("the server has ended".to_owned());
            }
            let (begin, end) = (self.filled, self.filled + count);
            self.filled = end;
            let Some(last) = memchr::memrchr(b'\n', &self.read[begin..end]) else { continue };
            let whole = begin + last + 1;
            let mut at = 0;
            while at < whole {
                // Nothing in what was read before is the end of a line.
                let skip = begin.saturating_sub(at);
                let length = skip + memchr::memchr(b'\n', &self.read[at + skip..whole]).unwrap_or(whole - at - skip);
                each(&self.read[at..at + length])?;
                at += length + 1;
            }
            self.read.copy_within(whole..end, 0);
            self.filled = end - whole;
            return Ok(());
        }
    }

    /// Writes as much as goes; true when nothing is left.
    fn write(&mut self) -> Result<bool> {
        while self.written < self.pending.len() {
            match self.input.write(&self.pending[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(text(error)),
            }
        }
        self.pending.clear();
        self.written = 0;
        Ok(true)
    }

    /// Waits until there is room or something to read; true for the latter.
    fn is_readable(&self) -> Result<bool> {
        let mut both = [PollFd::new(&self.output, PollFlags::IN), PollFd::new(&self.input, PollFlags::OUT)];
        poll(&mut both, None).map_err(text)?;
        Ok(!both[0].revents().is_empty())
    }
}
