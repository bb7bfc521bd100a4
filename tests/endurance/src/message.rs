//! The texts of messages, for both eras.

use serde_json::{Value, json};

/// The stateless revision.
pub const STATELESS: &str = "2026-07-28";
/// The revisions with sessions over Streamable HTTP.
pub const HANDSHAKE: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// A request of a revision: in the stateless one with its envelope.
#[must_use]
pub fn request(revision: &str, id: &Value, method: &str, mut params: Value) -> Value {
    if revision == STATELESS {
        let meta = &mut params["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = revision.into();
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    }
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A `tools/call`. The nonce is the token of its progress, and it asks for log messages where a request can.
#[must_use]
pub fn call(revision: &str, id: &Value, tool: &str, arguments: &Value, nonce: &str) -> Value {
    let mut meta = json!({"progressToken": nonce});
    if revision == STATELESS {
        meta["io.modelcontextprotocol/logLevel"] = "info".into();
    }
    request(revision, id, "tools/call", json!({"name": tool, "arguments": arguments, "_meta": meta}))
}

/// The first message of a session, of a client that calls itself by its secret.
#[must_use]
pub fn initialize(revision: &str, id: &Value, secret: &str) -> Value {
    let info = json!({"name": secret, "version": "0"});
    let params = json!({"protocolVersion": revision, "capabilities": {"elicitation": {}}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params})
}

/// A notification.
#[must_use]
pub fn notification(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// The request of that id is not wanted any more.
#[must_use]
pub fn cancelled(id: &Value) -> Value {
    notification("notifications/cancelled", &json!({"requestId": id}))
}

/// Subscribes to one resource, and to changes of the list of tools.
#[must_use]
pub fn listen(id: &Value, uri: &str) -> Value {
    let filter = json!({"resourceSubscriptions": [uri], "toolsListChanged": true});
    request(STATELESS, id, "subscriptions/listen", json!({"notifications": filter}))
}

/// The text of the first block of a tool's result.
#[must_use]
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// Does the text of a message belong to the request of that nonce, if it is a notification of a call?
#[must_use]
pub fn belongs(message: &Value, nonce: &str) -> bool {
    match message["method"].as_str() {
        Some("notifications/progress") => message["params"]["progressToken"] == nonce,
        Some("notifications/message") => message["params"]["data"] == nonce,
        _ => true,
    }
}
