//! Links a crate of which it needs nothing but its functions for clients.

use mcp_runtime::server;
use plugin_host::show;
use plugin_unnamed as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    show("registered", server!())
}
