//! What servers are asked to do.

use crate::exchange;
use serde_json::{Value, json};

/// How clients speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// 2026-07-28: every request stands for itself.
    Stateless,
    /// 2025-11-25: after a handshake.
    Session,
}

impl Dialect {
    pub(crate) fn version(self) -> &'static str {
        match self {
            Dialect::Stateless => "2026-07-28",
            Dialect::Session => "2025-11-25",
        }
    }
}

/// The resource of 1 MiB that servers have.
pub(crate) const LARGE: &str = "bench://large";

/// One kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Two numbers to be added.
    Add,
    /// The same, with the members of the message in an unusual order.
    AddBackwards,
    /// A text of so many bytes to be given back.
    Echo(usize),
    /// A struct of ten fields to be given back.
    Record,
    /// All tools, of which there are so many.
    List(usize),
    /// A resource of 1 MiB.
    Read,
    /// A hundred notifications, then the answer.
    Progress,
    /// A call that takes 100 ms.
    Slow,
    /// A call that changes the resource, of which all are told who subscribed to it.
    Touch,
}

impl Work {
    pub(crate) fn method(self) -> &'static str {
        match self {
            Work::List(_) => "tools/list",
            Work::Read => "resources/read",
            _ => "tools/call",
        }
    }

    /// What the header `Mcp-Name` says.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Work::Add | Work::AddBackwards => Some("add"),
            Work::Echo(_) => Some("echo"),
            Work::Record => Some("record"),
            Work::Progress => Some("progress"),
            Work::Slow => Some("slow"),
            Work::Touch => Some("touch"),
            Work::Read => Some(LARGE),
            Work::List(_) => None,
        }
    }

    /// Notifications that come before the answer.
    pub(crate) fn notifications(self) -> u64 {
        if self == Work::Progress { 100 } else { 0 }
    }

    /// The request's text, with the numbers of [`exchange`] in it.
    pub(crate) fn request(self, dialect: Dialect) -> String {
        let (a, b) = exchange::addends();
        let arguments = match self {
            Work::Add | Work::AddBackwards => format!(r#"{{"a":{a},"b":{b}}}"#),
            Work::Echo(bytes) => format!(r#"{{"text":"{}"}}"#, echoed(bytes)),
            Work::Record => format!(r#"{{"record":{}}}"#, record()),
            _ => "{}".to_owned(),
        };
        let mut members = match self {
            Work::List(_) => vec![],
            Work::Read => vec![format!(r#""uri":"{LARGE}""#)],
            _ => {
                vec![format!(r#""name":"{}""#, self.name().unwrap_or_default()), format!(r#""arguments":{arguments}"#)]
            }
        };
        let mut meta = Vec::new();
        if self == Work::Progress {
            meta.push(r#""progressToken":"t""#);
        }
        if dialect == Dialect::Stateless {
            meta.push(r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#);
            meta.push(r#""io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}"#);
            meta.push(r#""io.modelcontextprotocol/clientCapabilities":{}"#);
        }
        if !meta.is_empty() {
            members.push(format!(r#""_meta":{{{}}}"#, meta.join(",")));
        }
        let (id, method) = (exchange::id(), self.method());
        if self == Work::AddBackwards {
            members.reverse();
            return format!(r#"{{"params":{{{}}},"method":"{method}","id":{id},"jsonrpc":"2.0"}}"#, members.join(","));
        }
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{}}}}}"#, members.join(","))
    }

    /// Is it the right result?
    pub(crate) fn is_right(self, result: &Value, sum: u64) -> bool {
        let text = &result["content"][0]["text"];
        result["isError"] != true
            && match self {
                Work::Add | Work::AddBackwards => text.as_str().is_some_and(|text| text.parse() == Ok(sum)),
                Work::Echo(bytes) => *text == echoed(bytes),
                Work::Record => result["structuredContent"] == record(),
                Work::List(tools) => result["tools"].as_array().is_some_and(|all| all.len() == tools),
                Work::Read => result["contents"][0]["text"] == "0123456789abcdef".repeat(65_536),
                Work::Progress => *text == "done",
                Work::Slow => *text == "slept",
                Work::Touch => *text == "touched",
            }
    }
}

/// A text to be given back.
fn echoed(bytes: usize) -> String {
    "The quick brown fox jumps over. ".repeat(bytes / 32)
}

/// Ten fields, none of them with a number that changes.
fn record() -> Value {
    json!({
        "id": 7, "name": "Ada Lovelace", "email": "ada@example.com", "age": 36, "score": 99.5, "active": true,
        "tags": ["first", "second", "third"], "city": "London", "balance": -12_345, "note": "A note of some length."
    })
}
