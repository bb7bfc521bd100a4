//! Requests over HTTP that nobody should send.

use crate::client::Client;
use hyper::body::Bytes;
use mcp_endurance::http::{Identity, Link};
use mcp_endurance::message::{call, request};
use mcp_endurance::{BODY_LIMIT, PATIENCE};
use serde_json::{Value, json};
use std::io;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

/// So many large answers do not fit into what the system keeps for a connection.
const UNREAD: usize = 60;

/// Sends one of them and looks at how it is refused.
pub(crate) async fn step(client: &mut Client, who: &Identity) -> io::Result<()> {
    if client.rng.u8(0..4) == 0 { cut_off(client, who).await } else { refused(client, who).await }
}

/// A body that is none, and the status that it gets.
async fn refused(client: &mut Client, who: &Identity) -> io::Result<()> {
    let nonce = client.nonce();
    let good = request(who.revision, &json!(nonce), "tools/list", json!({}));
    let text = |text: String| Bytes::from(text);
    let (name, body, status) = match client.rng.u8(0..9) {
        0 => ("garbage", text(format!("what is {nonce}?")), 400),
        1 => ("half a message", text(half(&good.to_string())), 400),
        2 => ("no UTF-8", Bytes::from([b"{\"a\":\"\xff\xfe".as_slice(), nonce.as_bytes(), b"\"}"].concat()), 400),
        3 => ("deep nesting", text(format!("{}{nonce}", "[{\"a\":".repeat(20_000))), 400),
        4 => ("too large", text(format!("\"{}\"", "x".repeat(BODY_LIMIT))), 413),
        5 => ("an id that is none", text(with_id(&good, &json!({"nonce": nonce}))), 400),
        6 => ("an empty batch", text("[]".to_owned()), 400),
        7 => ("no version", text(json!({"id": nonce, "method": "tools/list"}).to_string()), 400),
        _ => ("nothing", Bytes::new(), 400),
    };
    client.fault(match name {
        "too large" => "bodies that are too large",
        "deep nesting" => "bodies that are too deep",
        "no UTF-8" => "bodies that are no UTF-8",
        _ => "bodies that are no message",
    });
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let mut reply = link.send(who.post_text(&good, body)).await?;
    client.expect(reply.status == status, format_args!("{name}: {} instead of {status}", reply.status));
    let mut messages = 0;
    while let Some(message) = reply.next().await? {
        messages += 1;
        client.received("refusals");
        client.expect(message["error"]["code"].is_i64(), format_args!("{name}: {message}"));
    }
    client.expect(messages == 1, format_args!("{name}: {messages} refusals"));
    Ok(())
}

fn half(text: &str) -> String {
    text.chars().take(text.len() / 2).collect()
}

fn with_id(message: &Value, id: &Value) -> String {
    let mut message = message.clone();
    message["id"] = id.clone();
    message.to_string()
}

/// Goes away in the middle of a request.
async fn cut_off(client: &mut Client, who: &Identity) -> io::Result<()> {
    let nonce = client.nonce();
    let whole = on_the_wire(who, &request(who.revision, &json!(nonce), "tools/list", json!({})));
    let until = client.rng.usize(1..whole.len());
    let mut stream = client.ways[0].connect(false).await?;
    client.fault("disconnects within a request");
    stream.write_all(&whole.as_bytes()[..until]).await?;
    if client.rng.bool() {
        stream.shutdown().await?;
    }
    Ok(())
}

/// Asks for more than the system keeps between the two, and reads nothing of it. The connection stays: the server has to give
/// it up.
pub(crate) async fn stop_reading(client: &mut Client, who: &Identity) -> io::Result<()> {
    let mut stream = client.ways[0].connect(true).await?;
    client.fault("clients that stop reading");
    for _ in 0..UNREAD {
        let nonce = client.nonce();
        let arguments = json!({"nonce": nonce, "bytes": 200_000});
        let whole = on_the_wire(who, &call(who.revision, &json!(nonce), "large", &arguments, &nonce));
        timeout(PATIENCE, stream.write_all(whole.as_bytes())).await??;
    }
    client.stop(Box::new(stream));
    Ok(())
}

/// A request with everything around it.
fn on_the_wire(who: &Identity, message: &Value) -> String {
    let body = message.to_string();
    let name = message["params"]["name"].as_str().map_or_else(String::new, |name| format!("mcp-name: {name}\r\n"));
    let session = who.session.as_ref().map_or_else(String::new, |session| format!("mcp-session-id: {session}\r\n"));
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, \
         text/event-stream\r\nmcp-protocol-version: {}\r\nmcp-method: {}\r\n{name}{session}content-length: {}\r\n\r\n{body}",
        who.revision,
        message["method"].as_str().unwrap_or_default(),
        body.len()
    )
}
