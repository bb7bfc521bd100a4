//! Lints over every target with every feature.

use crate::{Result, cargo};

pub(super) fn run() -> Result {
    cargo::run(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])?;
    cargo::run(["clippy", "--manifest-path", "bench/compile/Cargo.toml", "--locked", "--", "-D", "warnings"])?;
    cargo::run([
        "clippy",
        "--manifest-path",
        "fuzz/Cargo.toml",
        "--locked",
        "--no-default-features",
        "--",
        "-D",
        "warnings",
    ])
}
