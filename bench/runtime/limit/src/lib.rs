//! What the bare loops share: a message is parsed into one struct, the answer is written by hand, nothing is checked.
//! These are no conforming servers; they mark what a server could reach that had nothing else to do.

use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

/// How long the tool `slow` takes.
pub const SLOW: Duration = Duration::from_millis(100);

/// How many notifications the tool `progress` sends.
const STEPS: u32 = 100;

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Option<u64>,
    method: Method,
    #[serde(default)]
    params: Params,
}

#[derive(Deserialize)]
enum Method {
    #[serde(rename = "tools/call")]
    Call,
    #[serde(rename = "tools/list")]
    List,
    #[serde(rename = "resources/read")]
    Read,
    #[serde(rename = "subscriptions/listen")]
    Listen,
    #[serde(rename = "initialize")]
    Initialize,
    #[serde(other)]
    Other,
}

#[derive(Deserialize, Default)]
struct Params {
    #[serde(default)]
    name: String,
    #[serde(default)]
    arguments: Arguments,
}

#[derive(Deserialize, Default)]
struct Arguments {
    #[serde(default)]
    a: i64,
    #[serde(default)]
    b: i64,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    record: Option<Record>,
}

/// Ten fields.
#[derive(Deserialize, Serialize)]
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

/// What a loop has to do.
pub enum Todo {
    /// To send what was written: one message a line.
    Send,
    /// To wait for [`SLOW`], then to send it.
    Wait,
    /// To send it as an event, and then [`UPDATE`] whenever the resource changes.
    Listen,
    /// To send it, and [`UPDATE`] to everybody who listens.
    Touch,
    /// Nothing: it was a notification.
    Nothing,
}

/// What those who listen are told.
pub const UPDATE: &str = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"bench://large\"}}\n\n";

/// The text of the large resource.
fn large() -> &'static str {
    static LARGE: OnceLock<String> = OnceLock::new();
    LARGE.get_or_init(|| "0123456789abcdef".repeat(65_536))
}

/// The result of `tools/list`, from the file that the first argument of the process names.
fn list() -> &'static [u8] {
    static LIST: OnceLock<Vec<u8>> = OnceLock::new();
    LIST.get_or_init(|| match std::env::args().nth(1) {
        Some(path) => std::fs::read(path).unwrap_or_default(),
        None => br#"{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}"#.to_vec(),
    })
}

/// Parses one message and appends what is to be sent; progress notifications are lines before the answer's.
///
/// # Panics
/// The message is not one that the harness sends.
pub fn answer(message: &[u8], out: &mut Vec<u8>) -> Todo {
    let message: Message = serde_json::from_slice(message).expect("a message of the harness");
    let Some(id) = message.id else { return Todo::Nothing };
    let arguments = message.params.arguments;
    let mut todo = Todo::Send;
    match (message.method, message.params.name.as_str()) {
        (Method::Call, "add") => {
            begin(id, out);
            let _ = write!(out, r#"{{"content":[{{"type":"text","text":"{}"}}]}}}}"#, arguments.a + arguments.b);
        }
        (Method::Call, "echo") => {
            begin(id, out);
            text(&arguments.text.unwrap_or_default(), out);
        }
        (Method::Call, "record") => {
            begin(id, out);
            out.extend_from_slice(br#"{"content":[],"structuredContent":"#);
            let _ = serde_json::to_writer(&mut *out, &arguments.record);
            out.extend_from_slice(b"}}");
        }
        (Method::Call, "progress") => {
            for step in 1..=STEPS {
                let _ = writeln!(
                    out,
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"t","progress":{step},"total":{STEPS}}}}}"#
                );
            }
            begin(id, out);
            text("done", out);
        }
        (Method::Call, "touch") => {
            begin(id, out);
            text("touched", out);
            todo = Todo::Touch;
        }
        (Method::Call, _) => {
            begin(id, out);
            text("slept", out);
            todo = Todo::Wait;
        }
        (Method::List, _) => {
            begin(id, out);
            out.extend_from_slice(list());
            out.push(b'}');
        }
        (Method::Read, _) => {
            begin(id, out);
            out.extend_from_slice(br#"{"contents":[{"uri":"bench://large","text":"#);
            let _ = serde_json::to_writer(&mut *out, large());
            out.extend_from_slice(b"}]}}");
        }
        (Method::Listen, _) => {
            out.extend_from_slice(
                br#"data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}"#,
            );
            todo = Todo::Listen;
        }
        (Method::Initialize, _) => {
            begin(id, out);
            out.extend_from_slice(
                br#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"limit","version":"0"}}}"#,
            );
        }
        (Method::Other, _) => return Todo::Nothing,
    }
    out.push(b'\n');
    todo
}

fn begin(id: u64, out: &mut Vec<u8>) {
    let _ = write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
}

fn text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
    let _ = serde_json::to_writer(&mut *out, text);
    out.extend_from_slice(b"}]}}");
}

/// The answer as the body of a response, and its type: JSON, or events if there are several messages.
pub fn body(lines: &mut Vec<u8>) -> &'static str {
    lines.pop();
    // To look for a line's end would cost more than all the rest where the answer is large.
    if !lines.starts_with(br#"{"jsonrpc":"2.0","method""#) {
        return "application/json";
    }
    let mut events = Vec::with_capacity(lines.len() * 2);
    for line in lines.split(|byte| *byte == b'\n') {
        events.extend_from_slice(b"data: ");
        events.extend_from_slice(line);
        events.extend_from_slice(b"\n\n");
    }
    *lines = events;
    "text/event-stream"
}
