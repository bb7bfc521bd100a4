//! Formatting, checked and never changed.

use crate::{Result, cargo};

pub(super) fn run() -> Result {
    cargo::run(["fmt", "--all", "--check"])?;
    cargo::run(["fmt", "--all", "--check", "--manifest-path", "tests/hygiene/Cargo.toml"])?;
    cargo::run(["fmt", "--all", "--check", "--manifest-path", "bench/compile/Cargo.toml"])?;
    cargo::run(["fmt", "--all", "--check", "--manifest-path", "fuzz/Cargo.toml"])
}
