//! A server under load and faults, and the clients that watch it: `tests/endurance`.

use std::process::Command;
use std::time::Duration;

use crate::{Result, cargo, process};

/// How long the server is kept busy as a step of `ci`, and when somebody asks for it, in seconds.
const STEP: u64 = 60;
const ALONE: u64 = 600;
/// How much longer the end of a run may take, when the last clients are awaited.
const END: Duration = Duration::from_secs(5 * 60);
const USAGE: &str = "cargo xtask soak [--seconds N] [--seed N]";

/// The step of `ci`.
pub(super) fn run() -> Result {
    soak(&Options { seconds: STEP, seed: None })
}

/// The command with its arguments.
pub(crate) fn run_with(arguments: &[&str]) -> Result {
    soak(&parse(arguments)?)
}

/// What the command line asks for.
#[derive(Debug, PartialEq)]
struct Options {
    seconds: u64,
    /// None: another one each time.
    seed: Option<u64>,
}

fn soak(options: &Options) -> Result {
    if cfg!(not(target_os = "linux")) {
        println!("left out: memory, threads and file descriptors of another process are read as Linux tells them");
        return Ok(());
    }
    let programs = cargo::build(["--profile", "soak", "--package", "mcp-endurance"])?;
    let mut soak = Command::new(cargo::program(&programs, "soak")?);
    soak.arg("--seconds").arg(options.seconds.to_string());
    if let Some(seed) = options.seed {
        soak.arg("--seed").arg(seed.to_string());
    }
    process::run(&mut soak, Duration::from_secs(options.seconds) + END)
}

fn parse(arguments: &[&str]) -> Result<Options> {
    let mut options = Options { seconds: ALONE, seed: None };
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        let number = arguments.next().and_then(|number| number.parse().ok());
        match (*name, number) {
            ("--seconds", Some(seconds)) if seconds > 0 => options.seconds = seconds,
            ("--seed", Some(seed)) => options.seed = Some(seed),
            _ => return Err(format!("usage: {USAGE}")),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_says_how_long_and_with_what_seed() {
        assert_eq!(parse(&[]), Ok(Options { seconds: ALONE, seed: None }));
        assert_eq!(parse(&["--seed", "7", "--seconds", "5"]), Ok(Options { seconds: 5, seed: Some(7) }));
        for arguments in [["--seconds", "0"].as_slice(), &["--seconds"], &["--seed", "x"], &["5"]] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
