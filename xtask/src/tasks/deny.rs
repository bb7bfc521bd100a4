//! What is depended on: its licences, its sources, its versions, and what is known to be wrong with it.

mod snapshot;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::{Result, cargo, process};

const VERSION: &str = "0.20.2";
/// What `cargo-deny` of that version calls the database at the address that it knows, in the folder that `deny.toml` names.
const DATABASE: &str = "target/xtask/advisory-dbs/advisory-db-3157b0e258782691";
const INSTALL_LIMIT: Duration = Duration::from_secs(15 * 60);
const FETCH_LIMIT: Duration = Duration::from_secs(90);
const CHECK_LIMIT: Duration = Duration::from_secs(5 * 60);

/// The workspaces that stand beside that of the repository's root, so that what they depend on is no part of it. That may be there in
/// several versions, but has to be free, from where we know, and sound.
const BESIDE: [&str; 2] = ["examples/otlp", "fuzz"];

/// Checks everything. Advisories are those of today where their database can be reached, else those that the repository keeps.
pub(super) fn run() -> Result {
    let tool = tool()?;
    check(&tool, ".", &["check", "--hide-inclusion-graph", "bans"])?;
    let kept = if fetch(&tool).is_err() { Some(snapshot::notice(SystemTime::now())?) } else { None };
    let mut advisories: &[&str] = &["check", "advisories"];
    if kept.is_some() {
        snapshot::lay_out(&database())?;
        advisories = &["--offline", "check", "advisories"];
    }
    for workspace in ["."].into_iter().chain(BESIDE) {
        check(&tool, workspace, &["check", "licenses", "sources"])?;
        check(&tool, workspace, advisories)?;
    }
    // Last, where it is seen.
    if let Some(notice) = kept {
        println!("{notice}");
    }
    Ok(())
}

/// Writes the kept advisories anew from a database of today.
pub(crate) fn write_snapshot() -> Result {
    fetch(&tool()?)?;
    snapshot::take(&database())
}

fn database() -> PathBuf {
    cargo::root().join(DATABASE)
}

/// `cargo-deny`, installed into the target folder unless it is there. Without optimization it is ready in half the time, and
/// still checks in seconds.
fn tool() -> Result<PathBuf> {
    let folder = cargo::scratch(&format!("cargo-deny-{VERSION}"));
    let program = folder.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        let mut install =
            cargo::command(["install", "cargo-deny", "--version", VERSION, "--locked", "--debug", "--quiet"]);
        // Elsewhere its build would be in the way of the project's own.
        install.arg("--root").arg(&folder).arg("--target-dir").arg(folder.join("build"));
        process::run(&mut install, INSTALL_LIMIT)?;
        let _ = std::fs::remove_dir_all(folder.join("build"));
    }
    Ok(program)
}

fn command(tool: &PathBuf, workspace: &str, args: &[&str]) -> Command {
    let mut command = Command::new(tool);
    command.current_dir(cargo::root()).args(["--all-features", "--config", "deny.toml", "--manifest-path"]);
    command.arg(cargo::root().join(workspace).join("Cargo.toml")).args(args);
    command
}

/// Fetches the database; what stands in the way is no matter for whoever reads the output.
fn fetch(tool: &PathBuf) -> Result {
    let mut fetch = command(tool, ".", &["fetch", "db"]);
    process::run(fetch.env("GIT_TERMINAL_PROMPT", "0").stdout(Stdio::null()).stderr(Stdio::null()), FETCH_LIMIT)
}

fn check(tool: &PathBuf, workspace: &str, args: &[&str]) -> Result {
    process::run(&mut command(tool, workspace, args), CHECK_LIMIT)
}
