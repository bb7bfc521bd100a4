//! Functions that exist only for callers with their scopes.

use super::ask::{Ask, Session};
use crate::prelude::*;
use crate::transport::http::HttpService;
use crate::{Principal, ResourceLink, Server};
use serde_json::{Value, json};
use std::time::Duration;

/// For everybody.
#[mcp_tool]
fn open_tool() -> &'static str {
    "open"
}

/// For readers.
#[mcp_tool(scopes("read"))]
fn read_tool() -> &'static str {
    "read"
}

/// For those who may do both.
#[mcp_tool(scopes("read", "write"))]
fn write_tool() -> &'static str {
    "written"
}

/// For readers.
#[mcp_resource(uri = "secret://fixed", scopes("read"))]
fn fixed() -> &'static str {
    "fixed"
}

fn instances() -> Vec<ResourceLink> {
    vec![ResourceLink::new("secret://of/1", "one")]
}

/// For writers.
#[mcp_resource(uri = "secret://of/{id}", scopes("write"), list = instances)]
fn of(#[arg(complete = ids)] id: String) -> String {
    id
}

fn ids(_typed: &str) -> Vec<&'static str> {
    vec!["1"]
}

/// For readers.
#[mcp_prompt(scopes("read"))]
fn ask_prompt() -> &'static str {
    "ask"
}

fn server() -> Server {
    let server = Server::new("scoped", "1").tools(tools![open_tool, read_tool, write_tool]);
    server.resources(resources![fixed, of]).prompts(prompts![ask_prompt])
}

fn service() -> HttpService {
    server().caching(Duration::from_secs(60), true).build().expect("it builds").into_service()
}

fn with(scopes: &[&'static str]) -> Option<Principal> {
    Some(Principal::new("ada").with_scopes(scopes.iter().copied()))
}

async fn listed(service: &HttpService, method: &str, key: &str, principal: Option<Principal>) -> (Vec<String>, Value) {
    let result = Ask::stateless(1, method, json!({})).sent_by(principal, service).await.json()["result"].clone();
    let items = result[key].as_array().expect("a list");
    (items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect(), result["cacheScope"].clone())
}

#[tokio::test]
async fn lists_show_what_a_caller_may_use_and_are_shared_with_nobody() {
    let service = service();
    let lists = [("tools/list", "tools"), ("resources/list", "resources"), ("prompts/list", "prompts")];
    for (principal, expected) in [
        (None, [&["open_tool"][..], &[], &[]]),
        (with(&[]), [&["open_tool"], &[], &[]]),
        (with(&["other"]), [&["open_tool"], &[], &[]]),
        (with(&["read"]), [&["open_tool", "read_tool"], &["fixed"], &["ask_prompt"]]),
        (with(&["write"]), [&["open_tool"], &["one"], &[]]),
        (with(&["write", "read"]), [&["open_tool", "read_tool", "write_tool"], &["fixed", "one"], &["ask_prompt"]]),
    ] {
        for ((method, key), names) in lists.iter().zip(expected) {
            let (listed, cache) = listed(&service, method, key, principal.clone()).await;
            assert_eq!(listed, names, "{method} {principal:?}");
            assert_eq!(cache, "private", "{method}");
        }
        let templates = listed(&service, "resources/templates/list", "resourceTemplates", principal.clone()).await.0;
        assert_eq!(templates.len(), expected[1].iter().filter(|name| **name == "one").count());
    }
}

#[tokio::test]
async fn what_a_caller_may_not_use_is_answered_as_what_does_not_exist() {
    let service = service();
    let asks = |name: &str| {
        let prompt = json!({"name": name});
        let (fixed, of) = (json!({"uri": "secret://fixed"}), json!({"uri": "secret://of/1"}));
        let complete = json!({"ref": {"type": "ref/resource", "uri": "secret://of/{id}"}, "argument": {"name": "id", "value": ""}});
        [
            Ask::call(1, name, json!({})),
            Ask::stateless(1, "prompts/get", prompt),
            Ask::stateless(1, "resources/read", fixed),
            Ask::stateless(1, "resources/read", of),
            Ask::stateless(1, "completion/complete", complete),
        ]
    };
    for principal in [None, with(&["wrote"])] {
        for ask in asks("write_tool") {
            assert_eq!(ask.sent_by(principal.clone(), &service).await.code(), -32602, "{principal:?}");
        }
    }
    let known = Ask::call(1, "write_tool", json!({})).sent_by(with(&["read"]), &service).await.json()["error"].clone();
    let unknown =
        Ask::call(1, "wrote_tool", json!({})).sent_by(with(&["read"]), &service).await.json()["error"].clone();
    assert_eq!(known.to_string().replace("write", "wrote"), unknown.to_string());
    for (ask, scopes) in
        asks("write_tool").into_iter().zip([&["read", "write"][..], &[], &["read"], &["write"], &["write"]])
    {
        let reply = ask.sent_by(with(scopes), &service).await;
        assert!(scopes.is_empty() || reply.json()["error"].is_null(), "{scopes:?}: {}", reply.body);
    }
}

#[tokio::test]
async fn a_session_has_the_scopes_of_each_request() {
    let built = server().build().expect("it builds");
    // Somebody may change the lists, so that clients may subscribe.
    let _handle = built.handle();
    let service = built.into_service();
    let opened = Ask::initialize("2025-11-25").sent_by(with(&["read"]), &service).await;
    let session = Session { id: opened.session(), version: "2025-11-25".to_owned() };
    let call =
        || session.post(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read_tool"}}));
    let subscribe = || {
        let params = json!({"uri": "secret://fixed"});
        session.post(json!({"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": params}))
    };
    assert!(call().sent_by(with(&["read"]), &service).await.json()["error"].is_null());
    assert_eq!(call().sent_by(with(&[]), &service).await.code(), -32602);
    assert_eq!(subscribe().sent_by(with(&["write"]), &service).await.code(), -32002);
    assert!(subscribe().sent_by(with(&["read"]), &service).await.json()["error"].is_null());
}

#[test]
fn whoever_has_started_the_process_has_all_scopes() {
    let mut client = server().build().expect("it builds").connect();
    let params = json!({"name": "write_tool", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
    assert!(client.try_receive().expect("an answer").contains("written"));
}

mod replacements {
    /// Needs less than the one before.
    #[crate::mcp_tool(name = "read_tool")]
    pub(super) fn for_all() {}

    /// Needs the same.
    #[crate::mcp_tool(name = "read_tool", scopes("read"))]
    pub(super) fn for_readers() -> &'static str {
        "read anew"
    }
}

#[tokio::test]
async fn a_replacement_keeps_the_scopes() {
    let built = server().build().expect("it builds");
    let handle = built.handle();
    let service = built.into_service();
    assert_eq!(listed(&service, "tools/list", "tools", with(&["read"])).await.0.len(), 2);
    let problem = handle.replace_tool(tools![replacements::for_all]).expect_err("it must not be replaced").to_string();
    assert!(problem.contains("scopes"), "{problem}");
    handle.replace_tool(tools![replacements::for_readers]).expect("it is replaced");
    handle.disable_tool("open_tool");
    assert_eq!(listed(&service, "tools/list", "tools", with(&["read"])).await.0, ["read_tool"], "it is written anew");
    let read = Ask::call(1, "read_tool", json!({})).sent_by(with(&["read"]), &service).await;
    assert_eq!(read.text(), "read anew");
}

/// For everybody.
#[mcp_resource(uri = "secret://{+rest}")]
fn rest(rest: String) -> String {
    rest
}

#[tokio::test]
async fn however_a_uri_is_escaped_it_names_the_resource_that_needs_scopes() {
    let service = server().resources(resources![rest]).build().expect("it builds").into_service();
    let read = async |uri: &str, principal| {
        Ask::stateless(1, "resources/read", json!({"uri": uri})).sent_by(principal, &service).await
    };
    for uri in ["secret://fixed", "secret://%66ixed", "secret://fi%78e%64", "secret://o%66/%31"] {
        assert_eq!(read(uri, None).await.code(), -32602, "{uri}");
        let reply = read(uri, with(&["read", "write"])).await;
        let text = reply.json()["result"]["contents"][0]["text"].clone();
        assert_eq!(text, if uri.contains('1') { "1" } else { "fixed" }, "{uri}");
    }
    assert_eq!(read("secret://else", None).await.json()["result"]["contents"][0]["text"], "else");
}
