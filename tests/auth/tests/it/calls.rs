//! What a token allows: what is listed, what can be called, and what is answered otherwise.

use super::fixture::{METADATA, RESOURCE, eager, server, service, stage, token};
use mcp_auth_tests::{Ask, Issuer, Key};
use mcp_runtime::{Authorization, CallResponse, TokenVerifier};
use serde_json::{Value, json};
use std::time::Duration;

fn insufficient(scopes: &str) -> String {
    let error = "error=\"insufficient_scope\", error_description=\"the token does not allow this\"";
    format!("Bearer {error}, {METADATA}, scope=\"{scopes}\"")
}

#[tokio::test]
async fn a_function_sees_the_principal_and_not_the_token() {
    let (issuer, key, service) = stage().await;
    let token = token(&issuer, &key, "read");
    let reply = Ask::call("read_notes").token(&token).of(&service).await;
    assert_eq!(reply.text(), "ada@example.com, no header, true");
    assert_eq!(Ask::call("is_known").token(&token).of(&service).await.text(), "true");
}

#[test]
fn over_other_transports_nobody_is_known() {
    let mut client = server().build().expect("it builds").connect();
    let mut call = |name: &str| {
        let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}});
        let params = json!({"name": name, "_meta": meta});
        client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
        let answer: Value = serde_json::from_str(&client.try_receive().expect("an answer")).expect("JSON");
        (answer["result"]["isError"] == true, answer["result"]["content"][0]["text"].as_str().map(str::to_owned))
    };
    assert_eq!(call("is_known"), (false, Some("false".to_owned())));
    let (failed, text) = call("whoami");
    assert!(failed && text.is_some_and(|text| text.contains("who calls")));
}

#[tokio::test]
async fn lists_show_what_the_token_may_use() {
    let (issuer, key, service) = stage().await;
    for (scopes, expected) in [
        ("", vec!["is_known", "whoami"]),
        ("read", vec!["is_known", "read_notes", "whoami"]),
        ("write read", vec!["is_known", "read_notes", "whoami", "write_notes"]),
    ] {
        let list =
            Ask::stateless("tools/list", json!({})).token(&token(&issuer, &key, scopes)).of(&service).await.json();
        let names: Vec<&str> = list["result"]["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(names, expected, "{scopes}");
    }
}

#[tokio::test]
async fn what_the_token_does_not_allow_is_a_403_that_names_all_it_takes() {
    let (issuer, key, service) = stage().await;
    for (ask, scopes) in [
        (Ask::call("write_notes"), "read write"),
        (Ask::stateless("resources/read", json!({"uri": "notes://1"})), "write"),
        (Ask::stateless("prompts/get", json!({"name": "draft"})), "write"),
    ] {
        let reply = ask.token(&token(&issuer, &key, "read")).of(&service).await;
        assert_eq!(reply.refusal(), (403, Some(&*insufficient(scopes))));
        assert_eq!((reply.json()["id"].clone(), reply.json()["error"]["code"].clone()), (json!(1), json!(-32600)));
    }
    let index = Ask::stateless("resources/read", json!({"uri": "notes://index"}));
    assert_eq!(index.token(&token(&issuer, &key, "read")).of(&service).await.status, 200);
    let reply = Ask::call("no_such_tool").token(&token(&issuer, &key, "read")).of(&service).await;
    assert_eq!(
        (reply.status, reply.json()["error"]["code"].clone()),
        (200, json!(-32602)),
        "what there is not is no matter of scopes"
    );
    assert_eq!(
        Ask::call("write_notes").token(&token(&issuer, &key, "write read")).of(&service).await.text(),
        "written"
    );
}

#[tokio::test]
async fn a_layer_can_ask_for_a_better_token() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let server = server().around(|request, next| async move {
        match request.principal().is_some_and(|principal| principal.has_scope("now")) {
            true => Ok::<_, String>(next.run(request).await),
            false => Ok(CallResponse::insufficient_scope(["now"])),
        }
    });
    let service = server.authorization(Authorization::new(RESOURCE, eager(&issuer))).into_service().expect("it builds");
    let reply = Ask::call("whoami").token(&token(&issuer, &key, "read")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*insufficient("now"))));
    assert_eq!(Ask::call("whoami").token(&token(&issuer, &key, "now")).of(&service).await.status, 200);
}

#[tokio::test]
async fn a_broader_scope_has_what_it_implies() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let authorization = Authorization::new(RESOURCE, eager(&issuer));
    let authorization = authorization.scope_implies("admin", ["write"]).scope_implies("write", ["read", "admin"]);
    let service = server().authorization(authorization).into_service().expect("it builds");
    for scopes in ["admin", "write"] {
        assert_eq!(Ask::call("write_notes").token(&token(&issuer, &key, scopes)).of(&service).await.text(), "written");
    }
    assert_eq!(Ask::call("write_notes").token(&token(&issuer, &key, "read")).of(&service).await.status, 403);
}

#[tokio::test]
async fn a_session_is_for_one_subject_of_one_issuer_and_each_request_has_its_token() {
    let (issuer, key, service) = stage().await;
    let opened = Ask::initialize().token(&token(&issuer, &key, "read")).of(&service).await;
    assert_eq!(opened.status, 200, "{}", opened.body);
    let session = opened.header("mcp-session-id").expect("a session").to_owned();
    let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "read_notes"}});
    let call = || Ask::post(&message).in_session(&session);
    assert_eq!(call().of(&service).await.status, 401, "a session is no authentication");
    assert_eq!(
        call().token(&token(&issuer, &key, "read write")).of(&service).await.status,
        200,
        "a new token of the same"
    );
    let mut claims = issuer.claims(RESOURCE);
    claims["sub"] = "eve".into();
    assert_eq!(call().token(&key.token(&claims)).of(&service).await.status, 404, "somebody else's");
    let reply = call().token(&token(&issuer, &key, "")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*insufficient("read"))), "less than the token before it");
    let subscribe = json!({"jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": {"uri": "notes://1"}});
    let reply = Ask::post(&subscribe).in_session(&session).token(&token(&issuer, &key, "read")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*insufficient("write"))));
}

#[tokio::test]
async fn a_batch_is_refused_as_a_whole() {
    let (issuer, key, service) = stage().await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}});
    let opened = Ask::post(&body).token(&token(&issuer, &key, "")).of(&service).await;
    let session = opened.header("mcp-session-id").expect("a session").to_owned();
    let call =
        |id: u32, name: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}});
    let batch =
        |names: [&str; 2]| Ask::post(&json!([call(1, names[0]), call(2, names[1])])).header("mcp-session-id", &session);
    let reply = batch(["whoami", "read_notes"]).token(&token(&issuer, &key, "")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*insufficient("read"))));
    assert_eq!(batch(["whoami", "whoami"]).token(&token(&issuer, &key, "")).of(&service).await.status, 200);
}

#[tokio::test]
async fn two_issuers_with_the_same_subject_are_two_principals() {
    let (first_key, second_key) = (Key::new("k1", "ES256"), Key::new("k1", "EdDSA"));
    let (first, second) = (Issuer::start(&[&first_key]).await, Issuer::start(&[&second_key]).await);
    let verifiers: Vec<Box<dyn TokenVerifier>> = vec![Box::new(eager(&first)), Box::new(eager(&second))];
    let service = service(verifiers);
    for (issuer, key) in [(&first, &first_key), (&second, &second_key)] {
        let reply = Ask::call("whoami").token(&token(issuer, key, "")).of(&service).await;
        assert_eq!(reply.text(), format!("{} ada", issuer.url()));
    }
    let opened = Ask::initialize().token(&token(&first, &first_key, "")).of(&service).await;
    let session = opened.header("mcp-session-id").expect("a session").to_owned();
    let ping = Ask::post(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})).in_session(&session);
    assert_eq!(ping.clone().token(&token(&second, &second_key, "")).of(&service).await.status, 404);
    assert_eq!(ping.token(&token(&first, &first_key, "")).of(&service).await.status, 200);
    let mut late = second.claims(RESOURCE);
    late["exp"] = 1.into();
    let mut strange = second.claims(RESOURCE);
    strange["iss"] = "https://evil.example.com".into();
    for (token, reason) in [
        (second_key.token(&late), "the token has expired"),
        (second_key.token(&strange), "the token is of another issuer"),
        (second_key.token(&first.claims(RESOURCE)), "the token names no key of its issuer"),
        ("junk".to_owned(), "the token is no signed JWT"),
    ] {
        let reply = Ask::call("whoami").token(&token).of(&service).await;
        let challenge = format!("Bearer error=\"invalid_token\", error_description=\"{reason}\", {METADATA}");
        assert_eq!(reply.refusal(), (401, Some(&*challenge)));
    }
}

#[tokio::test]
async fn a_cursor_shows_nobody_more_than_the_token_does() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let authorization = Authorization::new(RESOURCE, eager(&issuer));
    let service = server().page_size(1).authorization(authorization).into_service().expect("it builds");
    let (all, little) = (token(&issuer, &key, "read write"), token(&issuer, &key, ""));
    let page = async |cursor: &Value, token: &str| {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        Ask::stateless("tools/list", params).token(token).of(&service).await.json()
    };
    let (mut cursor, mut names) = (json!(null), Vec::new());
    loop {
        let whole = page(&cursor, &all).await;
        names.push(whole["result"]["tools"][0]["name"].as_str().expect("a name").to_owned());
        let part = page(&cursor, &little).await;
        let shown = part["result"]["tools"].as_array().cloned().unwrap_or_default();
        assert!(shown.iter().all(|tool| tool["name"] == "is_known" || tool["name"] == "whoami"), "{part}");
        cursor = whole["result"]["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(names, ["is_known", "read_notes", "whoami", "write_notes"]);
}

#[tokio::test]
async fn what_is_made_for_one_caller_is_for_no_cache_of_others() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let authorization = Authorization::new(RESOURCE, eager(&issuer));
    let server = server().caching(Duration::from_secs(60), true).authorization(authorization);
    let service = server.into_service().expect("it builds");
    for (uri, scope) in [("own://name", "private"), ("common://word", "public"), ("notes://index", "private")] {
        let read = Ask::stateless("resources/read", json!({"uri": uri})).token(&token(&issuer, &key, "read"));
        assert_eq!(read.of(&service).await.json()["result"]["cacheScope"], scope, "{uri}");
    }
}
