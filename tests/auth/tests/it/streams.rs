//! Streams on which a server tells of changes: for how long, and of what.

use super::fixture::{RESOURCE, eager, server, token};
use http_body_util::BodyExt as _;
use mcp_auth_tests::{Ask, Issuer, Key, Reply, events, now};
use mcp_runtime::{Authorization, HttpBody, HttpService, ServerHandle};
use serde_json::{Value, json};
use tower_service::Service as _;

struct Stage {
    issuer: Issuer,
    key: Key,
    service: HttpService,
    handle: ServerHandle,
}

async fn stage() -> Stage {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let verifier = eager(&issuer).leeway(std::time::Duration::ZERO);
    let server = server().authorization(Authorization::new(RESOURCE, verifier)).build().expect("it builds");
    let handle = server.handle();
    Stage { issuer, key, service: server.into_service(), handle }
}

impl Stage {
    fn token(&self, scope: &str) -> String {
        token(&self.issuer, &self.key, scope)
    }

    /// A token that is good for two or three seconds.
    fn short(&self) -> String {
        let mut claims = self.issuer.claims(RESOURCE);
        claims["exp"] = (now() + 3).into();
        self.key.token(&claims)
    }

    async fn session(&self, scope: &str) -> String {
        let opened = Ask::initialize().token(&self.token(scope)).of(&self.service).await;
        let session = opened.header("mcp-session-id").expect("a session").to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let reply = Ask::post(&ready).in_session(&session).token(&self.token(scope)).of(&self.service).await;
        assert_eq!(reply.status, 202);
        session
    }

    async fn subscribe(&self, session: &str, uri: &str, scope: &str) {
        let message = json!({"jsonrpc": "2.0", "id": uri, "method": "resources/subscribe", "params": {"uri": uri}});
        let reply = Ask::post(&message).in_session(session).token(&self.token(scope)).of(&self.service).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
    }

    async fn listen(&self, session: &str, token: &str) -> HttpBody {
        let get = Ask::new(http::Method::GET).header("accept", "text/event-stream").in_session(session).token(token);
        let response = get.start(&self.service).await;
        assert_eq!(response.status(), 200);
        response.into_body()
    }
}

/// The messages of a stream until there are as many, or it ends.
async fn messages(body: &mut HttpBody, count: usize) -> Vec<Value> {
    let mut got = Vec::new();
    while got.len() < count {
        let Some(frame) = body.frame().await else { break };
        let piece = frame.expect("a stream").into_data().expect("data");
        got.extend(events(std::str::from_utf8(&piece).expect("text")));
    }
    got
}

fn uris(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(|message| message["params"]["uri"].as_str()).collect()
}

#[tokio::test]
async fn a_stream_tells_only_of_what_its_own_token_allows() {
    let stage = stage().await;
    let session = stage.session("read write").await;
    stage.subscribe(&session, "notes://1", "read write").await;
    stage.subscribe(&session, "notes://index", "read write").await;
    for (scope, expected) in [
        ("read write", vec!["notes://1", "notes://index"]),
        ("read", vec!["notes://index"]),
        ("read write", vec!["notes://1", "notes://index"]),
    ] {
        let mut body = stage.listen(&session, &stage.token(scope)).await;
        stage.handle.resource_updated("notes://1");
        stage.handle.resource_updated("notes://index");
        assert_eq!(uris(&messages(&mut body, expected.len()).await), expected, "{scope}");
    }
}

#[tokio::test]
async fn a_standing_stream_ends_with_its_token_and_the_session_goes_on() {
    let stage = stage().await;
    let session = stage.session("read").await;
    let mut body = stage.listen(&session, &stage.short()).await;
    assert!(messages(&mut body, usize::MAX).await.is_empty(), "it ends by itself");
    stage.subscribe(&session, "notes://index", "read").await;
    let mut body = stage.listen(&session, &stage.token("read")).await;
    stage.handle.resource_updated("notes://index");
    assert_eq!(uris(&messages(&mut body, 1).await), ["notes://index"]);
}

#[tokio::test]
async fn a_subscription_ends_in_order_when_its_token_does() {
    let stage = stage().await;
    let wanted =
        json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": ["notes://index", "notes://1"]}});
    let ask = Ask::stateless("subscriptions/listen", wanted).token(&stage.short());
    let mut body = ask.start(&stage.service).await.into_body();
    let first = messages(&mut body, 1).await;
    let honoured = first[0]["params"]["notifications"]["resourceSubscriptions"].clone();
    assert_eq!(honoured, json!(["notes://index"]), "{first:?}");
    let rest = messages(&mut body, usize::MAX).await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0]["result"].is_object() && rest[0]["id"] == 1, "the result ends it: {rest:?}");
}

/// HTTP+SSE: the stream is the session.
async fn open_sse(stage: &Stage, token: &str) -> (HttpBody, String) {
    let ask = Ask::new(http::Method::GET).at("/sse").header("accept", "text/event-stream").token(token);
    let response = stage.service.sse().call(ask.request()).await.unwrap_or_else(|never| match never {});
    assert_eq!(response.status(), 200);
    let mut body = response.into_body();
    let first = body.frame().await.expect("a stream").expect("a frame").into_data().expect("data");
    let first = String::from_utf8(first.to_vec()).expect("text");
    let place = first.lines().find_map(|line| line.strip_prefix("data: ")).expect("where messages go");
    (body, format!("/{place}"))
}

#[tokio::test]
async fn what_a_token_does_not_allow_is_refused_where_it_is_sent() {
    let stage = stage().await;
    let (mut body, place) = open_sse(&stage, &stage.token("read")).await;
    let send = async |message: Value, token: String| {
        let ask = Ask::post(&message).at(&place).token(&token);
        Reply::read(stage.service.sse().call(ask.request()).await.unwrap_or_else(|never| match never {})).await
    };
    let client = json!({"name": "t", "version": "0"});
    let params = json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    assert_eq!(send(initialize, stage.token("read")).await.status, 202);
    assert_eq!(messages(&mut body, 1).await[0]["id"], 1);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "write_notes"}});
    let reply = send(call.clone(), stage.token("read")).await;
    let challenge = reply.header("www-authenticate").expect("a challenge");
    assert!(reply.status == 403 && challenge.contains("scope=\"read write\""), "{challenge}");
    let mut claims = stage.issuer.claims(RESOURCE);
    claims["sub"] = "eve".into();
    assert_eq!(send(call.clone(), stage.key.token(&claims)).await.status, 404, "somebody else's stream");
    assert_eq!(send(call, stage.token("read write")).await.status, 202);
    assert_eq!(messages(&mut body, 1).await[0]["result"]["content"][0]["text"], "written");
}

#[tokio::test]
async fn a_stream_of_http_with_sse_ends_with_its_token() {
    let stage = stage().await;
    let (mut body, _) = open_sse(&stage, &stage.short()).await;
    assert!(messages(&mut body, usize::MAX).await.is_empty(), "it ends by itself");
}
