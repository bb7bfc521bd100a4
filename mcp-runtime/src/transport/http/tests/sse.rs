//! HTTP+SSE from outside.

use super::ask::{Ask, Reply, events};
use super::fixture::{Stage, server, within};
use super::wire::{Served, exchange, read_chunk, read_head};
use crate::transport::http::HttpBody;
use crate::transport::sse::SseService;
use crate::{Principal, Server};
use axum::Router;
use bytes::Bytes;
use http::{Method, Request, Response};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tower_service::Service;

fn service(server: Server) -> SseService {
    server.into_service().unwrap().sse()
}

fn get() -> Ask {
    Ask::new(Method::GET).header("accept", "text/event-stream").at("/sse")
}

async fn of<S, B>(ask: Ask, service: &S) -> Reply
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone,
    S::Error: std::fmt::Debug,
    B: Body<Data = Bytes, Error: std::fmt::Debug>,
{
    Reply::read(service.clone().call(ask.request()).await.unwrap()).await
}

/// An open stream.
struct Stream {
    body: HttpBody,
    target: String,
}

impl Stream {
    async fn open(service: &SseService) -> Self {
        Stream::read(service.clone().call(get().request()).await.unwrap()).await
    }

    async fn read(response: Response<HttpBody>) -> Self {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let mut stream = Stream { body: response.into_body(), target: String::new() };
        let first = stream.next().await.unwrap();
        let target = first.strip_prefix("event: endpoint\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
        target.expect("the endpoint comes first").clone_into(&mut stream.target);
        stream
    }

    /// The stream of a session after its handshake.
    async fn settled(service: &SseService, version: &str) -> Self {
        let mut stream = Stream::open(service).await;
        let body = Ask::initialize(version).body;
        assert_eq!(stream.post(service, std::str::from_utf8(&body).unwrap()).await.status, 202);
        assert_eq!(stream.message().await["result"]["protocolVersion"], version);
        stream.post(service, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        stream
    }

    /// The next piece of the stream; `None` at its end.
    async fn next(&mut self) -> Option<String> {
        let frame = within(self.body.frame()).await?.unwrap().into_data().unwrap();
        Some(String::from_utf8(frame.to_vec()).unwrap())
    }

    /// The next message, which comes alone.
    async fn message(&mut self) -> Value {
        let piece = self.next().await.expect("the stream goes on");
        assert!(!piece.contains("id: ") && !piece.contains("retry:"), "{piece}");
        let mut messages = events(&piece);
        assert_eq!(messages.len(), 1, "{piece}");
        messages.remove(0)
    }

    /// Sends a message to where the server wants it.
    async fn post(&self, service: &SseService, body: impl ToString) -> Reply {
        of(Ask::post(body).at(&format!("/{}", self.target)), service).await
    }

    async fn call(&self, service: &SseService, id: u32, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": 7}});
        let body = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let reply = self.post(service, body).await;
        assert_eq!((reply.status, reply.body.as_str()), (202, ""));
    }
}

#[tokio::test]
async fn answers_and_notifications_come_on_the_stream() {
    let service = service(server(&Stage::new()));
    let mut stream = Stream::settled(&service, "2024-11-05").await;
    stream.call(&service, 1, "echo", json!({"text": "x"})).await;
    let answer = stream.message().await;
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(1), &json!("x")));
    stream.call(&service, 2, "nap", json!({"ms": 1})).await;
    assert_eq!(stream.message().await["result"]["content"][0]["text"], "slept");
    stream.call(&service, 3, "steps", json!({"k": 2})).await;
    let messages = events(&stream.next().await.unwrap());
    assert_eq!(messages.len(), 3);
    assert_eq!((&messages[0]["method"], &messages[2]["id"]), (&json!("notifications/progress"), &json!(3)));
    let subscribe =
        json!({"jsonrpc": "2.0", "id": 4, "method": "resources/subscribe", "params": {"uri": "notes://index"}});
    stream.post(&service, subscribe).await;
    assert_eq!(stream.message().await["result"], json!({}));
    stream.call(&service, 5, "touch", json!({})).await;
    let mut messages = Vec::new();
    while messages.len() < 2 {
        messages.extend(events(&stream.next().await.unwrap()));
    }
    let news = |message: &&Value| message["method"] == "notifications/resources/updated";
    assert_eq!(messages.iter().filter(news).count(), 1, "{messages:?}");
    let unknown = json!({"jsonrpc": "2.0", "id": 6, "method": "foo/bar"});
    assert_eq!(stream.post(&service, unknown).await.status, 202);
    assert_eq!(stream.message().await["error"]["code"], -32601);
}

#[tokio::test]
async fn the_endpoint_leads_to_the_messages_wherever_the_stream_is_mounted() {
    let at = async |mut router: Router, path: &str| {
        let ask = get().at(path).header("x-forwarded-host", "evil.example").header("x-forwarded-proto", "https");
        let mut body = router.call(ask.request()).await.unwrap().into_body();
        let first = within(body.frame()).await.unwrap().unwrap().into_data().unwrap();
        let first = String::from_utf8(first.to_vec()).unwrap();
        let target = first.strip_prefix("event: endpoint\ndata: ").unwrap().trim_end().to_owned();
        assert!(!target.contains("://") && !target.starts_with("//") && !target.contains("evil"), "{target}");
        // As RFC 3986, section 5.2.3, has it.
        let resolved = match target.starts_with('/') {
            true => target,
            false => format!("{}/{target}", path.rsplit_once('/').unwrap().0),
        };
        let ask = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).at(&resolved);
        let reply = Reply::read(router.call(ask.request()).await.unwrap()).await;
        assert_eq!((reply.status, reply.header("location")), (202, None), "{resolved}");
        resolved
    };
    let plain = || service(server(&Stage::new()));
    let prefixed = |prefix: &str| service(server(&Stage::new()).sse_prefix(prefix));
    assert!(at(Router::new().fallback_service(plain()), "/sse").await.starts_with("/messages?sessionId="));
    assert!(at(Router::new().nest_service("/x", plain()), "/x/sse").await.starts_with("/x/messages?"));
    let nested = Router::new().nest("/a", Router::new().nest_service("/b", plain()));
    assert!(at(nested, "/a/b/sse").await.starts_with("/a/b/messages?"));
    let service = plain();
    let routed = Router::new().route_service("/x/sse", service.clone()).route_service("/x/messages", service);
    assert!(at(routed, "/x/sse").await.starts_with("/x/messages?"));
    for prefix in ["/x", "/x/"] {
        let resolved = at(Router::new().nest_service("/x", prefixed(prefix)), "/x/sse").await;
        assert!(resolved.starts_with("/x/messages?"), "{resolved}");
    }
    for prefix in ["x", "//evil.example", "https://evil.example", "/x y", "/x\n", "/x?y", "/x//y"] {
        let error = server(&Stage::new()).sse_prefix(prefix).build().unwrap_err().to_string();
        assert!(error.contains("sse_prefix"), "{error}");
    }
}

#[tokio::test]
async fn what_is_no_message_of_a_session_is_refused() {
    let http = server(&Stage::new()).max_body_size(10_000).into_service().unwrap();
    let service = http.sse();
    let mut stream = Stream::settled(&service, "2024-11-05").await;
    let target = format!("/{}", stream.target);
    let id = target.rsplit('=').next().unwrap().to_owned();
    let ping = || Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).at(&target);
    let streamable = super::ask::Session::open(&http, "2025-11-25").await;
    for (ask, status) in [
        (ping().at("/messages"), 400),
        (ping().at("/messages?sessionId="), 404),
        (ping().at(&format!("/messages?sessionId={}", "0".repeat(32))), 404),
        (ping().at(&format!("/messages?sessionId={}", streamable.id)), 404),
        (ping().at(&format!("{target}&sessionId={id}")), 400),
        (ping().header("host", "evil.example"), 403),
        (ping().header("origin", "https://evil.example"), 403),
        (get().header("host", "evil.example"), 403),
        (get().header("origin", "https://evil.example"), 403),
        (get().header("accept", "application/json"), 406),
        (ping().header("content-type", "text/plain"), 415),
        (Ask { body: " ".repeat(10_001).into(), ..ping() }, 413),
        (Ask { body: "{".into(), ..ping() }, 400),
        (Ask { body: b"\xff".as_slice().into(), ..ping() }, 400),
        (ping().header("mcp-protocol-version", "banana"), 400),
        (Ask::call(1, "echo", json!({"text": "x"})).at(&target), 400),
        (Ask { method: Method::GET, ..ping() }, 405),
        (Ask { method: Method::POST, ..get() }, 405),
        (ping().at("/"), 404),
        (ping().at("/mcp"), 404),
    ] {
        assert_eq!(of(ask.clone(), &service).await.status, status, "{ask:?}");
    }
    // And the other way round.
    let stolen = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).header("mcp-session-id", &id);
    assert_eq!(stolen.of(&http).await.status, 404);
    assert_eq!(of(ping(), &service).await.status, 202);
    assert_eq!(stream.message().await["id"], 1, "nothing of all that is on the stream");
}

#[tokio::test]
async fn a_session_ends_with_its_stream() {
    let stage = Stage::new();
    let http = server(&stage).into_service().unwrap();
    let service = http.sse();
    let mut stream = Stream::settled(&service, "2024-11-05").await;
    stream.call(&service, 1, "hold", json!({})).await;
    assert_eq!(stream.message().await["method"], "notifications/progress");
    let target = format!("/{}", stream.target);
    drop(stream);
    assert!(!stage.ended().await, "the function ran to its end");
    let ping = Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).at(&target);
    assert_eq!(of(ping, &service).await.status, 404);
    assert_eq!(http.shared.sessions.as_ref().unwrap().count(), 0);
}

#[tokio::test]
async fn sessions_do_not_mix_and_are_counted_together() {
    let http = server(&Stage::new()).max_sessions(2).into_service().unwrap();
    let service = http.sse();
    let (mut one, mut other) =
        (Stream::settled(&service, "2024-11-05").await, Stream::settled(&service, "2025-11-25").await);
    assert_eq!(of(get(), &service).await.status, 503);
    assert_eq!(Ask::initialize("2025-11-25").of(&http).await.status, 503);
    for id in 1..=50 {
        one.call(&service, id, "later_echo", json!({"text": format!("one {id}")})).await;
        other.call(&service, id, "later_echo", json!({"text": format!("other {id}")})).await;
    }
    for (stream, name) in [(&mut one, "one"), (&mut other, "other")] {
        let mut messages = Vec::new();
        while messages.len() < 50 {
            messages.extend(events(&stream.next().await.unwrap()));
        }
        for message in messages {
            assert_eq!(message["result"]["content"][0]["text"], format!("{name} {}", message["id"]));
        }
    }
}

#[tokio::test]
async fn a_stream_is_for_the_principal_that_opened_it() {
    let service = service(server(&Stage::new()));
    let by = |ask: Ask, name: &str| {
        let mut request = ask.request();
        request.extensions_mut().insert(Principal::new(name));
        request
    };
    let mut stream = Stream::read(service.clone().call(by(get(), "ada")).await.unwrap()).await;
    let ping = || Ask::post(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).at(&format!("/{}", stream.target));
    assert_eq!(of(ping(), &service).await.status, 404);
    assert_eq!(service.clone().call(by(ping(), "bob")).await.unwrap().status(), 404);
    assert_eq!(service.clone().call(by(ping(), "ada")).await.unwrap().status(), 202);
    assert_eq!(stream.message().await["id"], 1);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_not_listened_to() {
    let service = service(server(&Stage::new()));
    let mut stream = Stream::settled(&service, "2024-11-05").await;
    let mut taken = 0;
    while stream.post(&service, json!({"jsonrpc": "2.0", "id": taken, "method": "ping"})).await.status == 202 {
        taken += 1;
        assert!(taken < 10_000, "there is a bound");
    }
    let mut messages = Vec::new();
    while messages.len() < taken {
        messages.extend(events(&stream.next().await.unwrap()));
    }
    let reply = stream.post(&service, json!({"jsonrpc": "2.0", "id": "x", "method": "ping"})).await;
    assert_eq!(reply.status, 202, "now that it has read");
}

#[tokio::test]
async fn a_quiet_stream_says_that_it_is_alive() {
    tokio::time::pause();
    let service = service(server(&Stage::new()));
    let mut stream = Stream::open(&service).await;
    for _ in 0..3 {
        assert!(stream.next().await.unwrap().starts_with(':'));
    }
}

#[tokio::test]
async fn the_listener_serves_both_and_lets_calls_end() {
    let stage = Stage::new();
    let mut served = Served::start(server(&stage)).await;
    let mut stream = served.connect().await;
    stream.write_all(&get().bytes()).await.unwrap();
    assert_eq!(within(read_head(&mut stream)).await.0, 200);
    let first = String::from_utf8(within(read_chunk(&mut stream)).await.unwrap()).unwrap();
    let target = first.strip_prefix("event: endpoint\ndata: ").unwrap().trim_end().to_owned();
    let mut other = served.connect().await;
    let body = Ask::initialize("2024-11-05").body;
    let post = |body: Bytes| Ask { body, ..Ask::post("").at(&format!("/{target}")) };
    assert_eq!(exchange(&mut other, &post(body)).await.status, 202);
    within(read_chunk(&mut stream)).await.unwrap();
    let params = json!({"name": "hold", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    assert_eq!(exchange(&mut other, &post(call.to_string().into())).await.status, 202);
    stage.started().await;
    assert_eq!(exchange(&mut other, &Ask::call(2, "echo", json!({"text": "x"}))).await.text(), "x");
    served.stop.cancel();
    stage.go();
    let answer = String::from_utf8(within(read_chunk(&mut stream)).await.unwrap()).unwrap();
    assert_eq!(events(&answer)[0]["result"]["content"][0]["text"], "held");
    assert_eq!(within(read_chunk(&mut stream)).await, None, "the stream ends when nothing is under way");
    within(&mut served.task).await.unwrap();
}
