//! What a server takes from its clients, whatever functions they call.

use crate::Server;
use std::time::Duration;

/// Limits of messages and of peers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// The bytes of one line over stdio.
    #[cfg_attr(not(feature = "stdio"), allow(dead_code))]
    pub(crate) line: usize,
    /// How deep the objects and arrays of a message may be nested.
    pub(crate) depth: usize,
    /// The messages of a batch.
    pub(crate) batch: usize,
    /// The bytes of the arguments of one call.
    pub(crate) arguments: usize,
    /// The bytes of a URI.
    pub(crate) uri: usize,
    /// The calls that wait for their functions.
    pub(crate) calls: usize,
    /// Those of one connection or session.
    pub(crate) calls_per_peer: usize,
    /// The subscriptions of the stateless era.
    pub(crate) subscriptions: usize,
    /// Those of one connection, or of one principal.
    pub(crate) subscriptions_per_peer: usize,
    /// How long what is under way may go on when the process is told to end.
    #[cfg_attr(not(any(feature = "http", feature = "stdio")), allow(dead_code))]
    pub(crate) grace: Option<Duration>,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            line: 16 * 1024 * 1024,
            depth: 128,
            batch: 1_000,
            arguments: 16 * 1024 * 1024,
            uri: crate::uri_template::MAX_URI,
            calls: 10_000,
            calls_per_peer: 1_000,
            subscriptions: 20_000,
            subscriptions_per_peer: 1_000,
            grace: None,
        }
    }
}

/// # Limits of messages and clients
/// See the [table of all limits](crate::guide::limits).
impl Server {
    /// The size in bytes of the longest line that is read over stdio; a longer one is skipped, and answered with an error -32600
    /// without an id. 16 MiB without it. Over HTTP see [`max_body_size`](Self::max_body_size).
    #[cfg(feature = "stdio")]
    pub fn max_line_size(mut self, bytes: usize) -> Self {
        self.bounds.line = bytes;
        self
    }

    /// How deep the objects and arrays of a message may be nested, the message itself being one; a deeper one gets an error
    /// -32600. 128 without it. With more, deeper messages are read, but no argument is decoded that is nested deeper than 127
    /// by itself.
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.bounds.depth = levels;
        self
    }

    /// How many messages a batch may hold, in the revisions that have batches; a longer one gets an error -32600, and nothing of
    /// it is done. 1,000 without it.
    pub fn max_batch(mut self, messages: usize) -> Self {
        self.bounds.batch = messages;
        self
    }

    /// The size in bytes of the largest `arguments` of a call of a tool or a prompt, as JSON; larger ones are refused as arguments that
    /// do not fit. 16 MiB without it, beside the limits of messages.
    pub fn max_arguments_size(mut self, bytes: usize) -> Self {
        self.bounds.arguments = bytes;
        self
    }

    /// The size in bytes of the longest URI of a resource that is read; a longer one gets an error -32602. Over HTTP, a longer
    /// target of a request gets a 414. 8 KiB without it, which is the most.
    pub fn max_uri_size(mut self, bytes: usize) -> Self {
        self.bounds.uri = bytes.min(crate::uri_template::MAX_URI);
        self
    }

    /// How many calls may be under way in the whole server, waiting for their functions; more get an error -32603, over HTTP with
    /// the status 503. 10,000 without it.
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.bounds.calls = calls;
        self
    }

    /// How many calls one connection over stdio, or one session over HTTP, may have under way; more get an error -32603.
    /// 1,000 without it. A connection over HTTP without a session has one call, or over HTTP/2 as many as
    /// [`max_requests_per_connection`](Self::max_requests_per_connection) says.
    pub fn max_calls_per_peer(mut self, calls: usize) -> Self {
        self.bounds.calls_per_peer = calls;
        self
    }

    /// How many subscriptions (`subscriptions/listen`, and sessions) there may be in the whole server; more get an error -32603,
    /// over HTTP with the status 503. 20,000 without it.
    pub fn max_subscriptions(mut self, subscriptions: usize) -> Self {
        self.bounds.subscriptions = subscriptions;
        self
    }

    /// How many subscriptions one connection over stdio, or over HTTP one [`Principal`](crate::Principal), may have; more get an error
    /// -32603. 1,000 without it. Those of callers over HTTP who are not known are not counted apart.
    pub fn max_subscriptions_per_peer(mut self, subscriptions: usize) -> Self {
        self.bounds.subscriptions_per_peer = subscriptions;
        self
    }

    /// How long calls that are under way may go on when the process is told to end (SIGTERM, Ctrl-C): nothing new is let in, and
    /// subscriptions end, meanwhile. Then they are given up, and the process ends, with the exit code 0; a second signal ends it
    /// at once. Without it ten seconds over HTTP and one over stdio, where the client that sends the signal is about to kill the
    /// process.
    ///
    /// When the input of a server over stdio ends, the calls that came before it have ten seconds, or as long as this says.
    pub fn shutdown_grace(mut self, grace: Duration) -> Self {
        self.bounds.grace = Some(grace);
        self
    }
}
