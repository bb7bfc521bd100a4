//! What all clients of a run have.

use crate::plan::Plan;
use fastrand::Rng;
use mcp_endurance::http::{Identity, Link, Reply};
use mcp_endurance::message::belongs;
use mcp_endurance::tally::{DOUBLED, FOREIGN, LOST, Row, Tally, WRONG};
use mcp_endurance::way::Way;
use serde_json::Value;
use std::any::Any;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A connection of which nothing is read any more, with what is open on it.
pub(crate) type Unread = Box<dyn Any + Send + Sync>;

/// One run.
pub(crate) struct Run {
    pub(crate) tally: Tally,
    /// The program of the server.
    pub(crate) program: PathBuf,
    /// The ways to each server over HTTP, in both versions.
    pub(crate) ways: Vec<[Way; 2]>,
    pub(crate) seed: u64,
    /// No client begins anything afterwards.
    pub(crate) until: Instant,
}

/// A client, whose choices follow from the seed of the run and its name.
pub(crate) struct Client {
    pub(crate) run: Arc<Run>,
    pub(crate) rng: Rng,
    pub(crate) stopped: VecDeque<Unread>,
    /// To its server, over HTTP/1.1 and HTTP/2.
    pub(crate) ways: [Way; 2],
    /// How many connections it has opened.
    opened: AtomicUsize,
    name: String,
    last: u64,
}

/// So many connections each client leaves unread at a time.
const MOST_STOPPED: usize = 3;

impl Client {
    /// A client of that kind. Those of one kind take turns with the servers.
    pub(crate) fn new(run: &Arc<Run>, kind: &str, number: usize) -> Self {
        let name = format!("{kind}{number}");
        let mixed = name.bytes().fold(run.seed, |seed, b| seed.wrapping_mul(0x0100_0000_01b3) ^ u64::from(b));
        let (run, ways) = (Arc::clone(run), run.ways[number % run.ways.len()].clone());
        let (rng, stopped) = (Rng::with_seed(mixed), VecDeque::new());
        Client { run, rng, stopped, ways, opened: AtomicUsize::new(0), name, last: 0 }
    }

    /// The way that its next connection takes: one version after the other.
    pub(crate) fn way(&self) -> &Way {
        &self.ways[self.opened.fetch_add(1, Ordering::Relaxed) % self.ways.len()]
    }

    /// Keeps a connection of which nothing is read any more, and lets the oldest of them go.
    pub(crate) fn stop(&mut self, connection: Unread) {
        self.stopped.push_back(connection);
        if self.stopped.len() > MOST_STOPPED {
            self.stopped.pop_front();
        }
    }

    pub(crate) fn goes_on(&self) -> bool {
        Instant::now() < self.run.until
    }

    /// A text that there has never been.
    pub(crate) fn nonce(&mut self) -> String {
        self.last += 1;
        format!("{}-{}", self.name, self.last)
    }

    pub(crate) fn sent(&self, name: &'static str) {
        self.run.tally.one(Row::Sent, name);
    }

    pub(crate) fn received(&self, name: &'static str) {
        self.run.tally.one(Row::Received, name);
    }

    pub(crate) fn fault(&self, name: &'static str) {
        self.run.tally.one(Row::Fault, name);
    }

    pub(crate) fn found(&self, kind: &'static str, text: impl Display) {
        self.run.tally.found(kind, format_args!("{}: {text}", self.name));
    }

    /// Something of the server's is not as it should be.
    pub(crate) fn expect(&self, holds: bool, text: impl Display) {
        if !holds {
            self.found(WRONG, text);
        }
    }

    /// The link if it still takes requests, and else a new one.
    pub(crate) async fn link<'a>(&self, link: &'a mut Option<Link>) -> io::Result<&'a mut Link> {
        let open = match link.take().filter(Link::is_open) {
            Some(open) => open,
            None => Link::open(self.way()).await?,
        };
        Ok(link.insert(open))
    }

    /// Makes a call and looks at everything that comes of it.
    pub(crate) async fn exchange(&self, link: &mut Link, who: &Identity, plan: &Plan) -> io::Result<()> {
        self.sent("requests over HTTP");
        let mut reply = link.send(who.post(&plan.message)).await?;
        let seen = self.read(&mut reply, plan, None).await?;
        self.settle(plan, seen);
        Ok(())
    }

    /// Reads a response to its end, or so many messages of it.
    pub(crate) async fn read(&self, reply: &mut Reply, plan: &Plan, most: Option<u32>) -> io::Result<Seen> {
        let mut seen = Seen::default();
        while most.is_none_or(|most| seen.messages < most) {
            let Some(message) = reply.next().await? else { break };
            seen.messages += 1;
            self.judge(plan, &message, &mut seen);
        }
        Ok(seen)
    }

    /// Looks at a message that came of a call.
    pub(crate) fn judge(&self, plan: &Plan, message: &Value, seen: &mut Seen) {
        self.expect(message["jsonrpc"] == "2.0", format_args!("no message: {message}"));
        if message.get("method").is_some() {
            self.received("notifications and questions");
            seen.progress += u32::from(message["method"] == "notifications/progress");
            if !belongs(message, &plan.nonce) {
                self.found(FOREIGN, message);
            }
        } else if message["id"] == plan.nonce.as_str() {
            self.received("answers");
            seen.answers += 1;
            if let Some(fault) = plan.fault(message) {
                self.found(WRONG, fault);
            }
        } else {
            self.found(FOREIGN, format_args!("for {}: {message}", plan.nonce));
        }
    }

    /// A call is over: it must have been answered once, and have told of all its progress.
    pub(crate) fn settle(&self, plan: &Plan, seen: Seen) {
        match seen.answers {
            0 => self.found(LOST, &plan.message),
            1 => {}
            _ => self.found(DOUBLED, &plan.message),
        }
        let expected = plan.progress();
        self.expect(seen.progress == expected, format_args!("{} of {expected}: {}", seen.progress, plan.message));
    }
}

/// What came of a call.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) messages: u32,
    pub(crate) answers: u32,
    pub(crate) progress: u32,
}

impl Seen {
    /// With what came later.
    pub(crate) fn and(self, later: Seen) -> Seen {
        Seen {
            messages: self.messages + later.messages,
            answers: self.answers + later.answers,
            progress: self.progress + later.progress,
        }
    }
}
