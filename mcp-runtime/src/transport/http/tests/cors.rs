//! What browsers are told, for pages of origins that are listed.

use super::ask::{Ask, Reply, Session};
use super::fixture::{Stage, server};
use super::wire::{Served, exchange};
use crate::Server;
use crate::transport::http::HttpService;
use http::Method;
use serde_json::json;

const PAGE: &str = "https://app.example.com";

fn shared() -> Server {
    server(&Stage::new()).allowed_origins([PAGE, "http://localhost:*"])
}

fn service() -> HttpService {
    shared().into_service().expect("the fixture builds")
}

fn preflight(origin: &str, headers: &str) -> Ask {
    Ask::new(Method::OPTIONS)
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", headers)
}

/// The names in a list of a header.
fn names(reply: &Reply, header: &str) -> Vec<String> {
    let list = reply.header(header).unwrap_or_default();
    list.split(',').map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty()).collect()
}

/// Which origin may read the response; checks what must be true of every response of a server with CORS.
fn reader(reply: &Reply) -> Option<&str> {
    assert_eq!(names(reply, "vary"), ["origin"], "{reply:?}");
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    let origin = reply.header("access-control-allow-origin");
    assert_ne!(origin, Some("*"));
    let exposed = names(reply, "access-control-expose-headers");
    for name in ["mcp-session-id", "mcp-protocol-version", "www-authenticate", "retry-after", "x-request-id"] {
        assert_eq!(exposed.iter().any(|exposed| exposed == name), origin.is_some(), "{name}: {exposed:?}");
    }
    origin
}

#[tokio::test]
async fn a_browser_is_told_what_it_may_send() {
    let service = service();
    let asked = "content-type,mcp-protocol-version,mcp-method,mcp-name,authorization";
    let reply = preflight(PAGE, asked).of(&service).await;
    assert_eq!((reply.status, reply.body.as_str()), (204, ""));
    assert_eq!(reader(&reply), Some(PAGE));
    assert_eq!(names(&reply, "access-control-allow-methods"), ["get", "post", "delete"]);
    let allowed = names(&reply, "access-control-allow-headers");
    let protocol = asked.split(',').chain(["accept", "mcp-session-id", "last-event-id"]);
    for name in protocol {
        assert!(allowed.iter().any(|allowed| allowed == name), "{name}: {allowed:?}");
    }
    assert_eq!(reply.header("access-control-max-age"), Some("86400"));
    assert_eq!(reply.header("www-authenticate"), None);
}

#[tokio::test]
async fn headers_of_arguments_may_be_sent_when_they_are_asked_for() {
    let service = service();
    let ask = preflight(PAGE, "Mcp-Param-Region, x-evil, mcp-param-, mcp-param-b\u{e9}")
        .also("access-control-request-headers", "mcp-param-TIER,, mcp-param x,cookie");
    let allowed = names(&ask.of(&service).await, "access-control-allow-headers");
    let parameters: Vec<&str> = allowed.iter().map(String::as_str).skip(8).collect();
    assert_eq!(parameters, ["mcp-param-tier"], "an unreadable list is passed over");
    let allowed = names(
        &preflight(PAGE, "Mcp-Param-Region,x-evil,mcp-param-").of(&service).await,
        "access-control-allow-headers",
    );
    assert_eq!(allowed.len(), 9);
    assert_eq!(allowed.last().map(String::as_str), Some("mcp-param-region"));
}

#[tokio::test]
async fn pages_of_origins_that_are_not_listed_are_told_nothing() {
    let service = service();
    for origin in ["https://evil.example", "null", "http://app.example.com", "https://app.example.com.evil.example"] {
        let reply = preflight(origin, "content-type").of(&service).await;
        assert_eq!((reply.status, reader(&reply)), (403, None), "{origin}");
        assert_eq!(reply.header("access-control-allow-headers"), None);
        let reply = Ask::call(1, "echo", json!({"text": "x"})).header("origin", origin).of(&service).await;
        assert_eq!((reply.status, reader(&reply)), (403, None), "{origin}");
    }
    let two = Ask::call(1, "echo", json!({"text": "x"})).header("origin", PAGE).also("origin", "http://localhost");
    let reply = two.of(&service).await;
    assert_eq!((reply.status, reader(&reply)), (200, None), "nobody knows which of two it is");
}

#[tokio::test]
async fn every_response_names_the_origin_that_may_read_it() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    let origin = |ask: Ask| ask.header("origin", "http://localhost:5173");
    let call = || Ask::call(1, "echo", json!({"text": "x"}));
    for (ask, status) in [
        (call(), 200),
        (Ask::watched_call(1, "steps", json!({"k": 2})), 200),
        (Ask::initialize("2025-11-25"), 200),
        (session.post(json!({"jsonrpc": "2.0", "method": "notifications/x"})), 202),
        (session.get(), 200),
        (session.delete(), 204),
        (Ask::post("{"), 400),
        (Ask::stateless(1, "no/such", json!({})), 404),
        (call().header("host", "evil.example"), 403),
        (call().header("content-type", "text/plain"), 415),
        (call().header("accept", "text/html"), 406),
        (Ask::new(Method::PUT), 405),
        (Ask::new(Method::OPTIONS), 405),
    ] {
        let what = format!("{ask:?}");
        let response = origin(ask).start(&service).await;
        let (parts, _body) = response.into_parts();
        let reply = Reply { status: parts.status.as_u16(), headers: parts.headers, body: String::new() };
        assert_eq!((reply.status, reader(&reply)), (status, Some("http://localhost:5173")), "{what}");
    }
    assert_eq!(reader(&call().of(&service).await), None, "programs are not told of it");
}

#[tokio::test]
async fn without_a_list_browsers_are_told_nothing() {
    let service = server(&Stage::new()).into_service().unwrap();
    let reply = preflight("http://localhost:5173", "content-type").of(&service).await;
    assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, POST, DELETE")));
    let call = Ask::call(1, "echo", json!({"text": "x"})).header("origin", "http://localhost:5173");
    for reply in [reply, call.of(&service).await] {
        let told = reply.headers.keys().filter(|name| name.as_str().starts_with("access-control-"));
        assert_eq!((told.count(), reply.header("vary")), (0, None));
    }
}

#[tokio::test]
async fn a_star_is_for_the_pages_of_every_origin_but_not_for_their_credentials() {
    let service = server(&Stage::new()).allowed_origins(["*"]).into_service().unwrap();
    for origin in ["https://any.example", "null"] {
        let reply = preflight(origin, "content-type").of(&service).await;
        assert_eq!((reply.status, reader(&reply)), (204, Some(origin)));
    }
}

#[tokio::test]
async fn a_server_without_sessions_has_one_method() {
    let service = shared().sessions(false).into_service().unwrap();
    let reply = preflight(PAGE, "content-type").of(&service).await;
    assert_eq!(names(&reply, "access-control-allow-methods"), ["post"]);
}

#[tokio::test]
async fn it_is_the_same_over_sockets_and_on_every_path() {
    let served = Served::start(shared()).await;
    let mut stream = served.connect().await;
    let mut places = vec![("/mcp", 204), ("/mcp/", 204), ("/elsewhere", 404)];
    if cfg!(feature = "sse") {
        places.extend([("/sse", 204), ("/messages", 204)]);
    }
    for (path, status) in places {
        let reply = exchange(&mut stream, &preflight(PAGE, "content-type").at(path)).await;
        assert_eq!((reply.status, reader(&reply)), (status, Some(PAGE)), "{path}");
    }
    #[cfg(feature = "sse")]
    for (path, methods) in [("/sse", "get"), ("/messages", "post")] {
        let reply = exchange(&mut stream, &preflight(PAGE, "content-type").at(path)).await;
        assert_eq!(names(&reply, "access-control-allow-methods"), [methods]);
    }
}
