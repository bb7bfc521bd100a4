//! Shows a token to a server that takes those of an issuer, and prints the status: a process of its own, for tests of what the
//! environment decides. `ask-once ISSUER RESOURCE TOKEN`
#![allow(clippy::print_stdout, reason = "the status is what it is for")]

use mcp_auth_tests::Ask;
use mcp_runtime::prelude::*;
use mcp_runtime::{Authorization, JwtVerifier, Server};

/// Tells who calls.
#[mcp_tool]
fn whoami(principal: &Principal) -> String {
    principal.as_str().to_owned()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let [issuer, resource, token] = [1, 2, 3].map(|place| std::env::args().nth(place).expect("three arguments"));
    let authorization = Authorization::new(resource, JwtVerifier::new(issuer));
    let server = Server::new("once", "1").tools(tools![whoami]).authorization(authorization);
    let service = server.into_service().expect("it builds");
    println!("{}", Ask::call("whoami").token(&token).of(&service).await.status);
}
