//! See `mcp_fuzz::revisions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::revisions::check(data));
