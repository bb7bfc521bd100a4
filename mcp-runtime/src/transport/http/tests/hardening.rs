//! Headers that every response has, and those that none has.

use super::ask::{Ask, Session};
use super::fixture::{Stage, server, service};
use super::wire::{Served, read_head};
use http::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn no_response_may_be_guessed_at_or_kept() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for (ask, status, kept) in [
        (Ask::call(1, "echo", json!({"text": "x"})), 200, "no-store"),
        (session.call(1, "echo", json!({"text": "x"})), 200, "no-store"),
        (Ask::watched_call(1, "steps", json!({"k": 1})), 200, "no-cache"),
        (session.get(), 200, "no-cache"),
        (session.post(json!({"jsonrpc": "2.0", "method": "notifications/x"})), 202, "no-store"),
        (Ask::post("{"), 400, "no-store"),
        (Ask::new(Method::GET).header("host", "evil.example"), 403, "no-store"),
        (Ask::new(Method::PUT), 405, "no-store"),
    ] {
        let response = ask.start(&service).await;
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap());
        assert_eq!(response.status(), status);
        assert_eq!(header("x-content-type-options"), Some("nosniff"), "{status}");
        assert_eq!(header("cache-control"), Some(kept), "{status}");
    }
}

#[tokio::test]
async fn no_response_tells_what_made_it() {
    let served = Served::start(server(&Stage::new())).await;
    for (path, status) in [("/mcp", 200), ("/elsewhere", 404)] {
        let mut stream = served.connect().await;
        stream.write_all(&Ask::call(1, "echo", json!({"text": "x"})).at(path).bytes()).await.unwrap();
        let (found, headers) = read_head(&mut stream).await;
        let mut names: Vec<&str> = headers.keys().map(http::HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(found, status);
        assert_eq!(names, ["cache-control", "content-length", "content-type", "date", "x-content-type-options"]);
    }
}
