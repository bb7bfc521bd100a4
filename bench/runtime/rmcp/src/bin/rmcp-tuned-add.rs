//! One tool that adds two numbers, tuned.

include!("../tools/tuned.rs");
include!("../tools/add.rs");
