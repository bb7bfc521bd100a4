//! `add` beside others: 200 tools, as the documentation builds it.

include!("../tools/plain.rs");
include!(concat!(env!("OUT_DIR"), "/tools_200.rs"));
