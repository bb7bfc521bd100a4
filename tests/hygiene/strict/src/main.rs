//! A program under every lint that its author could find.
#![deny(warnings, missing_docs, unused, dead_code, unreachable_pub, unexpected_cfgs, unused_qualifications)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]

use strict::everything::listed;

mcp_runtime::mcp_main!(listed());
