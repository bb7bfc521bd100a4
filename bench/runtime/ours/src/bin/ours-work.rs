//! A function for every kind of work.

use mcp_runtime::prelude::*;
use std::sync::OnceLock;
use std::time::Duration;

/// Adds two numbers.
#[mcp_tool]
fn add(
    /// First addend.
    a: i64,
    /// Second addend.
    b: i64,
) -> i64 {
    a + b
}

/// Gives a text back.
#[mcp_tool]
fn echo(
    /// The text.
    text: String,
) -> String {
    text
}

/// Ten fields.
#[mcp_type]
struct Record {
    id: u64,
    name: String,
    email: String,
    age: u32,
    score: f64,
    active: bool,
    tags: Vec<String>,
    city: Option<String>,
    balance: i64,
    note: String,
}

/// Gives a record back.
#[mcp_tool]
fn record(
    /// The record.
    record: Record,
) -> Record {
    record
}

/// Tells a hundred times how far it is.
#[mcp_tool]
async fn progress(cx: Context) -> &'static str {
    for step in 1..=100 {
        cx.progress(step, 100);
    }
    "done"
}

/// Takes a tenth of a second.
#[mcp_tool]
async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_millis(100)).await;
    "slept"
}

/// A text of 1 MiB.
#[mcp_resource(uri = "bench://large")]
fn large() -> &'static str {
    static LARGE: OnceLock<String> = OnceLock::new();
    LARGE.get_or_init(|| "0123456789abcdef".repeat(65_536))
}

/// Says that the text of 1 MiB has changed.
#[mcp_tool]
fn touch(cx: Context) -> &'static str {
    cx.resource_updated("bench://large");
    "touched"
}

mcp_main!();
