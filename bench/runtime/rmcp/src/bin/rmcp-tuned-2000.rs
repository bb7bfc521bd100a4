//! `add` beside others: 2000 tools, tuned.

include!("../tools/tuned.rs");
include!("../tools/many.rs");
