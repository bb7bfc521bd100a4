//! The example with exporters of OpenTelemetry, a workspace of its own: it is built, linted, and sends to a collector of its test.

use crate::{Result, cargo, process};

const WORKSPACE: &str = "examples/otlp";

pub(super) fn run() -> Result {
    let directory = cargo::root().join(WORKSPACE);
    for arguments in [
        &["fmt", "--check"][..],
        &["clippy", "--locked", "--all-targets", "--", "-D", "warnings"],
        &["test", "--locked"],
    ] {
        let mut command = cargo::command(arguments.iter().copied());
        command.current_dir(&directory).env("CARGO_TARGET_DIR", cargo::root().join("target/otlp"));
        process::run(&mut command, cargo::BUILD_LIMIT)?;
    }
    Ok(())
}
