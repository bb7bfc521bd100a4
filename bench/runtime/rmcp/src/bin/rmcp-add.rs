//! One tool that adds two numbers, as the documentation builds it.

include!("../tools/plain.rs");
include!("../tools/add.rs");
