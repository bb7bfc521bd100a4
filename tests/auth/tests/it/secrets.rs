//! Tokens are secrets.

use super::fixture::{RESOURCE, eager, server, service, token};
use mcp_auth_tests::{Ask, Issuer, Key};
use mcp_runtime::{
    Authorization, BearerToken, IntrospectionVerifier, Principal, TokenError, TokenVerifier, VerifyFuture,
};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Everything that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("whole").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_token_reaches_a_log_or_an_answer() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_writer(move || writer.clone()).with_max_level(tracing::Level::TRACE).finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let jwt = service(eager(&issuer));
    let introspecting =
        service(IntrospectionVerifier::new(issuer.url(), format!("{}/introspect", issuer.url()), "client", "hunter2"));
    let (good, strange) = (token(&issuer, &key, "read"), token(&issuer, &Key::new("k2", "ES256"), "read"));
    let mut answers = String::new();
    for service in [&jwt, &introspecting] {
        for token in [&good, &strange] {
            for ask in [Ask::call("read_notes"), Ask::call("write_notes"), Ask::call("whoami").token(token)] {
                let reply = ask.token(token).of(service).await;
                answers.push_str(&format!("{:?}{}", reply.headers, reply.body));
            }
        }
    }
    let logged = String::from_utf8(log.0.lock().expect("whole").clone()).expect("text");
    assert!(logged.contains("cannot be verified"), "something was logged: {logged}");
    for token in [&good, &strange] {
        for part in token.split('.').chain(["hunter2"]) {
            assert!(!logged.contains(part) && !answers.contains(part), "{part} in {logged}{answers}");
        }
    }
}

/// Shows what it gets.
struct Showing(Arc<Mutex<String>>);

impl TokenVerifier for Showing {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a> {
        *self.0.lock().expect("whole") = format!("{token:?} {} {}", token.is("s3cret"), token.is("s3creT"));
        Box::pin(async move {
            match token.secret() {
                "s3cret" => Ok(Principal::new("operator")),
                _ => Err(TokenError::invalid("unknown")),
            }
        })
    }
}

#[tokio::test]
async fn debug_output_shows_nothing() {
    let shown = Arc::new(Mutex::new(String::new()));
    let authorization = Authorization::new(RESOURCE, Showing(Arc::clone(&shown)));
    let text = format!("{authorization:?}");
    let service =
        server().authorization(authorization.authorization_server("https://a")).into_service().expect("it builds");
    assert_eq!(Ask::call("whoami").token("s3cret").of(&service).await.text(), "operator");
    let shown = shown.lock().expect("whole").clone();
    assert!(shown.ends_with(" true false") && !shown.contains("s3cret"), "{shown}");
    let claims = serde_json::json!({"email": "ada@example.com"});
    let principal = Principal::new("ada").with_claims(claims.as_object().expect("an object").clone());
    let verifier = IntrospectionVerifier::new("https://a", "https://a/i", "client", "hunter2");
    let all = format!("{text}{principal:?}{verifier:?}{service:?}{:?}", service.metadata());
    assert!(!all.contains("hunter2") && !all.contains("aHVudGVyMg") && !all.contains("example.com\""), "{all}");
}
