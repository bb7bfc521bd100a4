//! How often a call allocates: counted, not timed, so that it does not depend on how busy a machine is.

#![allow(missing_docs)]

use allocation_counter::measure;
use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, Connection};
use mcp_tests::META;

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two numbers, in its own time.
#[mcp_tool]
async fn add_async(a: i64, b: i64) -> i64 {
    a + b
}

/// Gives a text back.
#[mcp_tool]
fn echo(text: String) -> String {
    text
}

fn server() -> BuiltServer {
    mcp_runtime::server!().tools(tools![add, add_async, echo]).build().expect("it builds")
}

/// Allocations from a message to its answer, both in memory. The first messages pay for what is made once.
fn allocations(client: &mut Connection, message: &str) -> u64 {
    let mut exchange = || {
        client.send(message);
        client.try_receive().expect("an answer at once")
    };
    for _ in 0..3 {
        let answer = exchange();
        assert!(answer.contains(r#""result""#), "{answer}");
    }
    measure(|| drop(exchange())).count_total
}

fn call(params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{params}}}}}"#)
}

/// Of these, two are `serde_json`'s: it keeps a stack when it passes over a nested value, once for the message and once for its
/// params. Ours are the text of the reply and the answer.
const PLAIN: u64 = 4;

#[test]
fn a_plain_call_allocates_its_reply_and_its_answer() {
    let mut client = server().connect();
    let stateless = call(&format!(r#"{META},"name":"add","arguments":{{"a":2,"b":3}}"#));
    assert!(allocations(&mut client, &stateless) <= PLAIN);
    let turned = format!(
        r#"{{"params":{{"arguments":{{"b":3,"a":2}},{META},"name":"add"}},"method":"tools/call","id":1,"jsonrpc":"2.0"}}"#
    );
    assert!(allocations(&mut client, &turned) <= PLAIN, "the order of members does not matter");
    // The future that the function makes is one more.
    let later = call(&format!(r#"{META},"name":"add_async","arguments":{{"a":2,"b":3}}"#));
    assert!(allocations(&mut client, &later) <= PLAIN + 1);
    // And so is the argument.
    let text = call(&format!(r#"{META},"name":"echo","arguments":{{"text":"hello"}}"#));
    assert!(allocations(&mut client, &text) <= PLAIN + 1);
}

#[test]
fn a_session_costs_no_call_anything() {
    let mut client = server().connect();
    client.send(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#,
    );
    client.try_receive().expect("an answer at once");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert!(allocations(&mut client, &call(r#""name":"add","arguments":{"a":2,"b":3}"#)) <= PLAIN);
}

#[test]
fn a_list_allocates_its_answer() {
    let mut client = server().connect();
    let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    assert!(allocations(&mut client, &list) < PLAIN);
}
