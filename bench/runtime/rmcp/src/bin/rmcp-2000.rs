//! `add` beside others: 2000 tools, as the documentation builds it.

include!("../tools/plain.rs");
include!(concat!(env!("OUT_DIR"), "/tools_2000.rs"));
