//! `add` beside others: 2000 tools, as the documentation builds it.

include!("../tools/plain.rs");
include!("../tools/many.rs");
