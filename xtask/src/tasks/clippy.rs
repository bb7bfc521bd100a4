//! Lints over every target with every feature.

use crate::{Result, cargo};

pub(super) fn run() -> Result {
    cargo::run(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}
