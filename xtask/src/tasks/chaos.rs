//! The server over HTTP, killed twenty times under load: clients recover, and none is served what is another's.

use std::process::Command;
use std::time::Duration;

use crate::{Result, cargo, process};

/// A run takes seconds; on a busy machine, or with many more kills, it may take minutes.
const LIMIT: Duration = Duration::from_secs(20 * 60);

pub(super) fn run() -> Result {
    run_with(&[])
}

/// Runs it with options: `--kills N`, `--seed N`.
pub(crate) fn run_with(options: &[&str]) -> Result {
    let programs = cargo::build(["--profile", "soak", "--package", "mcp-endurance"])?;
    process::run(Command::new(cargo::program(&programs, "chaos")?).args(options), LIMIT)
}
