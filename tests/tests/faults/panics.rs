//! Panics wherever an author's code runs: each costs its own call, which is answered.

use super::server::{self, Server};
use super::stdio::Process;
use super::{ROUGH, SECRET, call, json};
use mcp_runtime::Server as Builder;
use mcp_runtime::prelude::*;
use mcp_tests::META;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Tools that panic, with their arguments.
const TOOLS: [(&str, &str); 16] = [
    ("takes", r#"{"bomb":"x"}"#),
    ("takes_blocking", r#"{"bomb":"x"}"#),
    ("takes_later", r#"{"bomb":"x"}"#),
    ("injected", "{}"),
    ("gives", "{}"),
    ("gives_later", "{}"),
    ("writes", "{}"),
    ("writes_later", "{}"),
    ("shows", "{}"),
    ("causes", "{}"),
    ("causes_later", "{}"),
    ("throws", "{}"),
    ("throws_later", "{}"),
    ("throws_blocking", "{}"),
    ("too_long", "{}"),
    // With an argument that nothing takes.
    ("takes", r#"{"bomb":"x","other":1}"#),
];

/// Requests for other code that panics.
const OTHERS: [(&str, &str); 5] = [
    ("prompts/get", r#""name":"says","arguments":{"word":"x"}"#),
    ("resources/read", r#""uri":"book://7""#),
    ("resources/list", ""),
    ("completion/complete", r#""ref":{"type":"ref/prompt","name":"says"},"argument":{"name":"word","value":""}"#),
    ("completion/complete", r#""ref":{"type":"ref/prompt","name":"says"},"argument":{"name":"other","value":""}"#),
];

/// The number under which the log has the cause.
fn number(answer: &str) -> &str {
    let (_, rest) = answer.split_once("its log has the cause under ").unwrap_or_else(|| panic!("no number: {answer}"));
    rest.split('.').next().unwrap_or_default()
}

#[test]
fn each_panic_is_in_the_log_under_the_number_that_its_answer_gives() {
    let mut process = Process::start(ROUGH, &[]);
    let tools = TOOLS.into_iter().filter(|(tool, _)| *tool != "too_long");
    let calls = tools.map(|(tool, arguments)| call(1, tool, arguments));
    let others = OTHERS.into_iter().map(|(method, params)| {
        let comma = if params.is_empty() { "" } else { "," };
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{comma}{META}}}}}"#)
    });
    let mut numbers = BTreeSet::new();
    for request in calls.chain(others) {
        process.line(&request);
        let line = process.read().expect("an answer");
        let number = number(&line).to_owned();
        assert_eq!((&json(&line)["error"]["code"], number.len()), (&(-32603).into(), 8), "{request}: {line}");
        assert!(!line.contains(SECRET) && numbers.insert(number), "{request}: {line}");
    }
    process.close();
    let (_, _, errors) = process.wait();
    for number in numbers {
        let of_it = format!("reference=\"{number}\"");
        let logged: Vec<_> = errors.lines().filter(|line| line.contains(&of_it)).collect();
        assert!(logged.len() == 1 && logged[0].contains("it panicked: "), "{logged:?}");
    }
}

#[test]
fn over_stdio_every_call_is_answered_and_the_process_goes_on() {
    let mut process = Process::start(ROUGH, &[]);
    for (id, (tool, arguments)) in (0..).zip(TOOLS) {
        process.line(&call(id, tool, arguments));
        let line = process.read().expect("an answer");
        assert_eq!(json(&line)["id"], id, "{tool}: {line}");
        assert!(!line.contains(SECRET), "{tool}: {line}");
    }
    process.line(&call(100, "forever", "{}"));
    process.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":100}}"#);
    process.line(&call(101, "echo", r#"{"text":"x"}"#));
    assert_eq!(json(&process.read().expect("an answer"))["id"], 101);
    process.close();
    let (status, lines, _) = process.wait();
    assert_eq!((status.code(), lines.len()), (Some(0), 0), "{lines:?}");
}

#[test]
fn over_http_every_call_is_answered_and_the_process_goes_on() {
    let server = Server::start(ROUGH, &[]);
    for (tool, arguments) in TOOLS {
        let (status, body) = server.exchange(&server::call(tool, arguments));
        assert_eq!((status, &json(&body)["id"]), (200, &serde_json::json!(1)), "{tool}: {body}");
        assert!(!body.contains(SECRET), "{tool}: {body}");
    }
    let (status, body) = server.exchange(&server::call("echo", r#"{"text":"x"}"#));
    assert_eq!(status, 200, "{body}");
}

#[test]
fn a_type_that_panics_when_it_is_asked_for_its_schema_is_reported_when_the_server_is_built() {
    #[derive(Serialize)]
    struct Shy;

    impl JsonSchema for Shy {
        fn schema_name() -> Cow<'static, str> {
            "Shy".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            panic!("{SECRET}")
        }
    }

    /// Gives what has no schema.
    #[mcp_tool]
    fn shy() -> Shy {
        Shy
    }

    /// Does nothing wrong.
    #[mcp_tool]
    fn sound() {}

    let error = Builder::new("shy", "0").tools(tools![shy, sound]).build().expect_err("the schema panics");
    let [problem] = error.problems() else { panic!("{error}") };
    assert!(problem.contains("`shy` (") && problem.contains("panics when it is asked for its schema"), "{problem}");
}
