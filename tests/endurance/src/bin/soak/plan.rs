//! Calls that a client may make, each with what must come of it.

use fastrand::Rng;
use mcp_endurance::SECRET;
use mcp_endurance::message::{call, request, text};
use serde_json::{Value, json};

/// A request and the answer that it deserves.
pub(crate) struct Plan {
    /// What stands in the request, in the answer, and nowhere else.
    pub(crate) nonce: String,
    /// How the request is counted.
    pub(crate) name: &'static str,
    /// The request.
    pub(crate) message: Value,
    expect: Expect,
}

enum Expect {
    /// A result with this text.
    Text(String),
    /// A result that is an error, with this text.
    Failure(String),
    /// An error of either kind that tells nothing of the panic.
    Panic,
    /// A refusal, of either kind.
    Refusal,
    /// A result with this member.
    Member(&'static str),
    /// The contents of a resource.
    Contents(String),
    /// A result without members.
    Empty,
}

impl Plan {
    /// A request with that id, at random.
    pub(crate) fn pick(rng: &mut Rng, revision: &str, nonce: &str) -> Plan {
        let same = || Expect::Text(nonce.to_owned());
        let (tool, more, expect) = match rng.u8(0..100) {
            0..30 => ("fast", json!({}), same()),
            30..48 => ("slow", json!({"ms": rng.u8(0..30)}), same()),
            48..54 => ("block", json!({"ms": rng.u8(0..5)}), same()),
            54..60 => {
                let bytes = rng.usize(1..200_000);
                ("large", json!({"bytes": bytes}), Expect::Text(format!("{nonce}{}", "x".repeat(bytes))))
            }
            60..65 => ("fail", json!({}), Expect::Failure(nonce.to_owned())),
            65..67 => ("crash", json!({}), Expect::Panic),
            67..69 => ("crash_later", json!({}), Expect::Panic),
            69..71 => ("crash_blocking", json!({}), Expect::Panic),
            71..82 => ("steps", json!({"count": rng.u8(1..12)}), same()),
            82..85 => ("no_such_tool", json!({}), Expect::Refusal),
            85..88 => ("slow", json!({"ms": "soon"}), Expect::Refusal),
            88..92 => return Plan::plain(revision, nonce, "tools/list", json!({}), Expect::Member("tools")),
            92..94 => return Plan::plain(revision, nonce, "no/method", json!({}), Expect::Refusal),
            94..96 => return Plan::plain(revision, nonce, "resources/templates/list", json!({}), TEMPLATES),
            _ => {
                let expect = Expect::Contents(nonce.to_owned());
                return Plan::plain(
                    revision,
                    nonce,
                    "resources/read",
                    json!({"uri": format!("thing://{nonce}")}),
                    expect,
                );
            }
        };
        let mut arguments = json!({"nonce": nonce});
        if let (Some(arguments), Value::Object(more)) = (arguments.as_object_mut(), more) {
            arguments.extend(more);
        }
        let message = call(revision, &json!(nonce), tool, &arguments, nonce);
        Plan { nonce: nonce.to_owned(), name: tool, message, expect }
    }

    /// A call of a tool that gives its nonce back.
    pub(crate) fn call(revision: &str, nonce: &str, tool: &'static str, mut arguments: Value) -> Plan {
        arguments["nonce"] = nonce.into();
        let message = call(revision, &json!(nonce), tool, &arguments, nonce);
        Plan { nonce: nonce.to_owned(), name: tool, message, expect: Expect::Text(nonce.to_owned()) }
    }

    /// The beginning or the end of a session's subscription.
    pub(crate) fn subscription(revision: &str, nonce: &str, method: &'static str, uri: &str) -> Plan {
        Plan::plain(revision, nonce, method, json!({"uri": uri}), Expect::Empty)
    }

    /// The same with another text in the answer.
    pub(crate) fn giving(mut self, text: String) -> Plan {
        self.expect = Expect::Text(text);
        self
    }

    fn plain(revision: &str, nonce: &str, method: &'static str, params: Value, expect: Expect) -> Plan {
        let message = request(revision, &json!(nonce), method, params);
        Plan { nonce: nonce.to_owned(), name: method, message, expect }
    }

    /// How often the call tells how far it is.
    pub(crate) fn progress(&self) -> u32 {
        let count = self.message["params"]["arguments"]["count"].as_u64();
        count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
    }

    /// Does the call ask its client for something?
    pub(crate) fn asks(&self) -> bool {
        self.name == "ask"
    }

    /// What is wrong with the answer, if anything is.
    pub(crate) fn fault(&self, answer: &Value) -> Option<String> {
        let failed = answer["result"]["isError"] == true;
        let refused = failed || answer["error"]["code"].is_i64();
        let fits = match &self.expect {
            Expect::Text(expected) => !failed && text(answer) == expected,
            Expect::Failure(expected) => failed && text(answer) == expected,
            Expect::Panic => refused && !answer.to_string().contains(SECRET),
            Expect::Refusal => refused,
            Expect::Member(name) => answer["result"][*name].is_array(),
            Expect::Empty => answer["result"] == json!({}),
            Expect::Contents(expected) => answer["result"]["contents"][0]["text"] == expected.as_str(),
        };
        (!fits).then(|| format!("{} {}: {answer}", self.name, self.nonce))
    }
}

const TEMPLATES: Expect = Expect::Member("resourceTemplates");
