//! The runtime's locks under a model checker, which tries orders of threads: the scenarios stand beside what they are about, in
//! files named `schedules.rs`.

use crate::{Result, cargo, process};

/// Where locks are swapped for those of the model checker: a build of its own.
const SWAPPED: &str = "--cfg shuttle -Dwarnings";
/// The features whose code shares anything among threads.
const FEATURES: &str = "stdio,sse";

pub(super) fn run() -> Result {
    let into = cargo::root().join("target/schedules");
    let mut command = cargo::command(["test", "--package", "mcp-runtime", "--lib", "--no-default-features"]);
    command.args(["--features", FEATURES, "--target-dir"]).arg(into);
    command.env("RUSTFLAGS", SWAPPED).env_remove("CARGO_ENCODED_RUSTFLAGS");
    // All scenarios of one test are run on one thread; what they print says how many orders were tried.
    command.args(["schedules::", "--", "--nocapture"]);
    process::run(&mut command, cargo::BUILD_LIMIT)
}
