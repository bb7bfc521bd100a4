//! Standard input and output: one message a line.
//!
//! A thread of its own reads and dispatches, and runs functions that do not wait. Whoever has an answer puts it into the
//! [`Outbox`] and writes what the peer takes at once; another thread writes the rest. Reading therefore never waits for a
//! function that waits, nor for a peer that reads slowly (up to a limit).
//!
//! Source: basic/transports/stdio of 2026-07-28.

mod lines;
mod outbox;
mod streams;

use super::duplex::Duplex;
use super::signals::{Ending, obeying};
use crate::dispatch::Core;
use crate::wire::{self, RpcError};
use lines::{Line, Lines};
use outbox::{Outbox, When};
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// How much is read at once.
const CHUNK: usize = 64 * 1024;
/// How much where no line is known to go on: few peers ever say more at once, and what is never touched takes no memory.
const FIRST: usize = 8 * 1024;
/// How long calls in flight may go on when there is no more input.
const GRACE_AT_END: Duration = Duration::from_secs(10);
/// How long they may go on when the process is told to end.
const GRACE_AT_SIGNAL: Duration = Duration::from_secs(1);
/// How long a peer may take to read what is left.
const DRAIN: Duration = Duration::from_secs(5);
/// How long it may take when the process has been told to end at once: what it reads goes out, and no line is cut off.
const DRAIN_AT_ONCE: Duration = Duration::from_millis(100);

/// Serves the process's own standard streams until the input ends, the peer is gone, or the process is told to end.
///
/// From here on, whatever else writes to standard output writes to standard error, and standard input is empty.
pub(crate) async fn serve(core: Arc<Core>) -> io::Result<()> {
    let grace = core.bounds.grace.unwrap_or(GRACE_AT_SIGNAL);
    obeying(grace, |ending| serve_until(core, ending)).await?
}

async fn serve_until(core: Arc<Core>, ending: Ending) -> io::Result<()> {
    let (grace, max_line) = (core.bounds.grace.unwrap_or(GRACE_AT_END), core.bounds.line);
    let (input, output) = streams::take()?;
    let outbox = Arc::new(Outbox::new(output));
    let duplex = Arc::new(Duplex::new(core, Arc::clone(&outbox)));
    let (written, drained) = oneshot::channel();
    spawn("mcp-stdout", {
        let outbox = Arc::clone(&outbox);
        move || {
            outbox.write_all();
            let _ = written.send(());
        }
    })?;
    let (ended, end) = oneshot::channel();
    spawn("mcp-stdin", {
        let (duplex, outbox, runtime) = (Arc::clone(&duplex), Arc::clone(&outbox), Handle::current());
        move || {
            let _inside = runtime.enter();
            let _ = ended.send(read(input, max_line, &duplex, &outbox));
        }
    })?;
    let mut drained = drained;
    let result = tokio::select! {
        end = end => end.unwrap_or_else(|_| Err(io::Error::other("the reader of standard input failed"))),
        _ = &mut drained => return Ok(()),
        () = ending.soon.cancelled() => Ok(()),
    };
    duplex.stop();
    tokio::select! {
        () = duplex.finish() => {}
        () = tokio::time::sleep(grace) => tracing::warn!("calls that did not end in time were given up"),
        () = ending.now.cancelled() => tracing::warn!("calls that did not end in time were given up"),
        _ = &mut drained => return Ok(()),
    }
    outbox.close();
    let patience = if ending.now.is_cancelled() { DRAIN_AT_ONCE } else { DRAIN };
    let _ = tokio::time::timeout(patience, drained).await;
    result
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Reads and dispatches until the input ends or the peer is gone.
fn read(mut input: File, max: usize, duplex: &Duplex<Outbox>, outbox: &Outbox) -> io::Result<()> {
    let mut lines = Lines::new(max);
    loop {
        if !outbox.settle(&input) {
            return Ok(());
        }
        let chunk = if lines.is_cut() { CHUNK } else { FIRST };
        match input.read(lines.space(chunk)) {
            Ok(0) => {
                lines.end(|line| receive(line, true, duplex, outbox));
                outbox.settle(&input);
                return Ok(());
            }
            Ok(count) => lines.advance(count, |line, last| receive(line, last, duplex, outbox)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => streams::await_input(&input)?,
            Err(error) => return Err(error),
        }
    }
}

/// Handles one line; `last` says that no other complete line has been read.
fn receive(line: Line<'_>, last: bool, duplex: &Duplex<Outbox>, outbox: &Outbox) {
    let answer = match line {
        Line::Text(text) => duplex.receive(text),
        Line::NotUtf8 => duplex.refuse(&RpcError::new(wire::PARSE_ERROR, "Parse error: not UTF-8")),
        Line::TooLong(most) => {
            let text = format!("a message is longer than {most} bytes");
            duplex.refuse(&RpcError::invalid_request(text))
        }
    };
    if let Some(answer) = answer {
        outbox.put(answer, if last { When::BeforeReading } else { When::Soon });
    }
}
