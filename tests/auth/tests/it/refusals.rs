//! Everything that is no good token.

use super::fixture::{METADATA, RESOURCE, eager, server, service, stage, token};
use mcp_auth_tests::{Ask, Issuer, Key, now, unsigned};
use mcp_runtime::{Authorization, BearerToken, JwtAlgorithm, TokenError, TokenVerifier, VerifyFuture};
use serde_json::{Value, json};

fn challenge(error: &str, description: &str) -> String {
    format!("Bearer error=\"{error}\", error_description=\"{description}\", {METADATA}")
}

#[tokio::test]
async fn a_good_token_is_taken() {
    for algorithm in ["ES256", "ES384", "EdDSA"] {
        let key = Key::new("k", algorithm);
        let issuer = Issuer::start(&[&key]).await;
        let service = service(eager(&issuer));
        let reply = Ask::call("whoami").token(&token(&issuer, &key, "")).of(&service).await;
        assert_eq!((reply.status, reply.text()), (200, format!("{} ada", issuer.url())), "{algorithm}");
    }
}

#[tokio::test]
async fn without_a_token_there_is_no_error_but_a_way_to_one() {
    let (issuer, key, service) = stage().await;
    let good = token(&issuer, &key, "read");
    let plain = format!("Bearer {METADATA}");
    for ask in [
        Ask::call("whoami"),
        Ask::call("whoami").at(&format!("/mcp?access_token={good}")),
        Ask::call("whoami").header("authorization", "Basic YTpi"),
        Ask::call("whoami").body("{ no JSON"),
        Ask::new(http::Method::GET).header("accept", "text/event-stream"),
        Ask::new(http::Method::DELETE),
        Ask::new(http::Method::PUT),
        Ask::call("whoami").header("content-length", "99999999999"),
    ] {
        assert_eq!(ask.clone().of(&service).await.refusal(), (401, Some(&*plain)), "{ask:?}");
    }
    assert!(issuer.seen().is_empty(), "nobody was asked about nothing");
}

#[tokio::test]
async fn what_cannot_be_read_is_a_bad_request() {
    let (issuer, key, service) = stage().await;
    let good = token(&issuer, &key, "read");
    let twice = "the header `Authorization` stands there more than once";
    for (ask, text) in [
        (Ask::call("whoami").token(&good).token(&good), twice),
        (Ask::call("whoami").token(&good).header("authorization", "Basic YTpi"), twice),
        (Ask::call("whoami").token("a b"), "what follows `Bearer` is no token"),
        (Ask::call("whoami").header("authorization", "Bearer"), "what follows `Bearer` is no token"),
        (
            Ask::call("whoami").token(&good).at(&format!("/mcp?x=1&access_token={good}")),
            "a token goes into the header alone",
        ),
    ] {
        let expected = challenge("invalid_request", text);
        assert_eq!(ask.of(&service).await.refusal(), (400, Some(&*expected)));
    }
}

/// A token whose claims or header differ from a good one's in one member; `null` takes it out.
fn altered(issuer: &Issuer, key: &Key, part: &str, member: &str, value: Value) -> String {
    let (mut header, mut claims) = (key.header(), issuer.claims(RESOURCE));
    let object = if part == "header" { &mut header } else { &mut claims };
    match value {
        Value::Null => _ = object.as_object_mut().expect("an object").remove(member),
        value => object[member] = value,
    }
    key.token_with(&header, &claims)
}

#[tokio::test]
async fn every_wrong_token_is_refused_and_told_why() {
    let (issuer, key, service) = stage().await;
    let (expired, early) = (now() - 31, now() + 60);
    for (part, member, value, text) in [
        ("claims", "aud", json!("https://mcp.example.com/other"), "the token was not issued for this server"),
        ("claims", "aud", json!(format!("{RESOURCE}/")), "the token was not issued for this server"),
        ("claims", "aud", json!(null), "the token was not issued for this server"),
        ("claims", "iss", json!("https://evil.example.com"), "the token is of another issuer"),
        ("claims", "iss", json!(format!("{}/", issuer.url())), "the token is of another issuer"),
        ("claims", "iss", json!([issuer.url()]), "the token is of another issuer"),
        ("claims", "iss", json!(null), "the token is of another issuer"),
        ("claims", "exp", json!(expired), "the token has expired"),
        ("claims", "exp", json!(null), "the token has no expiry"),
        ("claims", "exp", json!("9999999999"), "the token's `exp` is no time"),
        ("claims", "nbf", json!(early), "the token is not valid yet"),
        ("claims", "nbf", json!("soon"), "the token's `nbf` is no time"),
        ("claims", "sub", json!(null), "the token has no subject"),
        ("claims", "sub", json!(""), "the token has no subject"),
        ("claims", "cnf", json!({"jkt": "x"}), "the token is bound to a key, which is not checked here"),
        ("header", "typ", json!("logout+jwt"), "the token is no access token"),
        ("header", "alg", json!("none"), "the token's algorithm is not taken here"),
        ("header", "alg", json!("HS256"), "the token's algorithm is not taken here"),
        ("header", "alg", json!("ES512"), "the token's algorithm is not taken here"),
        ("header", "alg", json!("ES384"), "the token names no key of its issuer"),
        ("header", "alg", json!("RS256"), "the token names no key of its issuer"),
        ("header", "kid", json!("k2"), "the token names no key of its issuer"),
        ("header", "crit", json!(["exp"]), "the token has extensions that are not known here"),
    ] {
        let token = altered(&issuer, &key, part, member, value.clone());
        let reply = Ask::call("whoami").token(&token).of(&service).await;
        let expected = challenge("invalid_token", text);
        assert_eq!(reply.refusal(), (401, Some(&*expected)), "{member}: {value}");
        assert_eq!(reply.json()["error"]["code"], -32600);
    }
    for (member, value) in
        [("typ", json!("JWT")), ("typ", json!("application/at+jwt")), ("typ", json!(null)), ("kid", json!(null))]
    {
        let token = altered(&issuer, &key, "header", member, value.clone());
        assert_eq!(Ask::call("whoami").token(&token).of(&service).await.status, 200, "{member}: {value}");
    }
    let elsewhere = altered(&issuer, &key, "claims", "aud", json!(["https://other.example.com", RESOURCE]));
    assert_eq!(Ask::call("whoami").token(&elsewhere).of(&service).await.status, 200);
    let slow_clock = altered(&issuer, &key, "claims", "exp", json!(now() - 5));
    assert_eq!(Ask::call("whoami").token(&slow_clock).of(&service).await.status, 200, "clocks differ");
}

#[tokio::test]
async fn a_token_that_somebody_made_up_is_refused() {
    let (issuer, key, service) = stage().await;
    let good = token(&issuer, &key, "");
    let (signed, signature) = good.rsplit_once('.').expect("a signature");
    let other = Key::new("k1", "ES256");
    let mut claims = issuer.claims(RESOURCE);
    claims["sub"] = "eve".into();
    let changed = unsigned(&key.header(), &claims);
    let no_jwt = "the token is no signed JWT";
    let wrong = "the token's signature is wrong";
    let critical = json!({"alg": "ES256", "kid": "k1", "crit": null});
    for (token, text) in [
        (format!("{changed}.{signature}"), wrong),
        (other.token(&claims), wrong),
        (key.token_with(&json!(["ES256", "k1", null]), &claims), no_jwt),
        (key.token_with(&critical, &claims), "the token has extensions that are not known here"),
        (format!("{signed}."), wrong),
        (format!("{signed}.AAAA"), wrong),
        (signed.to_owned(), no_jwt),
        (format!("{good}."), no_jwt),
        (format!("{good}.x"), no_jwt),
        (format!("{good}="), no_jwt),
        ("junk".to_owned(), no_jwt),
        ("..".to_owned(), no_jwt),
        ("a".repeat(20_000), "the token is too long"),
        (
            format!("{}.{signature}", unsigned(&json!({"alg": "none"}), &claims)),
            "the token's algorithm is not taken here",
        ),
    ] {
        let expected = challenge("invalid_token", text);
        assert_eq!(Ask::call("whoami").token(&token).of(&service).await.refusal(), (401, Some(&*expected)), "{text}");
        let half = Ask::call("whoami").token(&token).body("{ no JSON");
        assert_eq!(half.of(&service).await.status, 401, "before the body is looked at");
    }
}

#[tokio::test]
async fn a_public_key_is_no_shared_secret() {
    let (issuer, key, service) = stage().await;
    let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, key.public().to_string().as_bytes());
    let signed = unsigned(&json!({"alg": "HS256", "typ": "at+jwt", "kid": "k1"}), &issuer.claims(RESOURCE));
    let tag = ring::hmac::sign(&secret, signed.as_bytes());
    let tag = base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, tag);
    let expected = challenge("invalid_token", "the token's algorithm is not taken here");
    let reply = Ask::call("whoami").token(&format!("{signed}.{tag}")).of(&service).await;
    assert_eq!(reply.refusal(), (401, Some(&*expected)));
}

#[tokio::test]
async fn a_verifier_can_be_stricter_and_take_another_audience() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let strict = service(eager(&issuer).only_access_tokens());
    let jwt = altered(&issuer, &key, "header", "typ", json!("JWT"));
    assert_eq!(Ask::call("whoami").token(&jwt).of(&strict).await.status, 401);
    assert_eq!(Ask::call("whoami").token(&token(&issuer, &key, "")).of(&strict).await.status, 200);
    let pinned = service(eager(&issuer).algorithms([JwtAlgorithm::Rs256]));
    let expected = challenge("invalid_token", "the token's algorithm is not taken here");
    let reply = Ask::call("whoami").token(&token(&issuer, &key, "")).of(&pinned).await;
    assert_eq!(reply.refusal(), (401, Some(&*expected)));
    let named = service(eager(&issuer).audience("api://notes"));
    let other = altered(&issuer, &key, "claims", "aud", json!("api://notes"));
    assert_eq!(Ask::call("whoami").token(&other).of(&named).await.status, 200);
    assert_eq!(Ask::call("whoami").token(&token(&issuer, &key, "")).of(&named).await.status, 401, "exactly that one");
}

#[tokio::test]
async fn what_a_token_must_allow_is_told_from_the_beginning() {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let authorization = Authorization::new(RESOURCE, eager(&issuer)).required_scopes(["base"]);
    let service = server().authorization(authorization).into_service().expect("it builds");
    let reply = Ask::call("whoami").of(&service).await;
    assert_eq!(reply.refusal(), (401, Some(&*format!("Bearer {METADATA}, scope=\"base\""))));
    let text = challenge("insufficient_scope", "the token does not allow this");
    let reply = Ask::call("whoami").token(&token(&issuer, &key, "read")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*format!("{text}, scope=\"base\""))));
    let reply = Ask::call("write_notes").token(&token(&issuer, &key, "base")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*format!("{text}, scope=\"base read write\""))));
    assert_eq!(Ask::call("whoami").token(&token(&issuer, &key, "base")).of(&service).await.status, 200);
    let authorization =
        Authorization::new(RESOURCE, eager(&issuer)).required_scopes(["base"]).scopes_supported(["read", "base"]);
    let service = server().authorization(authorization).into_service().expect("it builds");
    let reply = Ask::call("whoami").of(&service).await;
    assert_eq!(reply.refusal(), (401, Some(&*format!("Bearer {METADATA}, scope=\"base read\""))));
    let reply = Ask::call("whoami").token("junk").of(&service).await;
    let error = challenge("invalid_token", "the token is no signed JWT");
    assert_eq!(reply.refusal(), (401, Some(&*format!("{error}, scope=\"base read\""))));
    let reply = Ask::call("whoami").token(&token(&issuer, &key, "read")).of(&service).await;
    assert_eq!(reply.refusal(), (403, Some(&*format!("{text}, scope=\"base\""))), "what it takes, and no more");
}

/// Is never done, or panics, or cannot tell.
struct Broken(&'static str);

impl TokenVerifier for Broken {
    fn verify<'a>(&'a self, _: BearerToken<'a>) -> VerifyFuture<'a> {
        Box::pin(async move {
            match self.0 {
                "hangs" => std::future::pending().await,
                "panics" => panic!("on purpose"),
                _ => Err(TokenError::unavailable("the database is away")),
            }
        })
    }

    fn issuers(&self) -> Vec<String> {
        vec!["https://login.example.com".to_owned()]
    }
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_cannot_tell_blames_no_token() {
    for (kind, status) in [("hangs", 503), ("panics", 500), ("fails", 503)] {
        let reply = Ask::call("whoami").token("x").of(&service(Broken(kind))).await;
        assert_eq!(reply.refusal(), (status, None), "{kind}");
        assert!(!reply.body.contains("database"), "{}", reply.body);
    }
}

#[test]
fn settings_that_cannot_work_are_found_when_the_server_is_built() {
    let good = || Authorization::new(RESOURCE, mcp_runtime::JwtVerifier::new("https://login.example.com"));
    let problems = |authorization: Authorization| {
        let error = server().authorization(authorization).build().map(|_| ()).expect_err("it must not build");
        error.problems().join("\n")
    };
    assert!(server().authorization(good()).build().is_ok());
    let verifier = |issuer: &str| mcp_runtime::JwtVerifier::new(issuer);
    for (authorization, word) in [
        (Authorization::new("mcp.example.com", verifier("https://login.example.com")), "resource"),
        (Authorization::new("http://mcp.example.com/mcp", verifier("https://login.example.com")), "https"),
        (Authorization::new("https://mcp.example.com/mcp#x", verifier("https://login.example.com")), "fragment"),
        (Authorization::new(RESOURCE, verifier("http://login.example.com")), "issuer"),
        (Authorization::new(RESOURCE, verifier("https://a").jwks_uri("http://b/keys")), "jwks_uri"),
        (Authorization::new(RESOURCE, verifier("https://a").algorithms([])), "algorithms"),
        (good().authorization_server("login"), "server"),
        (good().required_scopes(["a b"]), "scope"),
        (good().scopes_supported(["offline_access"]), "offline_access"),
        (good().scope_implies("all", ["\""]), "scope"),
    ] {
        let found = problems(authorization);
        assert!(found.contains(word) && found.contains("authorization: "), "{word}: {found}");
    }
}
