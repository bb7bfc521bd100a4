//! The documentation, with its warnings denied.

use crate::{Result, cargo, process};

pub(super) fn run() -> Result {
    let mut doc = cargo::command(["doc", "--workspace", "--no-deps", "--all-features"]);
    process::run(doc.env("RUSTDOCFLAGS", "-D warnings"), cargo::BUILD_LIMIT)
}
