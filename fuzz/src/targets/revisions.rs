//! The revision adapter: requests of every revision, whose params are the input.
//!
//! The first byte says which revision, the second which method; the rest is the text of `params`. Whatever a client of a
//! revision sends, what comes back has nothing that the revision does not know: no member, no kind of content, no code of
//! an error ([`shape`]). Questions of handshake revisions are answered with what is in params as `answer`.

use crate::oracle;
use crate::peer::{ENVELOPE, Peer, REVISIONS, STATELESS, run};
use crate::shape;
use serde_json::Value;

const METHODS: [&str; 17] = [
    "tools/call",
    "tools/list",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "notifications/cancelled",
    "tasks/get",
];

/// See the module.
pub fn check(data: &[u8]) {
    let [age, method, rest @ ..] = data else { return };
    let (age, method) = (usize::from(*age) % REVISIONS.len(), METHODS[usize::from(*method) % METHODS.len()]);
    let Ok(params) = std::str::from_utf8(rest) else { return };
    // What is no JSON at all is for another target.
    if !oracle::is_json(params) {
        return;
    }
    let stateless = REVISIONS[age] == STATELESS;
    let whole = if stateless { with_envelope(params) } else { params.to_owned() };
    let mut peer = Peer::speaking(REVISIONS[age]);
    let received = run(async {
        peer.send(&format!(r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{whole}}}"#));
        peer.finish().await
    });
    let response = received.only("\"x\"");
    // A request with an envelope of its own is one of the stateless revision, whatever the handshake has settled.
    let era_is_open = !stateless && params.contains("_meta") || params.contains('\\');
    let answered = response.outcome.as_ref();
    let is_new = answered.is_ok_and(|result| result.get("resultType").is_some());
    let is_new_error =
        answered.is_err_and(|error| error["code"].as_i64().is_some_and(|code| code <= -32020 && code > -32100));
    let age = if era_is_open && (is_new || is_new_error) { 4 } else { age };
    match answered {
        Ok(result) => shape::result(age, method, result),
        Err(error) => shape::error(age, error),
    }
    for (method, params) in &received.others {
        other(age, method, params);
    }
}

/// Params as an object with the envelope of a stateless request before everything else.
fn with_envelope(params: &str) -> String {
    let members =
        params.trim_matches([' ', '\t', '\n', '\r']).strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    match members {
        Some(members) if members.trim_matches([' ', '\t', '\n', '\r']).is_empty() => {
            format!(r#"{{"_meta":{{{ENVELOPE}}}}}"#)
        }
        Some(members) => format!(r#"{{"_meta":{{{ENVELOPE}}},{members}}}"#),
        None => params.to_owned(),
    }
}

/// Judges what is no response.
fn other(age: usize, method: &str, params: &Value) {
    let seen = || format!("{} {method}: {params}", REVISIONS[age]);
    match method {
        "notifications/progress" => {
            assert!(params["progress"].is_number() && params.get("progressToken").is_some(), "{}", seen());
            assert!(age >= 1 || params.get("message").is_none(), "{}", seen());
        }
        "notifications/message" => assert!(params["level"].is_string(), "{}", seen()),
        "notifications/resources/updated" => assert!(params["uri"].is_string(), "{}", seen()),
        "notifications/subscriptions/acknowledged" | "notifications/cancelled" => {}
        "elicitation/create" => assert!((2..4).contains(&age), "{}", seen()),
        "sampling/createMessage" | "roots/list" => assert!(age < 4, "{}", seen()),
        _ => panic!("{}", seen()),
    }
}
