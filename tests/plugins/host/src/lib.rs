//! What the programs share.

use mcp_runtime::Server;
use serde_json::Value;
use std::io::Write as _;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// Prints a line: `title: ` and the names of a server's tools, as a client gets them.
///
/// # Errors
/// The server cannot be built, does not answer, or standard output is closed.
pub fn show(title: &str, server: Server) -> Result<(), Box<dyn std::error::Error>> {
    let mut connection = server.build()?.connect();
    connection.send(LIST);
    let answer: Value = serde_json::from_str(&connection.try_receive().ok_or("no answer")?)?;
    let tools = answer["result"]["tools"].as_array().ok_or("no list")?;
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    writeln!(std::io::stdout(), "{title}: {}", names.join(" "))?;
    Ok(())
}
