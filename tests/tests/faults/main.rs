//! What happens when functions panic or never return, when clients vanish or do not read, when the disk is full, and when the
//! process is told to end. Always through the streams of a process.

#![cfg(unix)]
#![allow(missing_docs, unreachable_pub)]

mod endings;
#[cfg(target_os = "linux")]
mod memory;
mod panics;
mod server;
#[path = "../integration/support/stdio.rs"]
mod stdio;
mod streams;

use mcp_tests::META;

/// The program whose functions do whatever a function should not do.
pub const ROUGH: &str = env!("CARGO_BIN_EXE_rough");
/// A program with a `main` of its own.
pub const OWN_MAIN: &str = env!("CARGO_BIN_EXE_own_main");
/// What its panics say.
pub const SECRET: &str = "the-secret-in-the-panic";

/// A `tools/call` of the stateless revision.
pub fn call(id: u32, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},{META}}}}}"#
    )
}

pub fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"))
}

/// Sends a signal to a process.
pub fn signal(process: u32, name: &str) {
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(sent.expect("kill runs").success());
}
