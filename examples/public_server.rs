//! A server as it stands on the internet: who may call, by which names, how much of it, what is seen of that, and how it ends.
//!
//! Behind a proxy that speaks TLS and tells for whom it asks:
//!
//! ```sh
//! export MCP_HOST=mcp.example.com MCP_ISSUER=https://login.example.com MCP_PROXY=10.0.0.0/8
//! cargo run --example public_server --features examples/public -- serve --http 0.0.0.0:8080
//! ```
//!
//! With TLS of its own: `MCP_CERTIFICATE` and `MCP_KEY`, two PEM files, in place of `MCP_PROXY`. Servers that share their clients
//! share `MCP_STATE_KEYS` as well.

use mcp_runtime::prelude::*;
use mcp_runtime::{Audit, Authorization, ForwardingHeader, JwtVerifier, Server, Tls};
use std::time::Duration;

/// Counts the words of a text.
#[mcp_tool(read_only, scopes("texts:read"))]
fn count_words(#[arg(max_length = 100_000)] text: String) -> usize {
    text.split_whitespace().count()
}

/// The server, as `var` configures it.
pub(crate) fn server(var: impl Fn(&str) -> Option<String>) -> Result<Server, String> {
    let needed = |name: &str| var(name).ok_or_else(|| format!("{name} is not set"));
    let host = needed("MCP_HOST")?;
    // Nobody calls without a token of this issuer, which it has made for this server.
    let tokens = Authorization::new(format!("https://{host}/mcp"), JwtVerifier::new(needed("MCP_ISSUER")?));
    let server = server!()
        .tools(tools![count_words])
        .authorization(tokens.scopes_supported(["texts:read"]))
        // The names that it is reached by, and the pages that may use it.
        .allowed_hosts([host])
        .allowed_origins(["https://app.example.com"])
        // What each caller may take, what all of them may, and what one call may.
        .rate_limit_per_principal(60, Duration::from_secs(60))
        .concurrency_per_principal(4)
        .rate_limit_per_server(100, Duration::from_secs(1))
        .concurrency_per_server(32)
        .timeout(Duration::from_secs(30))
        .max_output(256 * 1024)
        .max_body_size(512 * 1024)
        .max_sessions_per_principal(20)
        .max_connections_per_address(100)
        // A line for each request, with an id that its response has, too; and whether it is there.
        .request_ids(true)
        .audit(Audit::new())
        .health("/healthz", "/readyz")
        // When it is told to end, others take over, and then what is under way may finish.
        .shutdown_delay(Duration::from_secs(5))
        .shutdown_grace(Duration::from_secs(20));
    match var("MCP_PROXY") {
        Some(proxy) => Ok(server.trusted_proxies([proxy], ForwardingHeader::XForwardedFor)),
        None => Ok(server.tls(Tls::from_pem_files(needed("MCP_CERTIFICATE")?, needed("MCP_KEY")?))),
    }
}

mcp_main!(server(|name| std::env::var(name).ok()));
