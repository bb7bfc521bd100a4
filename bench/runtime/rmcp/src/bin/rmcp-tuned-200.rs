//! `add` beside others: 200 tools, tuned.

include!("../tools/tuned.rs");
include!(concat!(env!("OUT_DIR"), "/tools_200.rs"));
