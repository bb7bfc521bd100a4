//! A connection inside of the process, for tests and for the command line: no ports, no pipes, the real codec.

use super::duplex::{Duplex, Outgoing, Resume};
use crate::BuiltServer;
use crate::session::Outlet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::sync::mpsc;

/// The client's end of an in-process connection: JSON-RPC messages in, JSON-RPC messages out.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Adds two numbers.
/// #[mcp_tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcp_runtime::BuildError> {
/// let mut client = mcp_runtime::server!().tools(tools![add]).build()?.connect();
/// client.send(
///     r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},"_meta":{
///         "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
/// );
/// let answer = client.receive().await.expect("an answer");
/// assert!(answer.contains(r#""text":"5""#));
/// # Ok(())
/// # }
/// ```
pub struct Connection {
    duplex: Duplex<Queue>,
    queue: Arc<Queue>,
    messages: mpsc::UnboundedReceiver<Vec<u8>>,
}

/// With so many messages waiting, news of changes are kept back: they come to the same later on.
const BUSY: usize = 256;

/// Unbounded for what a client has asked for: the reader is the program itself.
struct Queue {
    sender: mpsc::UnboundedSender<Vec<u8>>,
    /// How many messages wait.
    waiting: AtomicUsize,
    /// Something is kept back until there is room.
    kept_back: AtomicBool,
    resume: OnceLock<Resume>,
}

impl Queue {
    fn new() -> (Arc<Queue>, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (sender, messages) = mpsc::unbounded_channel();
        let (waiting, kept_back) = (AtomicUsize::new(0), AtomicBool::new(false));
        (Arc::new(Queue { sender, waiting, kept_back, resume: OnceLock::new() }), messages)
    }

    /// A message has been taken out.
    fn taken(&self) {
        let waiting = self.waiting.fetch_sub(1, Ordering::SeqCst) - 1;
        if waiting < BUSY && self.kept_back.swap(false, Ordering::SeqCst) {
            self.resume.get().inspect(|resume| resume());
        }
    }

    /// A message that has been taken out, as text.
    fn text(&self, message: Vec<u8>) -> String {
        self.taken();
        // Everything written is UTF-8; should that ever be untrue, a reader must still see something.
        String::from_utf8(message).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

impl Outlet for Queue {
    fn send(&self, message: Vec<u8>) -> bool {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.sender.send(message).is_ok()
    }

    fn has_room(&self) -> bool {
        let has_room = || self.waiting.load(Ordering::SeqCst) < BUSY;
        if has_room() {
            return true;
        }
        // Whoever takes a message out sees the mark from now on; it may have become room just before.
        self.kept_back.store(true, Ordering::SeqCst);
        has_room()
    }
}

impl Outgoing for Queue {
    fn when_roomy(&self, resume: Resume) {
        let _ = self.resume.set(resume);
    }

    fn answer(&self, message: Vec<u8>) {
        // A client that has gone wants nothing any more.
        let _ = self.send(message);
    }
}

impl BuiltServer {
    /// Opens an in-process connection: a peer of its own, like a process on the other end of a pipe.
    pub fn connect(&self) -> Connection {
        let (queue, messages) = Queue::new();
        Connection { duplex: Duplex::new(Arc::clone(&self.core), Arc::clone(&queue)), queue, messages }
    }
}

impl Connection {
    /// Sends one message to the server, which handles it before this returns (an async function up to where it waits).
    ///
    /// # Panics
    /// Outside of a tokio runtime, when the message calls a function that waits.
    pub fn send(&self, message: &str) {
        if let Some(answer) = self.duplex.receive(message) {
            self.queue.answer(answer);
        }
    }

    /// The next message of the server, waiting for it if need be.
    pub async fn receive(&mut self) -> Option<String> {
        self.messages.recv().await.map(|message| self.queue.text(message))
    }

    /// The next message of the server, if there is one already.
    pub fn try_receive(&mut self) -> Option<String> {
        self.messages.try_recv().ok().map(|message| self.queue.text(message))
    }

    /// Ends the subscriptions, and waits until every call has been answered. The answers stay to be received.
    pub async fn finish(&self) {
        self.duplex.finish().await;
    }
}

/// The way to the server; cloning gives another one.
#[cfg(feature = "cli")]
#[derive(Clone)]
pub(crate) struct Sender(Arc<(Duplex<Queue>, Arc<Queue>)>);

/// The way from the server.
#[cfg(feature = "cli")]
pub(crate) struct Receiver(Arc<Queue>, mpsc::UnboundedReceiver<Vec<u8>>);

#[cfg(feature = "cli")]
impl Connection {
    /// Takes the two ways apart, for a client that hears while a function that does not wait is running.
    pub(crate) fn split(self) -> (Sender, Receiver) {
        (Sender(Arc::new((self.duplex, Arc::clone(&self.queue)))), Receiver(self.queue, self.messages))
    }
}

#[cfg(feature = "cli")]
impl Sender {
    /// See [`Connection::send`].
    pub(crate) fn send(&self, message: &str) {
        if let Some(answer) = self.0.0.receive(message) {
            self.0.1.answer(answer);
        }
    }

    /// See [`Connection::finish`].
    pub(crate) async fn finish(&self) {
        self.0.0.finish().await;
    }
}

#[cfg(feature = "cli")]
impl Receiver {
    /// See [`Connection::receive`].
    pub(crate) async fn receive(&mut self) -> Option<String> {
        self.1.recv().await.map(|message| self.0.text(message))
    }
}
