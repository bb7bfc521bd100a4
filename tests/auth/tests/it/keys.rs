//! How the keys of an issuer are found, kept and changed.

use super::fixture::{RESOURCE, eager, service, stage, token};
use mcp_auth_tests::{Ask, Issuer, Key};
use mcp_runtime::JwtVerifier;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinSet;

const KEYS: &str = "/keys";
const FIRST: &str = "/.well-known/oauth-authorization-server";
const SECOND: &str = "/.well-known/openid-configuration";

#[tokio::test]
async fn keys_change_without_a_restart() {
    let (issuer, first, service) = stage().await;
    let second = Key::new("k2", "EdDSA");
    let ask = |key: &Key| Ask::call("whoami").token(&token(&issuer, key, ""));
    assert_eq!(ask(&first).of(&service).await.status, 200);
    assert_eq!(ask(&second).of(&service).await.status, 401, "it is not published yet");
    issuer.publish(&[&first, &second]);
    assert_eq!(ask(&second).of(&service).await.status, 200, "fetched because of the unknown name");
    assert_eq!(ask(&first).of(&service).await.status, 200);
    issuer.publish(&[&second]);
    assert_eq!(ask(&Key::new("k3", "ES256")).of(&service).await.status, 401);
    assert_eq!(ask(&first).of(&service).await.status, 401, "withdrawn");
    let same_name = Key::new("k2", "EdDSA");
    issuer.publish(&[&same_name]);
    assert_eq!(ask(&second).of(&service).await.status, 200, "nobody has said that the name means another key now");
    assert_eq!(issuer.count(FIRST), 1, "where keys are does not change with them");
}

#[tokio::test]
async fn one_request_fetches_the_keys_for_all() {
    let (issuer, key, service) = stage().await;
    issuer.hold();
    let good = token(&issuer, &key, "");
    let mut asks = JoinSet::new();
    for _ in 0..50 {
        let (ask, service) = (Ask::call("whoami").token(&good), service.clone());
        asks.spawn(async move { ask.of(&service).await.status });
    }
    issuer.arrival().await;
    // The one that the fetch began with goes away; the others still get their keys.
    let impatient = tokio::spawn({
        let (ask, service) = (Ask::call("whoami").token(&good), service.clone());
        async move { ask.of(&service).await.status }
    });
    impatient.abort();
    issuer.release();
    assert!(asks.join_all().await.into_iter().all(|status| status == 200));
    assert_eq!((issuer.count(FIRST), issuer.count(KEYS)), (1, 1));
}

#[tokio::test]
async fn a_fetch_outlives_the_request_that_began_it() {
    let (issuer, key, service) = stage().await;
    issuer.hold();
    let good = token(&issuer, &key, "");
    let first = tokio::spawn({
        let (ask, service) = (Ask::call("whoami").token(&good), service.clone());
        async move { ask.of(&service).await.status }
    });
    issuer.arrival().await;
    first.abort();
    assert!(first.await.expect_err("it was given up").is_cancelled());
    issuer.release();
    assert_eq!(Ask::call("whoami").token(&good).of(&service).await.status, 200);
    assert_eq!((issuer.count(FIRST), issuer.count(KEYS)), (1, 1));
}

#[tokio::test]
async fn unknown_names_do_not_make_the_server_ask_again_and_again() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let service = service(JwtVerifier::new(issuer.url()).keys_interval(Duration::from_secs(3600)));
    assert_eq!(Ask::call("whoami").token(&token(&issuer, &key, "")).of(&service).await.status, 200);
    for n in 0..20 {
        let unknown = Key::new(&format!("x{n}"), "ES256");
        assert_eq!(Ask::call("whoami").token(&token(&issuer, &unknown, "")).of(&service).await.status, 401);
    }
    assert_eq!(issuer.count(KEYS), 1);
    let strange = json!({"iss": "https://evil.example.com", "aud": RESOURCE, "sub": "eve", "exp": 9_999_999_999_u64});
    assert_eq!(Ask::call("whoami").token(&key.token(&strange)).of(&service).await.status, 401);
}

#[tokio::test]
async fn old_keys_are_good_while_new_ones_cannot_be_fetched() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let service = service(eager(&issuer).keys_max_age(Duration::ZERO));
    let ask = |key: &Key| Ask::call("whoami").token(&token(&issuer, key, ""));
    assert_eq!(ask(&key).of(&service).await.status, 200);
    for (status, text) in [(500, "down"), (200, "no JSON"), (200, "{\"keys\": []}"), (302, "http://127.0.0.1:1/keys")] {
        issuer.answer(KEYS, status, text);
        issuer.answer(FIRST, status, text);
        let before = issuer.seen().len();
        while issuer.seen().len() < before + 3 {
            // The old keys are used while new ones are asked for beside the requests.
            assert_eq!(ask(&key).of(&service).await.status, 200, "{text}");
            tokio::task::yield_now().await;
        }
    }
    let unknown = Key::new("k9", "ES256");
    assert_eq!(ask(&unknown).of(&service).await.status, 401, "the keys are known, and this is none of them");
}

#[tokio::test]
async fn without_keys_no_token_is_blamed() {
    let key = Key::new("k1", "ES256");
    let (elsewhere, other) = (Issuer::silent().await, Issuer::start(&[&key]).await);
    elsewhere.page(KEYS, &json!({"keys": [key.public()]}));
    let big = format!("{{\"keys\": [{}]}}", "\"x\",".repeat(100_000));
    for (status, text) in
        [(404, "".to_owned()), (302, format!("{}/keys", elsewhere.url())), (200, big), (200, "[]".to_owned())]
    {
        let issuer = Issuer::start(&[&key]).await;
        issuer.answer(KEYS, status, &text);
        let reply = Ask::call("whoami").token(&token(&issuer, &key, "")).of(&service(eager(&issuer))).await;
        assert_eq!(reply.refusal(), (503, None), "{status}");
    }
    assert!(elsewhere.seen().is_empty(), "no redirect was followed");
    let issuer = Issuer::silent().await;
    for path in [FIRST, SECOND] {
        // Somebody else's metadata, or keys that come over an open wire.
        issuer.page(path, &json!({"issuer": other.url(), "jwks_uri": format!("{}/keys", other.url())}));
    }
    let reply = Ask::call("whoami").token(&token(&issuer, &key, "")).of(&service(eager(&issuer))).await;
    assert_eq!(reply.status, 503);
    issuer.page(FIRST, &json!({"issuer": issuer.url(), "jwks_uri": "http://keys.example.com/keys"}));
    let reply = Ask::call("whoami").token(&token(&issuer, &key, "")).of(&service(eager(&issuer))).await;
    assert_eq!(reply.status, 503);
    assert_eq!(other.count(KEYS), 0);
}

#[tokio::test]
async fn an_issuer_that_does_not_answer_is_not_waited_for() {
    let (issuer, key, service) = stage().await;
    issuer.hold();
    let asked = tokio::spawn({
        let (ask, service) = (Ask::call("whoami").token(&token(&issuer, &key, "")), service.clone());
        async move { ask.of(&service).await.status }
    });
    issuer.arrival().await;
    // From now on the next thing to happen is always that somebody's patience ends.
    tokio::time::pause();
    assert_eq!(asked.await.expect("an answer"), 503);
}

#[tokio::test]
async fn metadata_is_found_where_the_specification_says_and_in_its_order() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::silent().await;
    issuer.publish(&[&key]);
    let identifier = format!("{}/tenant", issuer.url());
    let places = [
        "/.well-known/oauth-authorization-server/tenant",
        "/.well-known/openid-configuration/tenant",
        "/tenant/.well-known/openid-configuration",
    ];
    let mut claims = issuer.claims(RESOURCE);
    claims["iss"] = identifier.clone().into();
    let token = key.token(&claims);
    for number in (0..places.len()).rev() {
        let before = issuer.seen().len();
        issuer.page(places[number], &json!({"issuer": identifier, "jwks_uri": format!("{}{KEYS}", issuer.url())}));
        let service = service(JwtVerifier::new(&identifier));
        assert_eq!(Ask::call("whoami").token(&token).of(&service).await.status, 200);
        let asked: Vec<String> = issuer.seen().into_iter().skip(before).map(|seen| seen.path).collect();
        assert_eq!(asked, [&places[..=number], &[KEYS]].concat());
    }
}

#[tokio::test]
async fn keys_can_be_where_no_metadata_says() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::silent().await;
    let public: Value = key.public();
    issuer.page("/other/keys", &json!({"keys": [{"kty": "new"}, public]}));
    let service = service(JwtVerifier::new(issuer.url()).jwks_uri(format!("{}/other/keys", issuer.url())));
    assert_eq!(Ask::call("whoami").token(&token(&issuer, &key, "")).of(&service).await.status, 200);
    assert_eq!(issuer.seen().len(), 1);
}
