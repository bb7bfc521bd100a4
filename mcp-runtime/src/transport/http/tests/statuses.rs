use super::ask::{Ask, Reply, Session};
use super::fixture::{SECRET, Stage, server, service};
use http::Method;
use serde_json::{Value, json};

fn error(reply: &Reply) -> (u16, i64, Value) {
    (reply.status, reply.code(), reply.json().get("id").cloned().unwrap_or(Value::Null))
}

#[tokio::test]
async fn the_standing_of_a_stateless_request_is_its_status() {
    let service = service();
    let ok = Ask::call("a", "echo", json!({"text": "x"})).of(&service).await;
    assert_eq!((ok.status, ok.text()), (200, "x".to_owned()));
    for (ask, expected) in [
        (Ask::stateless(1, "foo/bar", json!({})), (404, -32601, json!(1))),
        (Ask::stateless(2, "initialize", json!({})), (404, -32601, json!(2))),
        (Ask::stateless(3, "ping", json!({})), (404, -32601, json!(3))),
        (Ask::call(4, "no_such", json!({})), (200, -32602, json!(4))),
        (Ask::call(5, "echo", json!({})).header("mcp-name", "other"), (400, -32020, json!(5))),
        (Ask::call(6, "echo", json!({})).also("mcp-method", "tools/call"), (400, -32020, json!(6))),
        (Ask::call(7, "echo", json!({})).without("mcp-protocol-version"), (400, -32020, json!(7))),
        (Ask::call(8, "echo", json!({})).header("mcp-protocol-version", "2025-11-25"), (400, -32020, json!(8))),
    ] {
        assert_eq!(error(&ask.clone().of(&service).await), expected, "{ask:?}");
    }
    let padded = Ask::call(9, "echo", json!({"text": "x"})).header("mcp-method", "  tools/call\t");
    assert_eq!(padded.of(&service).await.text(), "x", "white space around a value is no part of it");
}

#[tokio::test]
async fn a_stateless_request_without_its_envelope_is_refused() {
    let service = service();
    let bare = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}));
    let reply = bare.clone().header("mcp-protocol-version", "2026-07-28").of(&service).await;
    assert_eq!(error(&reply), (400, -32602, json!(1)));
    let reply = bare.of(&service).await;
    assert_eq!(error(&reply), (400, -32602, json!(1)));
}

#[tokio::test]
async fn an_unknown_version_is_answered_with_the_known_ones() {
    let service = service();
    let params = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
    let ask = Ask::post(body).header("mcp-protocol-version", "2099-01-01").header("mcp-method", "tools/list");
    let reply = ask.of(&service).await;
    assert_eq!(error(&reply), (400, -32022, json!(1)));
    let data = &reply.json()["error"]["data"];
    assert_eq!(data["requested"], "2099-01-01");
    assert!(data["supported"].as_array().unwrap().contains(&json!("2026-07-28")), "{data}");

    let session = Session::open(&service, "2025-11-25").await;
    let banana = |ask: Ask| ask.header("mcp-protocol-version", "banana");
    assert_eq!(banana(session.ask(1, "tools/list", json!({}))).of(&service).await.status, 400);
    assert_eq!(
        banana(session.post(json!({"jsonrpc": "2.0", "method": "notifications/x"}))).of(&service).await.status,
        400
    );
    assert_eq!(banana(session.get()).of(&service).await.status, 400);
    assert_eq!(banana(session.delete()).of(&service).await.status, 400);
    assert_eq!(session.ask(1, "tools/list", json!({})).of(&service).await.status, 200, "the session goes on");
}

#[tokio::test]
async fn a_known_version_that_is_not_the_settled_one_changes_nothing() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for version in ["2025-03-26", "2024-11-05"] {
        let call = session.call(1, "count", json!({"n": "x"})).header("mcp-protocol-version", version);
        assert_eq!(call.of(&service).await.json()["result"]["isError"], true, "{version}");
    }
    let call = session.call(1, "count", json!({"n": 4})).without("mcp-protocol-version");
    assert_eq!(call.of(&service).await.text(), "counted to 4");
}

#[tokio::test]
async fn notifications_are_accepted_without_a_word() {
    let service = service();
    let notification = || Ask::post(json!({"jsonrpc": "2.0", "method": "notifications/x"}));
    let session = Session::open(&service, "2025-06-18").await;
    for ask in [
        notification(),
        notification().header("mcp-protocol-version", "2026-07-28"),
        notification().header("mcp-protocol-version", "2025-11-25"),
        notification().header("accept", "application/json"),
        session.post(json!({"jsonrpc": "2.0", "method": "notifications/x"})),
        session.post(json!({"jsonrpc": "2.0", "id": "s", "result": {}})),
    ] {
        let reply = ask.clone().of(&service).await;
        assert_eq!((reply.status, reply.body.as_str(), reply.media_type()), (202, "", ""), "{ask:?}");
    }
}

#[tokio::test]
async fn responses_and_batches_are_no_part_of_the_stateless_era() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let stateless = |body: &str| Ask::post(body).header("mcp-protocol-version", "2026-07-28");
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bump","arguments":{}}}]"#,
        "[]",
    ] {
        for ask in [stateless(body), Ask::post(body)] {
            let reply = ask.of(&service).await;
            assert_eq!(error(&reply), (400, -32600, Value::Null), "{body}");
        }
    }
    assert_eq!(error(&stateless("[{").of(&service).await), (400, -32700, Value::Null));
    let session = Session::open(&service, "2025-03-26").await;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bump","arguments":{}}}]"#;
    let reply = stateless(batch).header("mcp-session-id", &session.id).of(&service).await;
    assert_eq!(error(&reply), (400, -32600, Value::Null), "a session that does not count has no batches");
    assert_eq!(stage.hits(), 0);
}

#[tokio::test]
async fn what_is_no_message_is_refused() {
    let service = service();
    for (body, code) in [
        ("garbage", -32700),
        ("", -32700),
        ("{\"jsonrpc\":", -32700),
        ("42", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, -32600),
    ] {
        for ask in [Ask::post(body), Ask::post(body).header("accept", "text/event-stream")] {
            assert_eq!(error(&ask.of(&service).await), (400, code, Value::Null), "{body}");
        }
    }
}

#[tokio::test]
async fn a_session_answers_unknown_methods_as_json_rpc_does() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    assert_eq!(error(&session.ask(1, "foo/bar", json!({})).of(&service).await), (200, -32601, json!(1)));
    assert_eq!(error(&session.ask(2, "tools/list", json!([])).of(&service).await), (200, -32602, json!(2)));
    let ping = session.ask(3, "ping", json!({})).of(&service).await;
    assert_eq!(ping.json(), json!({"jsonrpc": "2.0", "id": 3, "result": {}}));
}

#[tokio::test]
async fn methods_that_there_are_not_are_named_as_such() {
    let both = service();
    let stateless = server(&Stage::new()).sessions(false).into_service().unwrap();
    for method in [Method::PUT, Method::OPTIONS, Method::HEAD, Method::PATCH] {
        let reply = Ask::new(method.clone()).of(&both).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, POST, DELETE")), "{method}");
    }
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let reply = Ask::new(method.clone()).of(&stateless).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
    }
    for method in [Method::GET, Method::DELETE] {
        let ask = Ask::new(method.clone()).header("mcp-protocol-version", "2026-07-28").header("mcp-session-id", "x");
        let reply = ask.of(&both).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
        assert_eq!(Ask::new(method).of(&both).await.status, 400);
    }
    let html = Ask::new(Method::GET).header("accept", "text/html").of(&both).await;
    assert_eq!(html.status, 406);
}

#[tokio::test]
async fn a_session_id_means_nothing_in_the_stateless_era() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for id in [session.id.as_str(), "unknown", ""] {
        let call = Ask::call(1, "echo", json!({"text": "x"})).header("mcp-session-id", id).header("last-event-id", "1");
        let reply = call.of(&service).await;
        assert_eq!((reply.status, reply.text()), (200, "x".to_owned()));
        assert_eq!(reply.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn without_sessions_old_clients_learn_what_they_would_have_to_speak() {
    let service = server(&Stage::new()).sessions(false).into_service().unwrap();
    let reply = Ask::initialize("2025-11-25").of(&service).await;
    assert_eq!(error(&reply), (400, -32022, json!("i")));
    assert_eq!(reply.json()["error"]["data"], json!({"supported": ["2026-07-28"], "requested": "2025-11-25"}));
    assert_eq!(reply.header("mcp-session-id"), None);
    let list = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).header("mcp-session-id", "x");
    assert_eq!(error(&list.of(&service).await), (400, -32602, json!(1)));
    assert_eq!(Ask::call(1, "echo", json!({"text": "x"})).of(&service).await.text(), "x");
}

#[tokio::test]
async fn a_panic_costs_its_own_request_only() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for tool in ["boom", "boom_later"] {
        for ask in [Ask::call(1, tool, json!({})), session.call(1, tool, json!({}))] {
            let reply = ask.of(&service).await;
            assert_eq!(error(&reply), (200, -32603, json!(1)), "{tool}");
            assert!(!reply.body.contains(SECRET));
        }
    }
    assert_eq!(session.call(1, "echo", json!({"text": "x"})).of(&service).await.text(), "x");
}
