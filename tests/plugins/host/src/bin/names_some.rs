//! Names something of one crate, on two ways, and nothing of another: a crate's functions are there when it is named.

use mcp_runtime::prelude::*;
use plugin_host::show;

// All that is named outside of the explicit lists.
const _: u8 = plugin::NAMED + plugin_facade::plugin::NAMED;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    show("registered", server!().state(plugin::Object))?;
    show("by path", server!().tools(tools![plugin::a::b::deep, plugin_facade::plugin::top]))?;
    show(
        "by list",
        server!().functions(plugin::Object::functions()).functions(plugin::module::functions()).state(plugin::Object),
    )
}
