//! Limits that HTTP tells by a status of its own.

use super::ask::{Ask, Session};
use super::fixture::{Stage, server};
use crate::Principal;
use serde_json::json;

#[tokio::test]
async fn who_finds_no_place_among_the_calls_gets_a_503_and_others_go_on() {
    let stage = Stage::new();
    let service = server(&stage).max_calls(2).max_calls_per_peer(1).into_service().unwrap();
    let reply = Ask::initialize("2025-11-25").of(&service).await;
    let session = Session { id: reply.session(), version: "2025-11-25".to_owned() };
    let mut holding = Vec::new();
    let held = session.call(1, "hold", json!({}));
    holding.push(tokio::spawn({
        let service = service.clone();
        async move { held.of(&service).await }
    }));
    stage.started().await;
    // In a session, errors are looked for in the body.
    let refused = session.call(2, "bump", json!({})).of(&service).await;
    assert_eq!((refused.status, refused.code()), (200, -32603), "the limit of the session");
    assert_eq!(Ask::call(3, "echo", json!({"text": "x"})).of(&service).await.text(), "x", "another peer");
    holding.push(tokio::spawn({
        let service = service.clone();
        async move { Ask::call(4, "hold", json!({})).of(&service).await }
    }));
    stage.started().await;
    let refused = Ask::call(5, "bump", json!({})).of(&service).await;
    assert_eq!((refused.status, refused.code(), &refused.json()["id"]), (503, -32603, &json!(5)));
    assert_eq!(stage.hits(), 0, "what is refused has not begun");
    assert_eq!(Ask::stateless(6, "tools/list", json!({})).of(&service).await.status, 200);
    stage.go();
    stage.go();
    for held in holding {
        assert_eq!(held.await.unwrap().text(), "held");
    }
    assert_eq!(Ask::call(7, "echo", json!({"text": "x"})).of(&service).await.text(), "x");
}

#[tokio::test]
async fn a_principal_listens_to_only_so_many_streams() {
    let service = server(&Stage::new()).max_subscriptions_per_peer(2).max_subscriptions(4).into_service().unwrap();
    let listen = |name: Option<&'static str>| {
        let ask = Ask::stateless(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
        let mut request = ask.request();
        if let Some(name) = name {
            request.extensions_mut().insert(Principal::new(name));
        }
        let mut service = service.clone();
        async move {
            use tower_service::Service as _;
            service.call(request).await.unwrap_or_else(|never| match never {})
        }
    };
    let streams = [listen(Some("ada")).await, listen(Some("ada")).await];
    assert!(streams.iter().all(|stream| stream.status() == 200));
    assert_eq!(listen(Some("ada")).await.status(), 503);
    let others = [listen(Some("bob")).await, listen(None).await];
    assert!(others.iter().all(|stream| stream.status() == 200));
    assert_eq!(listen(None).await.status(), 503, "there are four");
    drop(streams);
    assert_eq!(listen(Some("ada")).await.status(), 200);
}

#[tokio::test]
async fn the_target_of_a_request_has_only_so_many_bytes() {
    let service = server(&Stage::new()).max_uri_size(100).into_service().unwrap();
    let at = |bytes: usize| Ask::call(1, "echo", json!({"text": "x"})).at(&format!("/{}", "a".repeat(bytes - 1)));
    assert_eq!(at(100).of(&service).await.status, 200);
    assert_eq!(at(101).of(&service).await.status, 414);
    assert_eq!(
        at(100).at(&format!("/mcp?{}", "a".repeat(96))).of(&service).await.status,
        414,
        "the query is part of it"
    );
}
