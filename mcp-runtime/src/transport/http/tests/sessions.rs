use super::ask::{Ask, Session};
use super::fixture::{Stage, server, service, within};
use super::log::Log;
use crate::ForwardingHeader;
use crate::transport::http::HttpService;
use serde_json::json;
use std::collections::HashSet;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::advance;

const IDLE: Duration = Duration::from_secs(1);

fn count(service: &HttpService) -> usize {
    service.shared.sessions.as_ref().expect("sessions are on").count()
}

/// Lets the time pass in which sessions are looked after.
async fn pass(time: Duration) {
    advance(time).await;
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_session_lives_from_its_handshake_to_its_end() {
    let service = service();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = Session::open(&service, version).await;
        assert_eq!(session.call(1, "echo", json!({"text": "x"})).of(&service).await.text(), "x");
        let deleted = session.delete().of(&service).await;
        assert_eq!((deleted.status, deleted.body.as_str()), (204, ""));
        for ask in [
            session.ask(1, "tools/list", json!({})),
            session.post(json!({"jsonrpc": "2.0", "method": "notifications/x"})),
            session.post(json!({"jsonrpc": "2.0", "id": 1, "result": {}})),
            session.get(),
            session.delete(),
        ] {
            let reply = ask.clone().of(&service).await;
            assert_eq!((reply.status, reply.code()), (404, -32600), "{ask:?}");
        }
    }
    assert_eq!(count(&service), 0);
}

#[tokio::test]
async fn a_request_of_the_handshake_era_needs_a_session() {
    let service = service();
    let list = |version: &str| {
        Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).header("mcp-protocol-version", version)
    };
    let reply = list("2025-11-25").of(&service).await;
    assert_eq!((reply.status, reply.code()), (400, -32602));
    let reply = list("2025-11-25").without("mcp-protocol-version").of(&service).await;
    assert_eq!((reply.status, reply.code()), (400, -32602));
    let session = Session::open(&service, "2025-11-25").await;
    let twice = session.ask(1, "tools/list", json!({})).also("mcp-session-id", &session.id);
    assert_eq!(twice.of(&service).await.status, 400);
    for id in ["", "x", &session.id.to_uppercase(), &format!("+{}", &session.id[1..]), &"f".repeat(33)] {
        if id != session.id {
            let reply = list("2025-11-25").header("mcp-session-id", id).of(&service).await;
            assert_eq!(reply.status, 404, "{id:?}");
        }
    }
}

#[tokio::test]
async fn a_handshake_that_fails_opens_nothing() {
    let service = service();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}});
    let reply = Ask::post(body).of(&service).await;
    assert_eq!((reply.status, reply.code(), reply.header("mcp-session-id")), (200, -32602, None));
    let params = json!({"protocolVersion": "2025-11-25", "clientInfo": {"name": "x".repeat(300_000), "version": "0"}});
    let large = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    assert_eq!(large.of(&service).await.status, 413);
    assert_eq!(count(&service), 0);
}

#[tokio::test]
async fn ids_are_long_visible_and_never_the_same() {
    let service = service();
    let mut ids = HashSet::new();
    for _ in 0..100 {
        let id = Ask::initialize("2025-11-25").of(&service).await.session();
        assert!(id.len() >= 22 && id.bytes().all(|b| (0x21..=0x7e).contains(&b)), "{id}");
        assert!(ids.insert(id));
    }
}

#[tokio::test]
async fn a_stale_id_does_not_hinder_a_new_handshake() {
    let service = service();
    let reply = Ask::initialize("2025-11-25").header("mcp-session-id", "stale").of(&service).await;
    assert_eq!(reply.status, 200);
    assert_ne!(reply.session(), "stale");
}

#[tokio::test(start_paused = true)]
async fn sessions_that_rest_are_ended_and_leave_nothing_behind() {
    let service = server(&Stage::new()).session_idle_timeout(IDLE).into_service().unwrap();
    let tasks = Handle::current().metrics().num_alive_tasks();
    for _ in 0..2_000 {
        Ask::initialize("2025-11-25").of(&service).await;
    }
    let session = Session::open(&service, "2025-11-25").await;
    assert_eq!(count(&service), 2_001);
    pass(IDLE * 3 / 4).await;
    assert_eq!(session.call(1, "echo", json!({"text": "x"})).of(&service).await.status, 200);
    pass(IDLE * 3 / 4).await;
    assert_eq!(count(&service), 1, "the one that was used is still there");
    pass(IDLE * 2).await;
    assert_eq!(count(&service), 0);
    assert_eq!(session.call(1, "echo", json!({"text": "x"})).of(&service).await.status, 404);
    assert_eq!(Handle::current().metrics().num_alive_tasks(), tasks);
    Session::open(&service, "2025-11-25").await;
    pass(IDLE * 2).await;
    assert_eq!(count(&service), 0, "the next session is looked after as well");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_is_dropped_leaves_no_task() {
    let tasks = Handle::current().metrics().num_alive_tasks();
    let service = service();
    Session::open(&service, "2025-11-25").await;
    pass(Duration::ZERO).await;
    assert!(Handle::current().metrics().num_alive_tasks() > tasks);
    drop(service);
    pass(Duration::ZERO).await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), tasks);
}

#[tokio::test(start_paused = true)]
async fn a_call_under_way_keeps_its_session() {
    let service = server(&Stage::new()).session_idle_timeout(IDLE).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    let reply = session.call(1, "nap", json!({"ms": 3_000})).of(&service).await;
    assert_eq!(reply.text(), "slept");
    pass(IDLE / 2).await;
    assert_eq!(session.call(1, "echo", json!({"text": "x"})).of(&service).await.text(), "x");
}

#[tokio::test(start_paused = true)]
async fn an_open_stream_keeps_its_session() {
    let service = server(&Stage::new()).session_idle_timeout(IDLE).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    let stream = session.get().start(&service).await;
    pass(IDLE * 5).await;
    assert_eq!(count(&service), 1);
    drop(stream);
    pass(IDLE * 2).await;
    assert_eq!(count(&service), 0);
}

#[tokio::test(start_paused = true)]
async fn there_are_only_so_many_sessions() {
    let server = server(&Stage::new()).max_sessions(2).session_idle_timeout(IDLE);
    let service = server.into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    Session::open(&service, "2025-11-25").await;
    let refused = Ask::initialize("2025-11-25").of(&service).await;
    assert_eq!((refused.status, refused.code()), (503, -32603));
    assert_eq!((refused.json()["id"].as_str(), refused.header("mcp-session-id")), (Some("i"), None));
    session.delete().of(&service).await;
    Session::open(&service, "2025-11-25").await;
    assert_eq!(Ask::initialize("2025-11-25").of(&service).await.status, 503);
    assert_eq!(Ask::call(1, "echo", json!({"text": "x"})).of(&service).await.status, 200, "nobody else is concerned");
    advance(IDLE).await;
    Session::open(&service, "2025-11-25").await;
}

#[tokio::test]
async fn an_address_has_only_its_part_of_the_sessions_without_names() {
    let log = Log::catch();
    let server = server(&Stage::new()).max_sessions(80).trusted_proxies(["10.0.0.7"], ForwardingHeader::XForwardedFor);
    let service = server.into_service().unwrap();
    let open = async |peer: &str, client: &str| {
        Ask::initialize("2025-11-25").header("x-forwarded-for", client).from(peer, &service).await
    };
    let mut last = String::new();
    for _ in 0..20 {
        last = open("192.0.2.1", "").await.session();
    }
    let told =
        || log.lines().iter().filter(|line| line.contains("trusted_proxies") && line.contains("192.0.2.1")).count();
    assert_eq!(told(), 0);
    for (peer, client, status) in [
        ("192.0.2.1", "", 503),
        ("192.0.2.1", "192.0.2.2", 503),
        ("10.0.0.7", "192.0.2.1", 503),
        ("10.0.0.7", "192.0.2.2", 200),
        ("192.0.2.3", "", 200),
    ] {
        let reply = open(peer, client).await;
        assert_eq!(reply.status, status, "{peer} for {client}");
        assert_eq!(reply.status == 503, reply.body.contains("too many sessions of this client"));
    }
    assert_eq!(told(), 1, "an operator is told once");
    for _ in 0..25 {
        assert_eq!(open("127.0.0.1", "").await.status, 200, "this machine has all that there is");
        assert_eq!(open("10.0.0.7", "").await.status, 200, "so has a proxy that does not say for whom it asks");
    }
    let session = Session { id: last, version: "2025-11-25".to_owned() };
    assert_eq!(session.delete().of(&service).await.status, 204);
    assert_eq!(open("192.0.2.1", "").await.status, 200, "what has ended is given back");
}

#[tokio::test]
async fn the_same_ids_in_two_sessions_never_mix() {
    let service = service();
    let (one, other) = (Session::open(&service, "2025-11-25").await, Session::open(&service, "2025-06-18").await);
    let mut calls = tokio::task::JoinSet::new();
    for id in 1..=200 {
        for session in [&one, &other] {
            let text = format!("{} {id}", session.id);
            // Every second call waits, so that both sessions have many under way at the same time.
            let call = match id % 2 {
                0 => session.call(id, "echo", json!({"text": text})),
                _ => session.watched_call(id, "later_echo", json!({"text": text})),
            };
            let service = service.clone();
            calls.spawn(async move {
                let reply = call.of(&service).await;
                assert_eq!((reply.json()["id"].as_u64(), reply.text()), (Some(id), text));
            });
        }
    }
    while let Some(call) = within(calls.join_next()).await {
        call.unwrap();
    }
}
