//! See `mcp_fuzz::request_state`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::request_state::check(data));
