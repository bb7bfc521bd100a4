//! What probes are told.

use super::ask::Ask;
use super::fixture::{Stage, server, service, within};
use super::wire::{Served, exchange};
use crate::Server;
use http::Method;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

fn probed() -> Server {
    server(&Stage::new()).health("/healthz", "/readyz")
}

fn probe(path: &str) -> Ask {
    // As an orchestrator asks: by the address of a container, without anything else.
    Ask::new(Method::GET).header("host", "10.244.0.17:8080").at(path)
}

async fn ask(stream: &mut TcpStream, path: &str) -> (u16, String) {
    let reply = exchange(stream, &probe(path)).await;
    (reply.status, reply.body)
}

#[tokio::test]
async fn whoever_asks_is_told_one_word() {
    let served = Served::start(probed()).await;
    let mut stream = served.connect().await;
    for path in ["/healthz", "/readyz", "/readyz?verbose"] {
        for probe in [probe(path), probe(path).without("host").header("host", "evil.example").header("origin", "null")]
        {
            let reply = exchange(&mut stream, &probe).await;
            assert_eq!((reply.status, reply.body.as_str()), (200, "ok\n"), "{path}");
            assert_eq!(reply.media_type(), "text/plain; charset=utf-8");
            assert_eq!(reply.header("cache-control"), Some("no-store"));
            assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        }
    }
    for method in [Method::POST, Method::OPTIONS, Method::DELETE] {
        let reply = exchange(&mut stream, &Ask { method, ..probe("/healthz") }).await;
        assert_eq!((reply.status, reply.header("allow"), reply.body.as_str()), (405, Some("GET, HEAD"), ""));
    }
    let head = Ask { method: Method::HEAD, ..probe("/readyz") };
    stream.write_all(&head.bytes()).await.unwrap();
    assert_eq!(within(super::wire::read_head(&mut stream)).await.0, 200);
    let reply = exchange(&mut stream, &probe("/mcp")).await;
    assert_eq!(reply.status, 403, "everything else is guarded as before");
}

#[tokio::test]
async fn without_the_option_there_are_no_such_paths() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(ask(&mut stream, path).await.0, 404);
    }
}

#[tokio::test]
async fn a_service_that_is_a_fallback_answers_as_well() {
    let probed = probed().into_service().unwrap();
    assert_eq!(probe("/healthz").of(&probed).await.body, "ok\n");
    assert_eq!(probe("/healthz").of(&service()).await.status, 403);
}

#[tokio::test]
async fn the_author_says_what_else_it_takes_to_be_ready() {
    let connected = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&connected);
    let served = Served::start(probed().ready_when(move || seen.load(Ordering::SeqCst))).await;
    let mut stream = served.connect().await;
    assert_eq!(ask(&mut stream, "/readyz").await, (503, "not ready\n".to_owned()));
    assert_eq!(ask(&mut stream, "/healthz").await.0, 200);
    connected.store(true, Ordering::SeqCst);
    assert_eq!(ask(&mut stream, "/readyz").await.0, 200);

    let panicking = probed().ready_when(|| panic!("a secret")).into_service().unwrap();
    let reply = probe("/readyz").of(&panicking).await;
    assert_eq!(reply.status, 500);
    assert!(!reply.body.contains("secret"));
}

#[tokio::test]
async fn a_server_that_is_to_end_wants_nothing_more_but_goes_on_for_a_while() {
    let mut served = Served::start(probed().shutdown_delay(Duration::from_secs(30))).await;
    let mut stream = served.connect().await;
    assert_eq!(ask(&mut stream, "/readyz").await.0, 200);
    served.stop.cancel();
    while ask(&mut stream, "/readyz").await.0 == 200 {}
    // New clients are still served, until the last of those who choose has looked elsewhere.
    let mut late = served.connect().await;
    assert_eq!(ask(&mut late, "/readyz").await, (503, "not ready\n".to_owned()));
    assert_eq!(ask(&mut late, "/healthz").await.0, 200);
    assert_eq!(exchange(&mut late, &Ask::call(1, "echo", json!({"text": "x"}))).await.text(), "x");
    assert!(!served.task.is_finished());
    // From here on the only thing to happen is that time passes.
    drop((stream, late));
    tokio::time::pause();
    (&mut served.task).await.unwrap();
}

#[test]
fn paths_that_are_none_or_taken_are_found_when_the_server_is_built() {
    for (live, ready, problems) in [
        ("/healthz", "/readyz", 0),
        ("/a/b", "/a/b/", 0),
        ("healthz", "/readyz", 1),
        ("", "/readyz?x", 2),
        ("/mcp", "/mcp/", 2),
        ("/sse", "/messages", 2),
        ("/healthz", "/healthz", 1),
        ("//evil.example/x", "/a b", 2),
    ] {
        let error = server(&Stage::new()).health(live, ready).build().err();
        assert_eq!(error.map_or(0, |error| error.problems().len()), problems, "{live} {ready}");
    }
}
