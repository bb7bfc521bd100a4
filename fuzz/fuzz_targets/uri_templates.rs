//! See `mcp_fuzz::uri_templates`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_fuzz::uri_templates::check(data));
