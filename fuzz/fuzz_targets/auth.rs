//! See `mcp_fuzz::auth`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::auth::check(data));
