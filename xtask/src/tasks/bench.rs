//! The measurements of running servers: a workspace of its own, so that no peer is ever part of a normal build.

use std::time::Duration;

use crate::{Result, cargo, process};

/// The first run builds every server with fat LTO.
const LIMIT: Duration = Duration::from_secs(90 * 60);

/// Runs the harness with the arguments as they are.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let manifest = cargo::root().join("bench/runtime/Cargo.toml");
    let mut command = cargo::command(["run", "--quiet", "--release", "--package", "harness", "--manifest-path"]);
    process::run(command.arg(manifest).arg("--").args(arguments), LIMIT)
}
