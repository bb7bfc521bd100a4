//! See `mcp_fuzz::cursors`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::cursors::check(data));
