//! What comes and goes at run time, and who is told: sessions, and subscriptions of the stateless era.

use crate::support::stdio::PATIENCE;
use crate::support::{FIXTURE, META, Peer, Process, STATELESS, Transport, call};
use mcp_runtime::{BuiltServer, Connection};
use mcp_tests::fixture;
use serde_json::{Value, json};
use std::collections::HashSet;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const TOOLS: &str = "notifications/tools/list_changed";
const PROMPTS: &str = "notifications/prompts/list_changed";
const RESOURCES: &str = "notifications/resources/list_changed";
const UPDATED: &str = "notifications/resources/updated";

fn server() -> BuiltServer {
    fixture::server().build().expect("the fixture builds")
}

fn listen(id: &str, filter: &Value) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{filter},{META}}}}}"#
    )
}

fn cancel(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"))
}

async fn next(client: &mut Connection) -> Value {
    let message = tokio::time::timeout(PATIENCE, client.receive()).await.expect("the server speaks");
    json(&message.expect("the connection is open"))
}

/// Everything that has been sent so far.
fn rest(client: &mut Connection) -> Vec<Value> {
    std::iter::from_fn(|| client.try_receive()).map(|message| json(&message)).collect()
}

fn methods(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["method"].as_str().unwrap_or("-")).collect()
}

fn id_of(message: &Value) -> &Value {
    &message["params"]["_meta"][SUBSCRIPTION]
}

#[tokio::test]
async fn a_subscription_is_acknowledged_first_and_each_message_names_it_as_it_was_written() {
    for id in ["1700000000000", "\"s1\"", "\"\\u0061\"", "-7"] {
        let server = server();
        let (mut client, mut other, handle) = (server.connect(), server.connect(), server.handle());
        client.send(&listen(id, &json!({"toolsListChanged": true, "resourceSubscriptions": ["notes://1"]})));
        handle.disable_tool("guest");
        handle.resource_updated("notes://1");
        let texts: Vec<String> = std::iter::from_fn(|| client.try_receive()).collect();
        let messages: Vec<Value> = texts.iter().map(|text| json(text)).collect();
        assert_eq!(methods(&messages), [ACKNOWLEDGED, TOOLS, UPDATED]);
        let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["notes://1"]});
        assert_eq!(messages[0]["params"]["notifications"], filter);
        assert_eq!(messages[2]["params"]["uri"], "notes://1");
        for text in &texts {
            assert!(text.contains(&format!(r#""_meta":{{"{SUBSCRIPTION}":{id}}}"#)), "{text}");
        }
        assert!(rest(&mut other).is_empty(), "who did not subscribe is told nothing");
    }
}

#[tokio::test]
async fn only_what_was_asked_for_and_exists_is_honoured_and_told() {
    let server = server();
    let (mut client, handle) = (server.connect(), server.handle());
    let filter = json!({
        "promptsListChanged": true, "toolsListChanged": false, "taskIds": ["t"],
        "resourceSubscriptions": ["notes://index", "nowhere://x"],
    });
    client.send(&listen("1", &filter));
    let honoured = json!({"promptsListChanged": true, "resourceSubscriptions": ["notes://index"]});
    assert_eq!(next(&mut client).await["params"]["notifications"], honoured);
    handle.disable_tool("guest");
    handle.disable_resource("guest_now");
    handle.resource_updated("notes://1");
    handle.resource_updated("nowhere://x");
    assert!(rest(&mut client).is_empty());
    handle.disable_prompt("guest_prompt");
    assert_eq!(methods(&rest(&mut client)), [PROMPTS]);
    client.send(&listen("2", &json!({})));
    assert_eq!(next(&mut client).await["params"]["notifications"], json!({}));
}

#[tokio::test]
async fn a_filter_that_is_none_opens_nothing() {
    let mut client = server().connect();
    let many: Vec<String> = (0..1_001).map(|n| format!("notes://{n}")).collect();
    for filter in [
        json!(null),
        json!([]),
        json!("tools"),
        json!({"toolsListChanged": "yes"}),
        json!({"toolsListChanged": 1}),
        json!({"resourceSubscriptions": "notes://1"}),
        json!({"resourceSubscriptions": [1]}),
        json!({"resourceSubscriptions": many}),
        json!({"resourceSubscriptions": [format!("notes://{}", "1".repeat(4096))]}),
    ] {
        client.send(&listen("1", &filter));
        let answer = next(&mut client).await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32602)), "{filter}: {answer}");
    }
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{{{META}}}}}"#));
    assert_eq!(next(&mut client).await["error"]["code"], -32602);
    client.finish().await;
    assert!(rest(&mut client).is_empty(), "there is no subscription to end");
}

#[tokio::test]
async fn several_subscriptions_share_a_connection_and_are_cancelled_one_by_one() {
    let server = server();
    let (mut client, handle) = (server.connect(), server.handle());
    for (id, kind) in [("1", "toolsListChanged"), ("\"1\"", "toolsListChanged"), ("2", "promptsListChanged")] {
        client.send(&listen(id, &json!({kind: true})));
        assert_eq!(id_of(&next(&mut client).await), &json(id));
    }
    client.send(&listen("1", &json!({"toolsListChanged": true})));
    assert_eq!(next(&mut client).await["error"]["code"], -32600, "the id is in use");
    handle.disable_tool("guest");
    let told = rest(&mut client);
    let ids: HashSet<String> = told.iter().map(|message| id_of(message).to_string()).collect();
    assert_eq!((told.len(), ids), (2, HashSet::from(["1".to_owned(), "\"1\"".to_owned()])));
    client.send(&cancel("1"));
    client.send(&cancel("99"));
    handle.enable_tool("guest");
    let told = rest(&mut client);
    assert_eq!((told.len(), id_of(&told[0])), (1, &json!("1")), "the cancelled one is told nothing more");
    client.send(&listen("1", &json!({})));
    assert_eq!(next(&mut client).await["method"], ACKNOWLEDGED, "the id is free again");
}

#[tokio::test]
async fn a_connection_has_room_for_many_subscriptions_but_not_for_any_number() {
    let mut client = server().connect();
    for id in 0..1_001 {
        client.send(&listen(&id.to_string(), &json!({"toolsListChanged": true})));
        // News wait until earlier messages have been taken.
        let answer = next(&mut client).await;
        assert_eq!(answer.get("error").is_some(), id == 1_000, "{answer}");
    }
}

#[tokio::test]
async fn the_server_ends_subscriptions_with_a_result() {
    let mut client = server().connect();
    client.send(&listen("\"s\"", &json!({"toolsListChanged": true})));
    client.finish().await;
    let messages = rest(&mut client);
    assert_eq!(methods(&messages), [ACKNOWLEDGED, "notifications/cancelled", "-"]);
    assert_eq!((&messages[1]["params"]["requestId"], id_of(&messages[1])), (&json!("s"), &json!("s")));
    let (id, result) = (&messages[2]["id"], &messages[2]["result"]);
    assert_eq!(
        (id, &result["resultType"], &result["_meta"][SUBSCRIPTION]),
        (&json!("s"), &json!("complete"), &json!("s"))
    );
}

#[tokio::test]
async fn a_batch_of_changes_is_told_once_for_each_kind_of_list() {
    let server = server();
    let (mut client, handle) = (server.connect(), server.handle());
    let all = json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true});
    client.send(&listen("1", &all));
    next(&mut client).await;
    handle.change(|change| {
        change.disable_tool("guest").disable_tool("bump").disable_tool("echo");
        change.disable_resource("guest_now").disable_resource("guest_day").disable_prompt("guest_prompt");
    });
    assert_eq!(methods(&rest(&mut client)), [TOOLS, PROMPTS, RESOURCES]);
    handle.change(|change| {
        change.disable_tool("guest").disable_prompt("no such prompt").disable_tool("guest_prompt");
    });
    assert!(rest(&mut client).is_empty(), "nothing has changed");
    handle.enable_resource("guest_day");
    assert_eq!(methods(&rest(&mut client)), [RESOURCES]);
}

/// The same answer for a disabled function as for a name that was never there.
#[tokio::test]
async fn what_is_disabled_is_unknown_to_every_method() {
    for (transport, revision) in
        [(Transport::Memory, STATELESS), (Transport::Http, STATELESS), (Transport::Memory, "2025-11-25")]
    {
        let mut peer = Peer::open(transport, revision).await;
        let argument = json!({"name": "word", "value": "x"});
        let requests = |suffix: &str| {
            let completion = |reference: Value| {
                let name = if reference.get("uri").is_some() { "day" } else { "word" };
                let argument = json!({"name": name, "value": argument["value"]});
                ("completion/complete", json!({"ref": reference, "argument": argument}))
            };
            vec![
                ("tools/call", json!({"name": format!("guest{suffix}"), "arguments": {}})),
                ("prompts/get", json!({"name": format!("guest_prompt{suffix}"), "arguments": {"word": "w"}})),
                ("resources/read", json!({"uri": format!("guest://now{suffix}")})),
                ("resources/read", json!({"uri": format!("guest://day{suffix}/1")})),
                completion(json!({"type": "ref/prompt", "name": format!("guest_prompt{suffix}")})),
                completion(json!({"type": "ref/resource", "uri": format!("guest://day{suffix}/{{day}}")})),
            ]
        };
        let lists = [
            ("tools/list", "tools"),
            ("prompts/list", "prompts"),
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
        ];
        for (method, params) in requests("") {
            let answer = peer.request(method, params).await;
            assert!(answer.get("result").is_some(), "{answer}");
        }
        assert_eq!(
            peer.text("switch", json!({"what": ["tool", "prompt", "resource", "template"], "on": false})).await,
            "switched"
        );
        for ((method, hidden), (_, unknown)) in requests("").into_iter().zip(requests("_x")) {
            let (hidden, mut unknown) = (peer.request(method, hidden).await, peer.request(method, unknown).await);
            unknown["id"] = hidden["id"].clone();
            assert!(hidden.get("error").is_some(), "{hidden}");
            assert_eq!(hidden.to_string(), unknown.to_string().replace("_x", ""));
        }
        for (list, key) in lists {
            let answer = peer.request(list, json!({})).await;
            assert!(!answer["result"][key].to_string().contains("guest"), "{answer}");
        }
        peer.text("switch", json!({"what": ["tool", "prompt", "resource", "template"], "on": true})).await;
        for (method, params) in requests("") {
            let answer = peer.request(method, params).await;
            assert!(answer.get("result").is_some(), "{answer}");
        }
        for (list, key) in lists {
            let answer = peer.request(list, json!({})).await;
            assert!(answer["result"][key].to_string().contains("guest"), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_disabled_resource_cannot_be_subscribed_to_and_is_not_told_of() {
    let server = server();
    let (mut client, handle) = (server.connect(), server.handle());
    let filter = json!({"resourceSubscriptions": ["guest://now"]});
    client.send(&listen("1", &filter));
    next(&mut client).await;
    handle.disable_resource("guest_now");
    handle.resource_updated("guest://now");
    client.send(&listen("2", &filter));
    assert_eq!(next(&mut client).await["params"]["notifications"], json!({}));
    handle.enable_resource("guest_now");
    handle.resource_updated("guest://now");
    let told = rest(&mut client);
    assert_eq!((methods(&told), id_of(&told[0])), (vec![UPDATED], &json!(1)));
    let mut session = Peer::open(Transport::Memory, "2025-11-25").await;
    session.text("switch", json!({"what": ["resource"], "on": false})).await;
    let answer = session.request("resources/subscribe", json!({"uri": "guest://now"})).await;
    assert_eq!(answer["error"]["code"], -32002);
}

#[tokio::test]
async fn a_function_starts_disabled_and_one_that_runs_ends_as_it_began() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    assert_eq!(peer.call("sleeper", json!({})).await["error"]["code"], -32602);
    peer.text("switch", json!({"what": ["sleeper"], "on": true})).await;
    assert_eq!(peer.text("sleeper", json!({})).await, "awake");
    let answer = peer.call("vanish", json!({})).await;
    assert_eq!(answer["result"]["structuredContent"], json!([1, 2]), "{answer}");
    assert_eq!(peer.call("vanish", json!({})).await["error"]["code"], -32602);
    let problems = fixture::server().disable_tool("nobody").build().expect_err("there is no such tool").to_string();
    assert!(problems.contains("`nobody`"), "{problems}");
}

#[tokio::test]
async fn whoever_does_not_read_is_kept_within_bounds_and_holds_nobody_up() {
    let server = server();
    let (mut slow, mut quick, handle) = (server.connect(), server.connect(), server.handle());
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["notes://1", "notes://2"]});
    slow.send(&listen("1", &filter));
    quick.send(&listen("1", &filter));
    next(&mut quick).await;
    for round in 0..5_000 {
        handle.resource_updated("notes://1");
        assert_eq!(methods(&rest(&mut quick)), [UPDATED], "in round {round}");
    }
    handle.resource_updated("notes://2");
    handle.disable_tool("guest");
    assert_eq!(methods(&rest(&mut quick)), [UPDATED, TOOLS]);
    let told = rest(&mut slow);
    assert!(told.len() < 1_000, "{} messages were kept", told.len());
    assert!(methods(&told).contains(&TOOLS), "it learns that the list has changed");
    assert!(told.iter().any(|message| message["params"]["uri"] == "notes://2"));
    handle.enable_tool("guest");
    assert_eq!(methods(&rest(&mut slow)), [TOOLS], "it has caught up");
}

#[tokio::test]
async fn a_session_is_told_once_it_is_initialized() {
    let server = server();
    let handle = server.handle();
    let mut client = server.connect();
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
    // Without a handshake there is nothing to be told.
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    handle.disable_tool("guest");
    assert!(rest(&mut client).is_empty());
    client.send(&initialize.to_string());
    let capabilities = &next(&mut client).await["result"]["capabilities"];
    for list in ["tools", "prompts", "resources"] {
        assert_eq!(capabilities[list]["listChanged"], true, "{capabilities}");
    }
    handle.enable_tool("guest");
    assert!(rest(&mut client).is_empty(), "it is not initialized");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    handle.change(|change| {
        change.disable_tool("guest").disable_tool("bump").disable_prompt("guest_prompt");
    });
    let told = rest(&mut client);
    assert_eq!(methods(&told), [TOOLS, PROMPTS]);
    assert!(told.iter().all(|message| message["params"].get("_meta").is_none()));
    client.send(r#"{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"notes://1"}}"#);
    assert_eq!(next(&mut client).await["result"], json!({}));
    handle.resource_updated("notes://1");
    handle.resource_updated("notes://2");
    assert_eq!(methods(&rest(&mut client)), [UPDATED], "it comes from outside of any call");
}

#[test]
fn over_stdio_both_eras_are_told() {
    let mut process = Process::start(FIXTURE, &[]);
    process.line(&listen("\"s1\"", &json!({"toolsListChanged": true})));
    process.line(&call("2", "switch", r#"{"what":["tool","prompt"],"on":false}"#));
    let mut read = || json(&process.read().expect("the server speaks"));
    let acknowledgement = read();
    assert_eq!((acknowledgement["method"].as_str(), id_of(&acknowledgement)), (Some(ACKNOWLEDGED), &json!("s1")));
    let (one, other) = (read(), read());
    let (told, answer) = if one.get("method").is_some() { (one, other) } else { (other, one) };
    assert_eq!((told["method"].as_str(), id_of(&told)), (Some(TOOLS), &json!("s1")));
    assert_eq!(answer["id"], 2);

    let mut process = Process::start(FIXTURE, &[]);
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
    process.line(initialize);
    process.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    process.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"switch","arguments":{"what":["tool"],"on":false}}}"#);
    let lines: Vec<Value> = (0..3).map(|_| json(&process.read().expect("the server speaks"))).collect();
    assert!(methods(&lines).contains(&TOOLS), "{lines:?}");
}

#[test]
fn the_end_of_the_input_ends_subscriptions_and_the_process() {
    let mut process = Process::start(FIXTURE, &[]);
    process.line(&listen("7", &json!({"toolsListChanged": true})));
    process.line(&listen("8", &json!({"promptsListChanged": true})));
    process.close();
    let (status, lines, errors) = process.wait();
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""));
    let messages: Vec<Value> = lines.iter().map(|line| json(line)).collect();
    for id in [7, 8] {
        let own: Vec<&Value> =
            messages.iter().filter(|message| message["id"] == id || id_of(message) == &json!(id)).collect();
        assert_eq!(own.len(), 3, "{messages:?}");
        assert_eq!((&own[0]["method"], &own[2]["result"]["resultType"]), (&json!(ACKNOWLEDGED), &json!("complete")));
    }
}
