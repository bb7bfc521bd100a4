//! `add` beside others: 2000 tools, tuned.

include!("../tools/tuned.rs");
include!(concat!(env!("OUT_DIR"), "/tools_2000.rs"));
