//! A client of the newest revision, as small as the command line needs it, over the in-process connection.

use super::console::Interrupt;
use crate::revision::Revision;
use crate::transport::{Receiver, Sender};
use crate::wire::{self, Object};
use crate::{BuiltServer, Level};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// How long an interrupted function may take to get where it waits.
const PATIENCE: Duration = Duration::from_millis(100);

/// The client's side of a connection.
pub(super) struct Client {
    sender: Sender,
    receiver: Receiver,
    last_id: u64,
    level: Level,
}

/// What the server says while a request is under way.
pub(super) enum Heard {
    Progress(Progress),
    Log(Log),
}

/// The parameters of `notifications/progress`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Progress {
    pub(super) progress: f64,
    pub(super) total: Option<f64>,
    pub(super) message: Option<String>,
}

/// The parameters of `notifications/message`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Log {
    pub(super) level: String,
    pub(super) data: Value,
}

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The server answered with an error.
    Refused(Refusal),
    /// The wish to stop came first; the request has been cancelled.
    Interrupted,
    /// The server answered with something that is no answer.
    Broken(String),
}

/// A JSON-RPC error.
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

/// What the server offers, from `server/discover`.
#[derive(Deserialize)]
pub(super) struct Discovered {
    capabilities: Value,
}

impl Discovered {
    /// Does the server have anything of the kind?
    pub(super) fn offers(&self, capability: &str) -> bool {
        self.capabilities.get(capability).is_some()
    }
}

impl Client {
    /// Opens a connection. Log messages below `level` are not wanted.
    pub(super) fn connect(server: &BuiltServer, level: Level) -> Self {
        let (sender, receiver) = server.connect().split();
        Client { sender, receiver, last_id: 0, level }
    }

    /// Sends a request and waits for its result. `params` are names and JSON texts; `_meta` is added to them.
    pub(super) async fn ask(
        &mut self,
        method: &str,
        params: &[(&'static str, &str)],
        interrupt: &mut Interrupt<'_>,
        heard: &mut (dyn FnMut(Heard) + Send),
    ) -> Result<Box<RawValue>, Trouble> {
        self.last_id += 1;
        let id = serde_json::value::to_raw_value(&self.last_id).map_err(broken)?;
        let request = self.request(&id, method, params);
        let sent = send(self.sender.clone(), request).map_err(broken)?;
        loop {
            let message = tokio::select! {
                biased;
                message = self.receiver.receive() => message,
                () = &mut *interrupt => {
                    // A function that never waits cannot be stopped from outside; the process that ends takes it along.
                    if tokio::time::timeout(PATIENCE, sent).await.is_ok() {
                        cancel(&self.sender, &id).await;
                    }
                    return Err(Trouble::Interrupted);
                }
            };
            let message = message.ok_or_else(|| broken("the server has gone"))?;
            if let Some(outcome) = receive(&message, &id, heard) {
                return outcome;
            }
        }
    }

    /// Follows all pages of a list: the items' JSON texts.
    pub(super) async fn list(
        &mut self,
        method: &str,
        key: &str,
        interrupt: &mut Interrupt<'_>,
    ) -> Result<Vec<Box<RawValue>>, Trouble> {
        let (mut items, mut cursor) = (Vec::new(), None::<Box<RawValue>>);
        loop {
            let params: Vec<_> = cursor.iter().map(|cursor| ("cursor", cursor.get())).collect();
            let page = self.ask(method, &params, interrupt, &mut |_| {}).await?;
            let mut page: HashMap<&str, &RawValue> = serde_json::from_str(page.get()).map_err(broken)?;
            let list = page.remove(key).ok_or_else(|| broken(format!("the answer has no `{key}`")))?;
            items.extend(serde_json::from_str::<Vec<Box<RawValue>>>(list.get()).map_err(broken)?);
            cursor = page.remove("nextCursor").map(ToOwned::to_owned);
            if cursor.is_none() {
                return Ok(items);
            }
        }
    }

    /// Asks the server what it offers.
    pub(super) async fn discover(&mut self, interrupt: &mut Interrupt<'_>) -> Result<Discovered, Trouble> {
        let result = self.ask("server/discover", &[], interrupt, &mut |_| {}).await?;
        serde_json::from_str(result.get()).map_err(broken)
    }

    fn request(&self, id: &RawValue, method: &str, params: &[(&'static str, &str)]) -> String {
        let mut out = Vec::new();
        Object::begin(&mut out)
            .field("jsonrpc", "2.0")
            .field("id", id)
            .field("method", method)
            .with("params", |out| {
                let mut object = Object::begin(out);
                for (name, json) in params {
                    object.raw(name, json);
                }
                object.field("_meta", &self.meta(id)).end();
            })
            .end();
        text(out)
    }

    /// What every request of the stateless era says of its client.
    fn meta(&self, id: &RawValue) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": Revision::LATEST.as_str(),
            "io.modelcontextprotocol/clientInfo": {
                "name": concat!(env!("CARGO_PKG_NAME"), " command line"),
                "version": env!("CARGO_PKG_VERSION"),
            },
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/logLevel": self.level,
            "progressToken": id,
        })
    }
}

fn broken(what: impl ToString) -> Trouble {
    Trouble::Broken(what.to_string())
}

/// Sends on a thread of its own: a function that does not wait runs in there, and what it reports is to be heard meanwhile.
/// (A thread of the runtime's pool would keep the runtime from ending.)
fn send(sender: Sender, request: String) -> io::Result<oneshot::Receiver<()>> {
    let (done, sent) = oneshot::channel();
    let runtime = Handle::current();
    std::thread::Builder::new().name("mcp-call".to_owned()).spawn(move || {
        let _inside = runtime.enter();
        sender.send(&request);
        // Only an interruption waits for it.
        let _ = done.send(());
    })?;
    Ok(sent)
}

/// Cancels a request and waits until its function is gone.
async fn cancel(sender: &Sender, id: &RawValue) {
    sender.send(&text(wire::notification("notifications/cancelled", |out| {
        Object::begin(out).field("requestId", id).field("reason", "interrupted").end();
    })));
    sender.finish().await;
}

/// A message that has just been written. It is JSON, so it is UTF-8.
fn text(message: Vec<u8>) -> String {
    String::from_utf8(message).unwrap_or_default()
}

/// A message of the server: an answer or a notification.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
}

/// Handles one message; the outcome if it answers the request `id`.
fn receive(message: &str, id: &RawValue, heard: &mut dyn FnMut(Heard)) -> Option<Result<Box<RawValue>, Trouble>> {
    let message: Message<'_> = match serde_json::from_str(message) {
        Ok(message) => message,
        Err(error) => return Some(Err(broken(error))),
    };
    match message {
        // An error that could not be told whose it is can only be meant for the one request that is under way.
        Message { id: None, error: Some(refusal), .. } => Some(Err(Trouble::Refused(refusal))),
        Message { id: Some(answered), result, error, .. } if answered.get() == id.get() => {
            Some(match (result, error) {
                (Some(result), _) => Ok(result.to_owned()),
                (None, Some(refusal)) => Err(Trouble::Refused(refusal)),
                (None, None) => Err(broken("the answer has neither a result nor an error")),
            })
        }
        Message { id: None, method: Some(method), params: Some(params), .. } => {
            let params = params.get();
            match &*method {
                "notifications/progress" => heard(Heard::Progress(serde_json::from_str(params).ok()?)),
                "notifications/message" => heard(Heard::Log(serde_json::from_str(params).ok()?)),
                _ => {}
            }
            None
        }
        _ => None,
    }
}
