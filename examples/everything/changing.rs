//! Tools that change the lists. What they change is the same for every client.

use mcp_runtime::ServerHandle;
use mcp_runtime::prelude::*;

/// Shows or hides a tool.
#[mcp_tool]
fn test_trigger_tool_change(server: ServerHandle) -> &'static str {
    if server.has_tool("test_zz_dynamic_tool") {
        server.disable_tool("test_zz_dynamic_tool");
        "The dynamic tool is hidden."
    } else {
        server.enable_tool("test_zz_dynamic_tool");
        "The dynamic tool is there."
    }
}

/// Shows or hides a prompt.
#[mcp_tool]
fn test_trigger_prompt_change(server: ServerHandle) -> &'static str {
    if server.has_prompt("test_zz_dynamic_prompt") {
        server.disable_prompt("test_zz_dynamic_prompt");
        "The dynamic prompt is hidden."
    } else {
        server.enable_prompt("test_zz_dynamic_prompt");
        "The dynamic prompt is there."
    }
}

/// Is there at times.
#[mcp_tool]
fn test_zz_dynamic_tool() -> &'static str {
    "This tool is there at times."
}

/// Is there at times.
#[mcp_prompt]
fn test_zz_dynamic_prompt() -> &'static str {
    "This prompt is there at times."
}
