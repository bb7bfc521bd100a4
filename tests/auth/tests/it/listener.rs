//! Over sockets: what is answered before a body comes, and to browsers.

use super::fixture::{METADATA, RESOURCE, eager, server, token};
use mcp_auth_tests::{Issuer, Key};
use mcp_runtime::{Authorization, Server};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

/// A server, which ends with this value.
struct Served {
    address: SocketAddr,
    serving: AbortHandle,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(issuer: &Issuer) -> Served {
    serve_as(server(), issuer).await
}

async fn serve_as(server: Server, issuer: &Issuer) -> Served {
    let server = server.authorization(Authorization::new(RESOURCE, eager(issuer))).build().expect("it builds");
    let listener = server.bind_http("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr();
    Served { address, serving: tokio::spawn(listener.serve_until(std::future::pending())).abort_handle() }
}

/// Sends the head of a request and nothing else; gives the head of the response.
async fn head(served: &Served, head: &str) -> String {
    let mut stream = TcpStream::connect(served.address).await.expect("a connection");
    stream.write_all(format!("{}\r\n\r\n", head.replace('\n', "\r\n")).as_bytes()).await.expect("it is read");
    let mut text = Vec::new();
    while !text.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut piece = [0; 1024];
        let read = stream.read(&mut piece).await.expect("a response");
        assert!(read > 0, "the response broke off: {}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&piece[..read]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn a_request_without_a_token_is_refused_before_its_body_comes() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let served = serve(&issuer).await;
    let post = "POST /mcp HTTP/1.1\nhost: localhost\ncontent-type: application/json\naccept: application/json, text/event-stream";
    for more in [
        "content-length: 100",
        "content-length: 100\nexpect: 100-continue",
        "transfer-encoding: chunked",
        "content-length: 99999999999",
    ] {
        let reply = head(&served, &format!("{post}\n{more}")).await;
        assert!(reply.starts_with("HTTP/1.1 401 "), "{more}: {reply}");
        assert!(reply.contains(&format!("www-authenticate: Bearer {METADATA}\r\n")), "{more}: {reply}");
        let reply = head(&served, &format!("{post}\nauthorization: Bearer junk\n{more}")).await;
        assert!(reply.starts_with("HTTP/1.1 401 ") && reply.contains("invalid_token"), "{more}: {reply}");
    }
    let good = token(&issuer, &key, "");
    let reply =
        head(&served, &format!("{post}\nauthorization: Bearer {good}\ncontent-length: 100\nexpect: 100-continue"))
            .await;
    assert!(reply.starts_with("HTTP/1.1 100 "), "now the body may come: {reply}");
}

#[tokio::test]
async fn a_browser_asks_first_and_needs_no_token_for_that() {
    let issuer = Issuer::start(&[]).await;
    let page = "https://app.example.com";
    let shared = serve_as(server().allowed_origins([page]), &issuer).await;
    let preflight = "OPTIONS /mcp HTTP/1.1\nhost: localhost\norigin: https://app.example.com\n\
                     access-control-request-method: POST\naccess-control-request-headers: authorization,content-type";
    let reply = head(&shared, preflight).await;
    assert!(reply.starts_with("HTTP/1.1 204 ") && !reply.contains("www-authenticate"), "{reply}");
    let allowed = reply.lines().find(|line| line.starts_with("access-control-allow-headers: ")).expect("a list");
    assert!(allowed.contains("Authorization") && allowed.contains("Content-Type"), "{allowed}");
    let readable = format!("access-control-allow-origin: {page}\r\n");
    assert!(reply.contains(&readable), "{reply}");

    // What is refused can be read, with the way to a token.
    for token in ["", "\nauthorization: Bearer junk"] {
        let get = format!("GET /mcp HTTP/1.1\nhost: localhost\norigin: {page}{token}");
        let reply = head(&shared, &get).await;
        assert!(reply.starts_with("HTTP/1.1 401 ") && reply.contains(&readable), "{reply}");
        let exposed = reply.lines().find(|line| line.starts_with("access-control-expose-headers: ")).expect("a list");
        assert!(exposed.contains("WWW-Authenticate"), "{exposed}");
        assert!(reply.contains("vary: Origin\r\n") && reply.contains(METADATA), "{reply}");
    }
    let metadata = "/.well-known/oauth-protected-resource/mcp HTTP/1.1\nhost: localhost\norigin: https://any.example";
    for method in ["GET", "OPTIONS"] {
        let reply = head(&shared, &format!("{method} {metadata}")).await;
        assert!(reply.contains("access-control-allow-origin: *\r\n"), "{reply}");
        assert!(reply.contains("x-content-type-options: nosniff\r\n"), "{reply}");
        assert!(!reply.contains("allow-credentials"), "{reply}");
    }

    let evil = preflight.replace(page, "https://evil.example.com");
    for served in [shared, serve(&issuer).await] {
        let reply = head(&served, &evil).await;
        assert!(reply.starts_with("HTTP/1.1 403 ") && !reply.contains("access-control-"), "{reply}");
    }
    let own = preflight.replace(page, "http://localhost");
    let reply = head(&serve(&issuer).await, &own).await;
    assert!(reply.starts_with("HTTP/1.1 405 ") && !reply.contains("access-control-"), "nobody is listed: {reply}");
}

#[tokio::test]
async fn the_metadata_is_there_and_the_public_name_is_known() {
    let issuer = Issuer::start(&[]).await;
    let served = serve(&issuer).await;
    for path in ["", "/mcp"] {
        for host in ["localhost", "mcp.example.com"] {
            let get = format!("GET /.well-known/oauth-protected-resource{path} HTTP/1.1\nhost: {host}");
            let reply = head(&served, &get).await;
            assert!(reply.starts_with("HTTP/1.1 200 "), "{path}: {reply}");
        }
    }
    for (host, status) in [("mcp.example.com", "401"), ("evil.example.com", "403"), ("localhost", "401")] {
        let reply = head(&served, &format!("GET /mcp HTTP/1.1\nhost: {host}")).await;
        assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {reply}");
    }
    let reply = head(&served, "GET /.well-known/other HTTP/1.1\nhost: localhost").await;
    assert!(reply.starts_with("HTTP/1.1 404 "), "{reply}");
}

#[tokio::test]
async fn http_with_sse_is_guarded_as_well() {
    let issuer = Issuer::start(&[]).await;
    let served = serve(&issuer).await;
    for request in [
        "GET /sse HTTP/1.1\nhost: localhost\naccept: text/event-stream",
        "POST /messages?sessionId=1 HTTP/1.1\nhost: localhost\ncontent-type: application/json\ncontent-length: 10",
    ] {
        let reply = head(&served, request).await;
        assert!(reply.starts_with("HTTP/1.1 401 ") && reply.contains(METADATA), "{request}: {reply}");
    }
}
