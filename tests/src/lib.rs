//! The server that the integration tests talk to.

#![allow(missing_docs)]

pub mod changing;
pub mod failing;
pub mod fixture;
pub mod layered;

use mcp_runtime::BuiltServer;
use serde_json::Value;

/// The `_meta` of a request of the stateless revision, as JSON text.
pub const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// Asks a server one thing in the stateless revision; `params` are members of `params`, as JSON text.
pub fn ask(server: &BuiltServer, method: &str, params: &str) -> Value {
    let mut connection = server.connect();
    let comma = if params.is_empty() { "" } else { "," };
    connection.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{META}{comma}{params}}}}}"#));
    serde_json::from_str(&connection.try_receive().expect("an answer")).expect("JSON")
}
