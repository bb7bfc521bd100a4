//! See `mcp_fuzz::headers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::headers::check(data));
