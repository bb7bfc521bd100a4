//! Lists, pages and capabilities.

use crate::support::{HANDSHAKE, STATELESS};
use mcp_tests::{ask, fixture};
use serde_json::json;

#[test]
fn the_fixture_offers_everything() {
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
    for (method, cursor) in
        [("tools/list", json!("zzz")), ("tools/list", json!("")), ("tools/list", json!(5)), ("prompts/list", cursor)]
    {
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
    let resources = names("resources/list", "resources", "uri");
    assert_eq!(resources, ["boom://now", "bin://all", "fails://now", "guest://now", "notes://index"]);
    let templates = names("resources/templates/list", "resourceTemplates", "uriTemplate");
    let expected = [
        "ask://{topic}",
        "s://find{?q,limit}",
        "guest://day/{day}",
        "item://{n}",
        "kind://{type}",
        "notes://{id}",
        "tree://{+path}",
    ];
    assert_eq!(templates, expected);
}
