//! Tokens about which the issuer is asked.

use super::fixture::{METADATA, RESOURCE, service};
use mcp_auth_tests::{Ask, Issuer, now};
use mcp_runtime::{HttpService, IntrospectionVerifier};
use serde_json::{Value, json};
use std::time::Duration;

const PLACE: &str = "/introspect";

fn verifier(issuer: &Issuer) -> IntrospectionVerifier {
    IntrospectionVerifier::new(issuer.url(), format!("{}{PLACE}", issuer.url()), "mcp server", "pa:ss/word")
}

fn active(more: &Value) -> Value {
    let mut answer =
        json!({"active": true, "aud": RESOURCE, "sub": "ada", "scope": "read", "email": "ada@example.com"});
    more.as_object().expect("an object").iter().for_each(|(name, value)| answer[name] = value.clone());
    answer
}

async fn status(service: &HttpService, token: &str) -> u16 {
    Ask::call("whoami").token(token).of(service).await.status
}

#[tokio::test]
async fn the_issuer_is_asked_once_for_a_while() {
    let issuer = Issuer::silent().await;
    issuer.page(PLACE, &active(&json!({"iss": issuer.url(), "exp": now() + 60})));
    let service = service(verifier(&issuer));
    let reply = Ask::call("read_notes").token("opaque+token/1==").of(&service).await;
    assert_eq!(reply.text(), "ada@example.com, no header, true");
    assert_eq!(
        Ask::call("whoami").token("opaque+token/1==").of(&service).await.text(),
        format!("{} ada", issuer.url())
    );
    let seen = issuer.seen();
    assert_eq!(seen.len(), 1, "the second answer was known");
    assert_eq!(seen[0].body, "token=opaque%2Btoken%2F1%3D%3D&token_type_hint=access_token");
    // `mcp%20server:pa%3Ass%2Fword`
    assert_eq!(seen[0].authorization.as_deref(), Some("Basic bWNwJTIwc2VydmVyOnBhJTNBc3MlMkZ3b3Jk"));
    assert_eq!(status(&service, "another").await, 200);
    assert_eq!(issuer.seen().len(), 2);
}

#[tokio::test]
async fn what_the_issuer_does_not_say_is_not_believed() {
    let issuer = Issuer::silent().await;
    let service = service(verifier(&issuer).cache(Duration::ZERO));
    for (answer, description) in [
        (json!({"active": false}), "the token is not active"),
        (json!({}), "the token is not active"),
        (active(&json!({"active": "true"})), "the token is not active"),
        (active(&json!({"aud": "https://other.example.com"})), "the token was not issued for this server"),
        (active(&json!({"aud": null})), "the token was not issued for this server"),
        (active(&json!({"iss": "https://evil.example.com"})), "the token is of another issuer"),
        (active(&json!({"exp": now() - 60})), "the token has expired"),
        (active(&json!({"nbf": now() + 60})), "the token is not valid yet"),
        (active(&json!({"sub": null})), "the token has no subject"),
        (active(&json!({"cnf": {}})), "the token is bound to a key, which is not checked here"),
    ] {
        issuer.page(PLACE, &answer);
        let reply = Ask::call("whoami").token("t").of(&service).await;
        let expected = format!("Bearer error=\"invalid_token\", error_description=\"{description}\", {METADATA}");
        assert_eq!(reply.refusal(), (401, Some(&*expected)), "{answer}");
    }
    for (code, text) in [(500, ""), (401, ""), (200, "no JSON"), (302, "http://127.0.0.1:1/")] {
        issuer.answer(PLACE, code, text);
        assert_eq!(status(&service, "t").await, 503, "{code}");
    }
    issuer.page(PLACE, &active(&json!({"sub": null, "client_id": "ada"})));
    let name = Ask::call("whoami").token("t").of(&service).await.text();
    assert_eq!(name, format!("{}#client ada", issuer.url()), "a client is no subject of the same name");
}

#[tokio::test]
async fn who_the_token_is_for_can_be_told_otherwise() {
    let issuer = Issuer::silent().await;
    issuer.page(PLACE, &active(&json!({"aud": "mcp server"})));
    assert_eq!(status(&service(verifier(&issuer)), "t").await, 401);
    assert_eq!(status(&service(verifier(&issuer).audience("mcp server")), "t").await, 200);
    assert_eq!(status(&service(verifier(&issuer).trust_active()), "t").await, 200);
}

#[tokio::test]
async fn a_revoked_token_is_good_for_as_long_as_the_answer_is_believed() {
    let issuer = Issuer::silent().await;
    issuer.page(PLACE, &active(&json!({})));
    let service = service(verifier(&issuer).cache(Duration::from_secs(30)));
    assert_eq!(status(&service, "t").await, 200);
    issuer.page(PLACE, &json!({"active": false}));
    // The clock stands still only while nothing goes over the network.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(29)).await;
    assert_eq!(status(&service, "t").await, 200);
    tokio::time::advance(Duration::from_secs(2)).await;
    tokio::time::resume();
    assert_eq!(status(&service, "t").await, 401);
}

#[tokio::test]
async fn an_answer_is_not_believed_beyond_the_expiry() {
    let issuer = Issuer::silent().await;
    // Within the leeway of 30 seconds it is good, for one or two seconds more.
    issuer.page(PLACE, &active(&json!({"exp": now() - 28})));
    let service = service(verifier(&issuer).cache(Duration::from_secs(3600)));
    let mut statuses = vec![status(&service, "t").await];
    while statuses.last() == Some(&200) {
        statuses.push(status(&service, "t").await);
    }
    assert_eq!((statuses.first(), statuses.last()), (Some(&200), Some(&401)));
}
