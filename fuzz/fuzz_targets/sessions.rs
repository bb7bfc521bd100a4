//! See `mcp_fuzz::sessions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::sessions::check(data));
