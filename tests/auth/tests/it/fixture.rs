//! The server that the tests ask.

use mcp_auth_tests::{Issuer, Key};
use mcp_runtime::prelude::*;
use mcp_runtime::{Authorization, HttpService, JwtVerifier, Server};
use std::time::Duration;

pub(crate) const RESOURCE: &str = "https://mcp.example.com/mcp";
pub(crate) const METADATA: &str =
    "resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\"";

/// For everybody with a token.
#[mcp_tool]
fn whoami(principal: &Principal) -> String {
    principal.as_str().to_owned()
}

/// For readers.
#[mcp_tool(scopes("read"))]
fn read_notes(principal: Principal, cx: Context) -> String {
    let email = principal.claim("email").and_then(|email| email.as_str()).unwrap_or("nobody");
    let header = cx.header("authorization").unwrap_or("no header".to_owned());
    format!("{email}, {header}, {}", cx.principal() == Some(&principal))
}

/// For those who may read and write.
#[mcp_tool(scopes("read", "write"))]
fn write_notes() -> &'static str {
    "written"
}

/// Tells whether it is known who calls.
#[mcp_tool]
fn is_known(principal: Option<Principal>) -> bool {
    principal.is_some()
}

/// For writers.
#[mcp_resource(uri = "notes://{id}", scopes("write"))]
fn note(id: String) -> String {
    id
}

/// For readers.
#[mcp_resource(uri = "notes://index", scopes("read"))]
fn index() -> &'static str {
    "index"
}

/// The caller's own.
#[mcp_resource(uri = "own://name")]
fn own(principal: Principal) -> String {
    principal.as_str().to_owned()
}

/// The same for everybody.
#[mcp_resource(uri = "common://word")]
fn common() -> &'static str {
    "word"
}

/// For writers.
#[mcp_prompt(scopes("write"))]
fn draft() -> &'static str {
    "Write."
}

pub(crate) fn server() -> Server {
    let server = Server::new("protected", "1").tools(tools![whoami, read_notes, write_notes, is_known]);
    server.resources(resources![note, index, own, common]).prompts(prompts![draft])
}

/// A verifier that fetches keys as often as tokens make it.
pub(crate) fn eager(issuer: &Issuer) -> JwtVerifier {
    JwtVerifier::new(issuer.url()).keys_interval(Duration::ZERO)
}

pub(crate) fn service(verifier: impl mcp_runtime::TokenVerifier) -> HttpService {
    server().authorization(Authorization::new(RESOURCE, verifier)).into_service().expect("it builds")
}

/// An issuer with a key, and a server that takes its tokens.
pub(crate) async fn stage() -> (Issuer, Key, HttpService) {
    let key = Key::new("k1", "ES256");
    let issuer = Issuer::start(&[&key]).await;
    let service = service(eager(&issuer));
    (issuer, key, service)
}

/// A token with these scopes.
pub(crate) fn token(issuer: &Issuer, key: &Key, scope: &str) -> String {
    let mut claims = issuer.claims(RESOURCE);
    claims["scope"] = scope.into();
    key.token(&claims)
}
