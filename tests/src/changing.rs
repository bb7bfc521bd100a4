//! Functions that come and go, and those that let them.

use mcp_runtime::ServerHandle;
use mcp_runtime::prelude::*;

/// Is there unless it has been switched off.
#[mcp_tool]
fn guest() -> &'static str {
    "the first guest"
}

/// Is there unless it has been switched off.
#[mcp_prompt]
fn guest_prompt(#[arg(complete = words)] word: String) -> String {
    word
}

/// Is there unless it has been switched off.
#[mcp_resource(uri = "guest://now")]
fn guest_now() -> &'static str {
    "now"
}

/// Is there unless it has been switched off.
#[mcp_resource(uri = "guest://day/{day}")]
fn guest_day(#[arg(complete = words)] day: String) -> String {
    day
}

fn words(typed: &str) -> Vec<String> {
    vec![format!("{typed}!")]
}

/// Starts switched off.
#[mcp_tool]
fn sleeper() -> &'static str {
    "awake"
}

/// Switches functions on or off, as one change: `tool`, `prompt`, `resource`, `template`, `sleeper`.
#[mcp_tool]
fn switch(what: Vec<String>, on: bool, server: ServerHandle) -> &'static str {
    server.change(|change| {
        for what in &what {
            match (what.as_str(), on) {
                ("tool", true) => change.enable_tool("guest"),
                ("tool", false) => change.disable_tool("guest"),
                ("sleeper", true) => change.enable_tool("sleeper"),
                ("sleeper", false) => change.disable_tool("sleeper"),
                ("prompt", true) => change.enable_prompt("guest_prompt"),
                ("prompt", false) => change.disable_prompt("guest_prompt"),
                ("resource", true) => change.enable_resource("guest_now"),
                ("resource", false) => change.disable_resource("guest_now"),
                ("template", true) => change.enable_resource("guest_day"),
                ("template", false) => change.disable_resource("guest_day"),
                _ => change,
            };
        }
    });
    "switched"
}

/// Disables itself while it is running.
#[mcp_tool]
async fn vanish(server: ServerHandle) -> Vec<u8> {
    server.disable_tool("vanish");
    tokio::task::yield_now().await;
    vec![1, 2]
}
