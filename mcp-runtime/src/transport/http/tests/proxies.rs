//! From whom a request comes, by what the audit trail and the log say of it.

use super::ask::Ask;
use super::fixture::{Stage, server};
use super::log::Log;
use super::wire::{Served, exchange};
use crate::transport::http::HttpService;
use crate::{Audit, AuditEvent, ForwardingHeader, PeerAddress, Server};
use http::HeaderValue;
use serde_json::json;
use std::sync::{Arc, Mutex};
use tower_service::Service as _;

/// What the audit trail has of a server's requests.
#[derive(Clone, Default)]
pub(super) struct Trail(Arc<Mutex<Vec<AuditEvent>>>);

impl Trail {
    /// Follows a server.
    pub(super) fn of(server: Server) -> (Self, Server) {
        let trail = Trail::default();
        let kept = trail.clone();
        let audit = Audit::new().to(move |event| kept.0.lock().expect("whole").push(event.clone()));
        (trail, server.audit(audit))
    }

    /// What came last.
    pub(super) fn last(&self) -> AuditEvent {
        self.0.lock().expect("whole").pop().expect("an event")
    }

    fn client(&self) -> Option<String> {
        self.last().client.map(|address| address.to_string())
    }
}

fn call() -> Ask {
    Ask::call(1, "echo", json!({"text": "x"}))
}

fn behind(proxies: &[&str], header: ForwardingHeader) -> (Trail, HttpService) {
    let (trail, server) = Trail::of(server(&Stage::new()));
    (trail, server.trusted_proxies(proxies.iter().copied(), header).into_service().expect("it builds"))
}

#[tokio::test]
async fn the_first_stranger_behind_known_proxies_is_the_client() {
    let (trail, service) = behind(&["10.0.0.0/8", "fd00::/8", "192.0.2.1"], ForwardingHeader::XForwardedFor);
    for (peer, forwarded, client) in [
        ("10.0.0.1", "203.0.113.9", Some("203.0.113.9")),
        ("10.0.0.1", "6.6.6.6, 203.0.113.9", Some("203.0.113.9")),
        ("10.0.0.1", "6.6.6.6,203.0.113.9 , 10.1.2.3,192.0.2.1", Some("203.0.113.9")),
        ("::ffff:10.0.0.1", "::ffff:203.0.113.9", Some("203.0.113.9")),
        ("fd00::1", "[2001:db8::7]:4711", Some("2001:db8::7")),
        ("fd00::1", "2001:db8::7", Some("2001:db8::7")),
        ("10.0.0.1", "203.0.113.9:4711", Some("203.0.113.9")),
        ("10.0.0.1", "10.0.0.9, 10.0.0.8", Some("10.0.0.9")),
        ("10.0.0.1", "203.0.113.9,", Some("203.0.113.9")),
        ("10.0.0.1", "203.0.113.9, unknown", None),
        ("10.0.0.1", "203.0.113.9, 10.0.0.8, what", None),
        ("10.0.0.1", "", Some("10.0.0.1")),
        // Whoever is no proxy is who it is.
        ("203.0.113.5", "198.51.100.1", Some("203.0.113.5")),
        ("192.0.2.2", "10.0.0.1", Some("192.0.2.2")),
    ] {
        assert_eq!(call().header("x-forwarded-for", forwarded).from(peer, &service).await.status, 200);
        assert_eq!(trail.client().as_deref(), client, "{peer}: {forwarded}");
    }
    let two = call().header("x-forwarded-for", "6.6.6.6").also("x-forwarded-for", "203.0.113.9, 10.0.0.8");
    two.from("10.0.0.1", &service).await;
    assert_eq!(trail.client().as_deref(), Some("203.0.113.9"), "lines of a header are one list");
    call().header("x-forwarded-for", "203.0.113.9").of(&service).await;
    assert_eq!(trail.client(), None, "nobody has told where it comes from");
}

#[tokio::test]
async fn forwarded_is_read_as_its_standard_says() {
    let (trail, service) = behind(&["10.0.0.0/8"], ForwardingHeader::Forwarded);
    for (forwarded, client) in [
        ("for=203.0.113.9", Some("203.0.113.9")),
        ("For=\"203.0.113.9:47011\";proto=https;by=10.0.0.1", Some("203.0.113.9")),
        ("proto=https; for=\"[2001:db8::7]:4711\"", Some("2001:db8::7")),
        ("for=\"[2001:DB8::7]\"", Some("2001:db8::7")),
        ("for=6.6.6.6, for=203.0.113.9;host=a.example, for=10.0.0.2", Some("203.0.113.9")),
        ("for=203.0.113.9;host=\"a,for=6.6.6.6\"", Some("203.0.113.9")),
        ("for=203.0.113.9;host=\"a\\\",for=6.6.6.6\"", Some("203.0.113.9")),
        ("for=203.0.113.9, for=unknown", None),
        ("for=203.0.113.9, for=_hidden", None),
        ("for=203.0.113.9, proto=https", None),
        ("for=203.0.113.9, for=\"10.0.0.2", None),
    ] {
        call().header("forwarded", forwarded).from("10.0.0.1", &service).await;
        assert_eq!(trail.client().as_deref(), client, "{forwarded}");
    }
}

#[tokio::test]
async fn only_the_header_that_was_named_is_read() {
    for (header, read) in
        [(ForwardingHeader::Forwarded, "forwarded"), (ForwardingHeader::XForwardedFor, "x-forwarded-for")]
    {
        let (trail, service) = behind(&["10.0.0.1"], header);
        let ask = || call().header("forwarded", "for=203.0.113.1").header("x-forwarded-for", "203.0.113.2");
        ask().from("10.0.0.1", &service).await;
        let expected = if read == "forwarded" { "203.0.113.1" } else { "203.0.113.2" };
        assert_eq!(trail.client().as_deref(), Some(expected));
        ask().without(read).from("10.0.0.1", &service).await;
        assert_eq!(trail.client().as_deref(), Some("10.0.0.1"));
    }
}

#[tokio::test]
async fn a_connection_tells_where_it_comes_from_and_nobody_is_believed_by_default() {
    let (trail, server) = Trail::of(server(&Stage::new()));
    let served = Served::start(server).await;
    let mut stream = served.connect().await;
    let ask = call().header("x-forwarded-for", "6.6.6.6").header("forwarded", "for=6.6.6.6");
    assert_eq!(exchange(&mut stream, &ask).await.status, 200);
    assert_eq!(trail.client().as_deref(), Some("127.0.0.1"));
}

#[tokio::test]
async fn a_known_proxy_changes_neither_host_nor_origin() {
    let (_, service) = behind(&["10.0.0.1"], ForwardingHeader::Forwarded);
    let told = |ask: Ask| {
        ask.header("forwarded", "for=127.0.0.1;host=localhost;proto=https")
            .header("x-forwarded-host", "localhost")
            .header("x-forwarded-for", "127.0.0.1")
    };
    assert_eq!(told(call().header("host", "evil.example")).from("10.0.0.1", &service).await.status, 403);
    assert_eq!(told(call().header("origin", "https://evil.example")).from("10.0.0.1", &service).await.status, 403);
    let evil = call().header("forwarded", "host=evil.example").header("x-forwarded-host", "evil.example");
    assert_eq!(evil.from("10.0.0.1", &service).await.status, 200, "it is not looked at");
}

#[tokio::test]
async fn a_refusal_is_logged_with_its_client() {
    let log = Log::catch();
    let (_, service) = behind(&["10.0.0.1"], ForwardingHeader::XForwardedFor);
    let ask = call().header("host", "evil.example").header("x-forwarded-for", "203.0.113.9");
    ask.from("10.0.0.1", &service).await;
    assert!(log.lines().iter().any(|line| line.contains("client=203.0.113.9")), "{:?}", log.lines());
}

#[test]
fn entries_that_are_no_addresses_are_found_when_the_server_is_built() {
    let wrong = ["10.0.0.0/33", "proxy.example", "10.0.0", "", "::1/129"];
    let proxies = wrong.into_iter().chain(["10.0.0.7", "::1", "fd00::/8"]);
    let error = server(&Stage::new()).trusted_proxies(proxies, ForwardingHeader::Forwarded).build().unwrap_err();
    assert_eq!(error.problems().len(), wrong.len(), "{error}");
    for entry in wrong {
        assert!(error.to_string().contains(&format!("`{entry}`")), "{entry}: {error}");
    }
}

#[tokio::test]
async fn what_a_client_wrote_never_swallows_what_a_proxy_adds() {
    let (trail, service) = behind(&["10.0.0.0/8"], ForwardingHeader::Forwarded);
    for (forwarded, client) in [
        (r#"for=6.6.6.6;x=", for=203.0.113.5"#, None),
        (r#"for=6.6.6.6;x=", for="203.0.113.5""#, None),
        (r#"for=6.6.6.6;x="a" b, for=203.0.113.5"#, None),
        ("for=6.6.6.6;for=7.7.7.7, for=10.0.0.9", None),
        ("for 6.6.6.6, for=203.0.113.5", None),
        (r#", for="203.0.113.5:80" ; proto=https,"#, Some("203.0.113.5")),
        (r#"for="\"6.6.6.6", For=203.0.113.5;by=10.0.0.2"#, Some("203.0.113.5")),
    ] {
        call().header("forwarded", forwarded).from("10.0.0.1", &service).await;
        assert_eq!(trail.client().as_deref(), client, "{forwarded}");
    }
    let (trail, service) = behind(&["10.0.0.0/8"], ForwardingHeader::XForwardedFor);
    let mut request = call().request();
    let written = HeaderValue::from_bytes(b"\xff\", 203.0.113.5").expect("a value");
    request.headers_mut().insert("x-forwarded-for", written);
    request.extensions_mut().insert(PeerAddress("10.0.0.1".parse().expect("an address")));
    let _ = service.clone().call(request).await;
    assert_eq!(trail.client().as_deref(), Some("203.0.113.5"));
}
