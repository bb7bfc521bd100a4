//! Lints over every target with every feature.

use crate::{Result, cargo};

const DENY: [&str; 3] = ["--", "-D", "warnings"];

pub(super) fn run() -> Result {
    cargo::run(["clippy", "--workspace", "--all-targets", "--all-features"].into_iter().chain(DENY))?;
    beside("bench/compile/Cargo.toml", &[])?;
    // Without the programs, for which libFuzzer would have to be built.
    beside("fuzz/Cargo.toml", &["--no-default-features"])
}

/// The same for a workspace beside this one, with the versions that its lock file names.
fn beside(manifest: &str, features: &[&str]) -> Result {
    let clippy = ["clippy", "--manifest-path", manifest, "--locked"];
    cargo::run(clippy.into_iter().chain(features.iter().copied()).chain(DENY))
}
