//! What the options of functions come to in lists, in every revision, and which functions they choose.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, Server};
use mcp_tests::ask;
use serde_json::{Value, json};

const TEAM: &str = "search";

/// Finds things.
#[mcp_tool(
    title = "Find",
    icon(src = "https://example.com/find.png", mime_type = "image/png", sizes("48x48", "any"), theme = "dark"),
    icon = "data:image/svg+xml;base64,PHN2Zy8+",
    meta("example.com/team" = TEAM, level = 3, "example.com/nested" = vec![1, 2]),
    tags("search")
)]
fn find() {}

/// Removes things.
#[mcp_tool(tags("admin", "danger"), icon = "https://example.com/remove.png")]
fn remove() {}

/// Says what there is.
#[mcp_resource(
    uri = "things://all",
    annotations(audience(user, assistant), priority = 0.5, last_modified = "2026-01-31T09:00:00Z"),
    meta(kind = "list"),
    tags = "search"
)]
fn all() -> &'static str {
    "all"
}

/// One thing.
#[mcp_resource(uri = "things://one/{id}", annotations(priority = 1), icon = "https://example.com/one.png")]
fn one(id: String) -> String {
    id
}

/// Asks about things.
#[mcp_prompt(icon = "https://example.com/ask.png", meta(kind = "question"), tags("admin"))]
fn about() -> &'static str {
    "What is there?"
}

const THING: &str = "What to tell of.";

#[mcp_tool(description = concat!("Tells ", "of things.\n"))]
fn tell(#[arg(description = THING)] thing: Thing) -> String {
    thing.name
}

#[mcp_type]
struct Thing {
    #[arg(description = concat!("Its ", "name."))]
    name: String,
}

fn everything() -> Server {
    let server = mcp_runtime::server!().tools(tools![find, remove]).prompts(prompts![about]);
    server.resources(resources![all, one])
}

fn listed(server: &BuiltServer, method: &str) -> Vec<Value> {
    let key = method
        .trim_end_matches("/list")
        .rsplit('/')
        .next()
        .map(|word| if word == "templates" { "resourceTemplates" } else { word });
    let result = ask(server, method, "")["result"].clone();
    result[key.expect("a key")].as_array().cloned().unwrap_or_default()
}

/// A list as a revision with a handshake has it.
fn listed_by(revision: &str, server: &BuiltServer, method: &str, key: &str) -> Value {
    let mut client = server.connect();
    let mut ask = |message: String| {
        client.send(&message);
        client.try_receive().map(|answer| serde_json::from_str::<Value>(&answer).expect("JSON"))
    };
    ask(format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"t","version":"0"}}}}}}"#
    ));
    ask(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned());
    ask(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#)).expect("an answer")["result"][key][0].clone()
}

fn named<'i>(items: &'i [Value], name: &str) -> &'i Value {
    items.iter().find(|item| item["name"] == name).unwrap_or_else(|| panic!("no {name} in {items:?}"))
}

#[test]
fn lists_show_icons_meta_and_annotations() {
    let server = everything().build().expect("it builds");
    let tools = listed(&server, "tools/list");
    let find = named(&tools, "find");
    assert_eq!(
        find["icons"],
        json!([
            {"src": "https://example.com/find.png", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"},
            {"src": "data:image/svg+xml;base64,PHN2Zy8+"}
        ])
    );
    assert_eq!(find["_meta"], json!({"example.com/team": "search", "level": 3, "example.com/nested": [1, 2]}));
    let resources = listed(&server, "resources/list");
    let annotations =
        json!({"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-01-31T09:00:00Z"});
    assert_eq!((&resources[0]["annotations"], &resources[0]["_meta"]), (&annotations, &json!({"kind": "list"})));
    let templates = listed(&server, "resources/templates/list");
    assert_eq!(templates[0]["annotations"], json!({"priority": 1.0}));
    assert_eq!(templates[0]["icons"], json!([{"src": "https://example.com/one.png"}]));
    let prompts = listed(&server, "prompts/list");
    assert_eq!(prompts[0]["_meta"], json!({"kind": "question"}));
    assert_eq!(prompts[0]["icons"][0]["src"], "https://example.com/ask.png");
}

#[test]
fn descriptions_may_be_texts_that_the_compiler_puts_together() {
    let server = mcp_runtime::server!().tools(tools![tell]).build().expect("it builds");
    let tools = listed(&server, "tools/list");
    let thing = &tools[0]["inputSchema"]["properties"]["thing"];
    assert_eq!(tools[0]["description"], "Tells of things.");
    assert_eq!(thing["description"], "What to tell of.");
    assert_eq!(thing["properties"]["name"]["description"], "Its name.");
}

#[test]
fn revisions_see_what_they_know() {
    let server = everything().build().expect("it builds");
    for (revision, icons, meta, last_modified) in [
        ("2024-11-05", false, false, false),
        ("2025-03-26", false, false, false),
        ("2025-06-18", false, true, true),
        ("2025-11-25", true, true, true),
    ] {
        let tool = listed_by(revision, &server, "tools/list", "tools");
        assert_eq!((tool.get("icons").is_some(), tool.get("_meta").is_some()), (icons, meta), "{revision}");
        let resource = listed_by(revision, &server, "resources/list", "resources");
        assert_eq!(resource["annotations"].get("lastModified").is_some(), last_modified, "{revision}");
        assert_eq!(resource["annotations"]["priority"], 0.5, "{revision}");
    }
}

#[test]
fn tags_choose_functions() {
    let names = |server: Server| {
        let server = server.build().expect("it builds");
        let lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
        let items = lists.into_iter().flat_map(|list| listed(&server, list));
        items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(everything().with_tags(["admin"])), ["remove", "about"]);
    assert_eq!(names(everything().with_tags(["admin", "search"])), ["find", "remove", "about", "all"]);
    assert_eq!(names(everything().without_tags(["admin"])), ["find", "all", "one"]);
    assert_eq!(names(everything().with_tags(["admin"]).without_tags(["danger"])), ["about"]);
}

#[test]
fn a_function_that_is_not_chosen_does_not_exist() {
    let server = everything().without_tags(["danger"]).build().expect("it builds");
    assert_eq!(ask(&server, "tools/call", r#""name":"remove""#)["error"]["code"], -32602);
}

#[test]
fn a_tag_that_no_function_has_is_a_mistake() {
    let problem = everything().with_tags(["admim"]).build().expect_err("it must not build").to_string();
    assert!(problem.contains("`admim`") && problem.contains("`admin`"), "{problem}");
}
