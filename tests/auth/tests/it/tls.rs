//! Issuers that are reached by HTTPS.

use super::fixture::{RESOURCE, token};
use mcp_auth_tests::{Issuer, Key};
use std::path::Path;
use std::process::Command;

/// What a server answers whose machine trusts the certificates of a file.
async fn status(issuer: &Issuer, token: &str, trusted: &Path) -> String {
    let mut ask = Command::new(env!("CARGO_BIN_EXE_ask-once"));
    ask.args([&issuer.url(), RESOURCE, token]).env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR");
    let output = tokio::task::spawn_blocking(move || ask.output()).await.expect("it runs").expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

#[tokio::test]
async fn only_an_issuer_whose_certificate_is_trusted_is_believed() {
    let key = Key::new("k1", "ES256");
    let (issuer, certificate) = Issuer::start_tls(&[&key]).await;
    let (_, other) = Issuer::start_tls(&[]).await;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let write = |name: &str, pem: &str| {
        let path = folder.join(name);
        std::fs::write(&path, pem).expect("it is written");
        path
    };
    let token = token(&issuer, &key, "");
    assert_eq!(status(&issuer, &token, &write("trusted.pem", &certificate)).await, "200");
    let asked = issuer.seen().len();
    assert_eq!(status(&issuer, &token, &write("other.pem", &other)).await, "503");
    assert_eq!(status(&issuer, &token, &write("none.pem", "")).await, "503");
    assert_eq!(issuer.seen().len(), asked, "nothing was said to a stranger");
}
