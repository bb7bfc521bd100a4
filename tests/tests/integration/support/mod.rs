//! Clients for every transport.

pub mod peer;
pub mod stdio;

pub use peer::{Fixture, HANDSHAKE, Peer, STATELESS, Transport};
pub use stdio::Process;

/// The program of the fixture.
pub const FIXTURE: &str = env!("CARGO_BIN_EXE_fixture");

pub use mcp_tests::META;

/// A `tools/call` of the stateless revision, as JSON text.
pub fn call(id: &str, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},{META}}}}}"#
    )
}
