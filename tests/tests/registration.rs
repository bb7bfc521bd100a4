//! Servers from explicit lists. A program of its own: what is registered here would be part of every other server.

#![allow(missing_docs)]

use mcp_runtime::Server;
use mcp_runtime::prelude::*;
use mcp_tests::ask;
use serde_json::json;

/// Does nothing.
#[mcp_tool]
fn one() {}

/// Does nothing else.
#[mcp_tool]
fn two() {}

/// Only a prompt.
#[mcp_prompt]
fn only() -> &'static str {
    "only"
}

/// Needs a state.
#[mcp_tool]
fn needy(number: State<u64>) -> u64 {
    *number
}

mod other {
    use mcp_runtime::prelude::*;

    /// Has the name of another tool.
    #[mcp_tool(name = "one")]
    pub(crate) fn same_name() {}

    /// Has the URI of another resource.
    #[mcp_resource(uri = "a://{other}")]
    pub(crate) fn same_shape(other: String) -> String {
        other
    }

    /// Has its URI first.
    #[mcp_resource(uri = "a://{x}")]
    pub(crate) fn shape(x: String) -> String {
        x
    }

    /// A header on a number that is no integer.
    #[mcp_tool]
    pub(crate) fn bad_header(#[arg(header = "Half")] half: f64) -> f64 {
        half
    }

    /// Has a parameter that is no variable.
    #[mcp_tool]
    pub(crate) fn two_wholes(_a: Args<super::Whole>, b: u8) -> u8 {
        b
    }
}

#[mcp_type]
struct Whole {
    a: u8,
}

fn empty() -> Server {
    mcp_runtime::server!()
}

#[test]
fn a_server_offers_exactly_what_it_has() {
    let server = empty().prompts(prompts![only]).build().expect("it builds");
    let discovered = ask(&server, "server/discover", "");
    assert_eq!(discovered["result"]["capabilities"], json!({"prompts": {}}));
    assert_eq!(ask(&server, "tools/list", "")["error"]["code"], -32601);
    assert_eq!(ask(&server, "resources/read", r#""uri":"a://b""#)["error"]["code"], -32601);
    assert_eq!(ask(&server, "completion/complete", "")["error"]["code"], -32601);
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let problem = |server: Server| server.build().expect_err("it must not build").to_string();
    let none = problem(empty().tools([]));
    assert!(none.contains("no functions"), "{none}");
    let text = problem(
        empty()
            .tools(tools![one, other::same_name, needy, other::bad_header, other::two_wholes])
            .resources(resources![other::shape, other::same_shape]),
    );
    for expected in [
        "the tool `one` exists 2 times",
        "registration.rs:",
        " and ",
        "`u64`",
        "needy",
        "header",
        "belongs to several resources",
        "must be the only one",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(text.starts_with("5 problems:"), "{text}");
    assert!(empty().tools(tools![one, two, needy]).state(5_u64).build().is_ok());
}

#[test]
fn caching_is_as_the_server_says() {
    let hour = std::time::Duration::from_secs(3600);
    let server = empty().tools(tools![one, two]).caching(hour, true).build().expect("it builds");
    let result = ask(&server, "tools/list", "")["result"].clone();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(3_600_000), &json!("public")));
}
