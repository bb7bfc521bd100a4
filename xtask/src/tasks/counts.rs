//! Instructions and allocations of one call, held to a table. Both are counted, not timed: they are the same on a busy machine.
//! The workspace of the measurements has the servers and the client; its README says how they are counted.

use std::time::Duration;

use crate::{Result, cargo, debian, process};

/// The first run builds everything; each program runs under valgrind then, a minute in all.
const LIMIT: Duration = Duration::from_secs(20 * 60);

pub(super) fn run() -> Result {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("the table is one of x86-64 and Linux: nothing is counted here");
        return Ok(());
    }
    count(&[])
}

/// Writes the table anew.
pub(crate) fn write() -> Result {
    count(&["--write"])
}

fn count(arguments: &[&str]) -> Result {
    debian::program("valgrind", &["valgrind"], "--version")?;
    // Counted is what this compiler makes of the code by itself.
    let mut command =
        cargo::command(["run", "--quiet", "--profile", "counts", "--package", "harness", "--manifest-path"]);
    command.arg(cargo::root().join("bench/runtime/Cargo.toml")).args(["--", "counts"]).args(arguments);
    process::run(&mut command, LIMIT)
}
