//! A client on an in-process connection, which judges everything that comes back.

use crate::fixture;
use crate::oracle::{Members, is_json};
use mcp_runtime::{BuiltServer, Connection};
use serde_json::Value;
use std::future::Future;

/// The revisions, oldest first; the last is stateless.
pub(crate) const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/// The stateless revision.
pub(crate) const STATELESS: &str = REVISIONS[4];

/// `_meta` of a stateless request, without its braces.
pub(crate) const ENVELOPE: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{},"roots":{}}"#
);

/// Runs a future to its end. Time passes by itself when nothing else does, so that no input can make anybody wait.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
    }
    RUNTIME.with(|runtime| runtime.block_on(future))
}

/// The client.
pub(crate) struct Peer {
    connection: Connection,
}

/// A response as it came.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    /// The id as it stands there.
    pub(crate) id: Option<String>,
    pub(crate) outcome: Result<Value, Value>,
}

/// What came from the server.
#[derive(Debug, Default)]
pub(crate) struct Received {
    pub(crate) responses: Vec<Response>,
    /// Notifications and requests: method and params.
    pub(crate) others: Vec<(String, Value)>,
    /// The ids of the requests among them, as they stand there.
    pub(crate) asked: Vec<String>,
    /// How many frames were arrays of responses.
    pub(crate) batches: usize,
}

impl Peer {
    /// A client that has said nothing yet.
    pub(crate) fn fresh(server: &BuiltServer) -> Peer {
        Peer { connection: server.connect() }
    }

    /// A client that has gone through the handshake.
    pub(crate) fn of(server: &BuiltServer, revision: &str) -> Peer {
        let mut peer = Peer::fresh(server);
        peer.send(&format!(
            r#"{{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{"elicitation":{{}},"sampling":{{}},"roots":{{}}}},"clientInfo":{{"name":"fuzz","version":"0"}}}}}}"#
        ));
        let answer = peer.connection.try_receive().expect("the handshake is answered at once");
        assert!(answer.contains(revision), "{answer}");
        peer.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        peer
    }

    /// A client of the fixture that speaks this revision.
    pub(crate) fn speaking(revision: &str) -> Peer {
        match revision == STATELESS {
            true => Peer::fresh(fixture::server()),
            false => Peer::of(fixture::server(), revision),
        }
    }

    /// Sends one message.
    pub(crate) fn send(&mut self, message: &str) {
        self.connection.send(message);
    }

    /// Waits for the next frame.
    pub(crate) async fn receive(&mut self) -> String {
        self.connection.receive().await.expect("the server is there")
    }

    /// Waits until everything is answered, and gives all that came.
    pub(crate) async fn finish(mut self) -> Received {
        self.connection.finish().await;
        let mut received = Received::default();
        while let Some(frame) = self.connection.try_receive() {
            received.take(&frame);
        }
        received
    }
}

impl Received {
    /// Judges a frame and takes it in.
    pub(crate) fn take(&mut self, frame: &str) {
        assert!(!frame.contains(['\n', '\r']), "more than one line: {frame:?}");
        assert!(is_json(frame), "no JSON: {frame:?}");
        if !frame.starts_with('[') {
            self.message(frame);
            return;
        }
        let elements: Vec<&serde_json::value::RawValue> = serde_json::from_str(frame).expect("an array");
        assert!(!elements.is_empty(), "an empty batch");
        self.batches += 1;
        let others = self.others.len();
        elements.iter().for_each(|element| self.message(element.get()));
        assert_eq!(others, self.others.len(), "a batch of something else than responses: {frame}");
    }

    fn message(&mut self, text: &str) {
        let members: Members<'_> = serde_json::from_str(text).expect("an object");
        let get = |name: &str| members.get(name).expect("no member twice");
        assert_eq!(get("jsonrpc"), Some("\"2.0\""), "{text}");
        let value = |json: &str| serde_json::from_str::<Value>(json).expect("JSON");
        if let Some(method) = get("method") {
            assert!(get("result").is_none() && get("error").is_none(), "{text}");
            let params = get("params").map(value).unwrap_or_default();
            self.asked.extend(get("id").map(str::to_owned));
            self.others.push((crate::oracle::text(method).expect("a text"), params));
            return;
        }
        let id = get("id").map(str::to_owned);
        assert_ne!(id.as_deref(), Some("null"), "{text}");
        let outcome = match (get("result"), get("error")) {
            (Some(result), None) => Ok(value(result)),
            (None, Some(error)) => Err(value(error)),
            _ => panic!("neither a result nor an error, or both: {text}"),
        };
        assert_eq!(members.0.len(), 2 + usize::from(id.is_some()), "more than there should be: {text}");
        match &outcome {
            Ok(result) => assert!(result.is_object() && id.is_some(), "{text}"),
            Err(error) => assert!(error["code"].is_i64() && error["message"].is_string(), "{text}"),
        }
        self.responses.push(Response { id, outcome });
    }

    /// The one response, which must have this id.
    pub(crate) fn only(&self, id: &str) -> &Response {
        let [response] = &self.responses[..] else { panic!("not one answer to {id}: {self:?}") };
        assert_eq!(response.id.as_deref(), Some(id), "{self:?}");
        response
    }
}

impl Response {
    /// The code of an error.
    pub(crate) fn code(&self) -> Option<i64> {
        self.outcome.as_ref().err().and_then(|error| error["code"].as_i64())
    }
}
