//! Panics wherever an author's code runs: each costs its own call, which is answered.

use super::server::{self, Server};
use super::stdio::Process;
use super::{ROUGH, SECRET, call, json};
use mcp_runtime::Server as Builder;
use mcp_runtime::prelude::*;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::borrow::Cow;

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
