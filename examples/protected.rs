//! A server that needs access tokens: who calls decides whose notes there are, and what may be done with them.
//!
//! ```sh
//! export MCP_RESOURCE=http://127.0.0.1:8080/mcp MCP_ISSUER=https://login.example.com
//! cargo run --example protected --features examples/auth -- serve --http 127.0.0.1:8080
//! ```
//!
//! Tokens are JWTs of the issuer, or, if `MCP_INTROSPECTION` names an endpoint, any that the issuer calls active; it is then
//! asked as the client `MCP_CLIENT_ID` with the secret `MCP_CLIENT_SECRET`.

use mcp_runtime::prelude::*;
use mcp_runtime::{Authorization, IntrospectionVerifier, JwtVerifier, Server};
use std::collections::HashMap;
use std::env::{VarError, var};
use std::sync::{Mutex, PoisonError};

/// Everybody's notes, by who wrote them.
#[derive(Default)]
struct Notes(Mutex<HashMap<String, Vec<String>>>);

impl Notes {
    fn of<T>(&self, principal: &Principal, look: impl FnOnce(&mut Vec<String>) -> T) -> T {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(notes.entry(principal.as_str().to_owned()).or_default())
    }
}

/// Tells who calls.
#[mcp_tool(read_only)]
fn who_am_i(principal: Principal) -> String {
    principal.as_str().to_owned()
}

/// Lists the caller's notes.
#[mcp_tool(read_only, scopes("notes:read"))]
fn list_notes(principal: Principal, notes: State<Notes>) -> Vec<String> {
    notes.of(&principal, |notes| notes.clone())
}

/// Keeps a note of the caller's.
#[mcp_tool(scopes("notes:read", "notes:write"))]
fn keep_note(
    /// What to keep.
    text: String,
    principal: Principal,
    notes: State<Notes>,
) -> String {
    let count = notes.of(&principal, |notes| {
        notes.push(text);
        notes.len()
    });
    format!("There are {count} notes now.")
}

fn server() -> Result<Server, VarError> {
    let server = server!().state(Notes::default());
    // Over stdio and on the command line there is nobody to authorize.
    let Ok(resource) = var("MCP_RESOURCE") else { return Ok(server) };
    let issuer = var("MCP_ISSUER")?;
    let authorization = match var("MCP_INTROSPECTION") {
        Ok(endpoint) => {
            let (client, secret) = (var("MCP_CLIENT_ID")?, var("MCP_CLIENT_SECRET")?);
            Authorization::new(resource, IntrospectionVerifier::new(issuer, endpoint, client, secret))
        }
        Err(_) => Authorization::new(resource, JwtVerifier::new(issuer)),
    };
    let authorization = authorization.scopes_supported(["notes:read"]).scope_implies("notes:write", ["notes:read"]);
    Ok(server.authorization(authorization))
}

mcp_main!(server());
