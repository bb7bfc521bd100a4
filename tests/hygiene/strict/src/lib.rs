//! A library under every lint that its author could find.
#![deny(warnings, missing_docs, unused, dead_code, unreachable_pub, unexpected_cfgs)]
#![deny(rust_2018_idioms, nonstandard_style, future_incompatible, let_underscore)]
#![deny(missing_copy_implementations, missing_debug_implementations, single_use_lifetimes, trivial_casts)]
#![deny(unused_qualifications, unused_lifetimes, unused_import_braces, unused_results, unused_macro_rules)]
#![deny(elided_lifetimes_in_paths, explicit_outlives_requirements, unit_bindings, variant_size_differences)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]
#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]
#![allow(clippy::multiple_crate_versions, clippy::cargo_common_metadata, reason = "of the whole tree")]

#[path = "../../everything.rs"]
pub mod everything;
