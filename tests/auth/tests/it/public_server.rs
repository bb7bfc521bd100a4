//! The example `public_server`, asked as clients and strangers on the internet ask it.

use mcp_auth_tests::{Ask, Issuer, Key};
use mcp_runtime::{HttpService, PeerAddress};
use serde_json::json;
use std::net::IpAddr;

#[path = "../../../../examples/public_server.rs"]
#[allow(dead_code, reason = "its `main` is for a program of its own")]
mod example;

const HOST: &str = "mcp.example.com";

/// A call as the proxy passes it on.
fn count(token: Option<&str>) -> Ask {
    let call = json!({"name": "count_words", "arguments": {"text": "one two three"}});
    let ask = Ask::stateless("tools/call", call).host(HOST).header("x-request-id", "id-of-the-proxy");
    token.into_iter().fold(ask, Ask::token)
}

async fn status(ask: Ask, service: &HttpService) -> u16 {
    ask.of(service).await.status
}

#[tokio::test]
async fn strangers_are_kept_out_and_callers_within_their_limits() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let url = issuer.url();
    let server = example::server(|name| match name {
        "MCP_HOST" => Some(HOST.to_owned()),
        "MCP_ISSUER" => Some(url.clone()),
        "MCP_PROXY" => Some("10.0.0.0/8".to_owned()),
        _ => None,
    });
    let service = server.expect("all is set").into_service().expect("it builds");
    let token = |subject: &str, scope: &str| {
        let mut claims = issuer.claims(&format!("https://{HOST}/mcp"));
        (claims["sub"], claims["scope"]) = (subject.into(), scope.into());
        key.token(&claims)
    };
    let ada = token("ada", "texts:read");

    assert_eq!(status(count(None), &service).await, 401);
    assert_eq!(status(count(Some(&token("eve", "other"))), &service).await, 403);
    assert_eq!(status(count(Some(&ada)).host("evil.example"), &service).await, 403);
    assert_eq!(status(count(Some(&ada)).header("origin", "https://evil.example"), &service).await, 403);
    assert_eq!(status(Ask::new(http::Method::GET).at("/readyz"), &service).await, 200);

    let mut request = count(Some(&ada)).request();
    request.extensions_mut().insert(PeerAddress(IpAddr::from([10, 0, 0, 7])));
    let response = tower_service::Service::call(&mut service.clone(), request).await.expect("it answers");
    assert_eq!(response.headers()["x-request-id"], "id-of-the-proxy");
    let reply = count(Some(&ada)).of(&service).await;
    assert_eq!(reply.text(), "3");
    assert_ne!(reply.header("x-request-id"), Some("id-of-the-proxy"), "it has not come from the proxy");

    let mut is_refused = false;
    for _ in 0..1000 {
        is_refused |= count(Some(&ada)).of(&service).await.text().starts_with("Called too often.");
        if is_refused {
            break;
        }
    }
    assert!(is_refused, "a call each second is what she may");
    assert_eq!(count(Some(&token("bob", "texts:read"))).of(&service).await.text(), "3", "others are not concerned");
}

#[test]
fn what_is_not_set_is_said() {
    for (set, missing) in
        [(&[][..], "MCP_HOST"), (&["MCP_HOST"], "MCP_ISSUER"), (&["MCP_HOST", "MCP_ISSUER"], "MCP_CERTIFICATE")]
    {
        let server = example::server(|name| set.contains(&name).then(|| "x.example".to_owned()));
        assert_eq!(server.err(), Some(format!("{missing} is not set")));
    }
}
