//! Lists, pages and capabilities.

use crate::support::{HANDSHAKE, STATELESS, META};
use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, Server};
use mcp_tests::fixture;
use serde_json::{Value, json};

/// Asks a server one thing in the stateless revision.
fn ask(server: &BuiltServer, method: &str, params: &str) -> Value {
    let mut connection = server.connect();
    let separator = if params.is_empty() { "" } else { "," };
    connection.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{META}{separator}{params}}}}}"#));
    serde_json::from_str(&connection.try_receive().expect("an answer")).expect("JSON")
}

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
    let everything = ask(&fixture::server().build().expect("it builds"), "server/discover", "");
    let result = &everything["result"];
    let capabilities = result["capabilities"].as_object().expect("an object");
    assert_eq!(capabilities.keys().collect::<Vec<_>>(), ["tools", "resources", "prompts", "completions", "logging"]);
    let versions: Vec<&str> = HANDSHAKE.into_iter().chain([STATELESS]).rev().collect();
    assert_eq!(result["supportedVersions"], json!(versions));
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(0), &json!("private")));
}

#[test]
fn pages_make_up_the_list() {
    let whole = ask(&fixture::server().build().expect("it builds"), "tools/list", "");
    let whole = whole["result"]["tools"].as_array().expect("tools").clone();
    let server = fixture::server().page_size(7).build().expect("it builds");
    let (mut seen, mut params, mut tools_cursor) = (Vec::new(), String::new(), None);
    loop {
        let page = ask(&server, "tools/list", &params);
        let tools = page["result"]["tools"].as_array().expect("tools");
        seen.extend(tools.iter().cloned());
        let Some(cursor) = page["result"].get("nextCursor") else { break };
        assert_eq!(tools.len(), 7);
        params = format!(r#""cursor":{cursor}"#);
        tools_cursor = Some(cursor.clone());
    }
    assert_eq!(seen, whole);
    let cursor = tools_cursor.expect("more than one page");
    for (method, cursor) in [("tools/list", json!("zzz")), ("tools/list", json!("")), ("tools/list", json!(5)), ("prompts/list", cursor)] {
        let answer = ask(&server, method, &format!(r#""cursor":{cursor}"#));
        assert_eq!(answer["error"]["code"], -32602, "{method} {cursor}");
    }
}

#[test]
fn templates_are_in_their_own_list() {
    let server = fixture::server().build().expect("it builds");
    let names = |method: &str, key: &str, member: &str| -> Vec<String> {
        let answer = ask(&server, method, "");
        let items = answer["result"][key].as_array().expect("a list");
        items.iter().map(|item| item[member].as_str().expect("a string").to_owned()).collect()
    };
    assert_eq!(names("resources/list", "resources", "uri"), ["boom://now", "bin://all", "notes://index"]);
    let templates = names("resources/templates/list", "resourceTemplates", "uriTemplate");
    assert_eq!(templates, ["s://find{?q,limit}", "kind://{type}", "notes://{id}", "tree://{+path}"]);
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
    for expected in ["the tool `one` exists 2 times", "lists.rs:", " and ", "`u64`", "needy", "header", "belongs to several resources", "must be the only one"] {
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
