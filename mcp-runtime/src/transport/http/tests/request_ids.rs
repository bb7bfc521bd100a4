//! Ids of requests.

use super::ask::Ask;
use super::fixture::{Stage, server, service};
use super::log::Log;
use super::proxies::Trail;
use super::wire::{Served, exchange};
use crate::ForwardingHeader;
use crate::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;

/// Tells what id its request has.
#[mcp_tool]
fn which(cx: Context) -> String {
    cx.header("x-request-id").unwrap_or("none".to_owned())
}

fn is_fresh(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

#[tokio::test]
async fn every_response_has_an_id_of_its_own() {
    let identified = server(&Stage::new()).request_ids(true).into_service().unwrap();
    let mut seen = BTreeSet::new();
    for (ask, status) in [
        (Ask::call(1, "echo", json!({"text": "x"})), 200),
        (Ask::call(1, "echo", json!({"text": "x"})), 200),
        (Ask::watched_call(1, "steps", json!({"k": 2})), 200),
        (Ask::post("{"), 400),
        (Ask::new(http::Method::PUT), 405),
        (Ask::new(http::Method::GET).header("host", "evil.example"), 403),
    ] {
        let reply = ask.of(&identified).await;
        let id = reply.header("x-request-id").expect("an id");
        assert_eq!(reply.status, status);
        assert!(is_fresh(id) && seen.insert(id.to_owned()), "{id}");
    }
    let reply = Ask::call(1, "echo", json!({"text": "x"})).header("x-request-id", "mine").of(&service()).await;
    assert_eq!(reply.header("x-request-id"), None, "only where it is asked for");
}

#[tokio::test]
async fn an_id_is_taken_over_from_a_known_proxy_alone_and_only_if_it_is_one() {
    let (trail, server) = Trail::of(server(&Stage::new()).tools(tools![which]));
    let server = server.request_ids(true).trusted_proxies(["10.0.0.1"], ForwardingHeader::XForwardedFor);
    let service = server.into_service().unwrap();
    let long = "x".repeat(129);
    for (peer, given, is_taken) in [
        ("10.0.0.1", "7f3a-b_c.D:e+f/=~", true),
        ("10.0.0.1", &long[..128], true),
        ("10.0.0.1", &long, false),
        ("10.0.0.1", "", false),
        ("10.0.0.1", "a b", false),
        ("10.0.0.1", "a,b", false),
        ("10.0.0.1", "\u{e9}", false),
        ("10.0.0.2", "7f3a", false),
    ] {
        let reply = Ask::call(1, "which", json!({})).header("x-request-id", given).from(peer, &service).await;
        let id = reply.header("x-request-id").expect("an id");
        assert_eq!(id == given, is_taken, "{given}");
        assert!(is_taken || is_fresh(id), "{id}");
        assert_eq!(reply.text(), id, "functions see it");
        assert_eq!(trail.last().http_request_id.as_deref(), Some(id));
    }
    let two = Ask::call(1, "which", json!({})).header("x-request-id", "a").also("x-request-id", "b");
    let reply = two.from("10.0.0.1", &service).await;
    assert!(is_fresh(&reply.text()), "nobody knows which of two it is");
}

#[tokio::test]
async fn without_ids_a_header_of_that_name_is_as_any_other() {
    let (trail, server) = Trail::of(server(&Stage::new()).tools(tools![which]));
    let service = server.into_service().unwrap();
    let reply = Ask::call(1, "which", json!({})).header("x-request-id", "mine").of(&service).await;
    assert_eq!((reply.text().as_str(), reply.header("x-request-id")), ("mine", None));
    assert_eq!(trail.last().http_request_id, None);
}

#[tokio::test]
async fn what_is_refused_is_found_in_the_log_by_its_id() {
    let log = Log::catch();
    let served = Served::start(server(&Stage::new()).request_ids(true)).await;
    let mut stream = served.connect().await;
    // The log is that of this thread, and the test's runtime has no other.
    let reply = exchange(&mut stream, &Ask::new(http::Method::GET).header("host", "evil.example")).await;
    let id = reply.header("x-request-id").expect("an id");
    assert!(log.lines().iter().any(|line| line.contains(id) && line.contains("client=127.0.0.1")), "{:?}", log.lines());
    let reply = exchange(&mut stream, &Ask::new(http::Method::GET).at("/elsewhere")).await;
    assert!(is_fresh(reply.header("x-request-id").expect("an id")));
}
