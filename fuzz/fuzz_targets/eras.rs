//! See `mcp_fuzz::eras`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::eras::check(data));
