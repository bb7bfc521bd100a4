//! Programs of Debian's packages, installed where they are missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, process};

const INSTALL_LIMIT: Duration = Duration::from_secs(5 * 60);
const PROBE_LIMIT: Duration = Duration::from_secs(30);

/// The first of the candidates that runs with `probe`, which makes it say its version; if none does, the package is installed.
pub(crate) fn program(package: &str, candidates: &[&str], probe: &str) -> Result<PathBuf> {
    if let Some(program) = find(candidates, probe) {
        return Ok(program);
    }
    println!("installing {package}");
    // The list of packages may be older than what the mirrors still hold.
    let outcome = apt_get(&["update"]).and_then(|()| apt_get(&["install", "-y", "--no-install-recommends", package]));
    outcome.map_err(|error| format!("{package} is not here and cannot be installed: {error}"))?;
    find(candidates, probe).ok_or_else(|| format!("{package} was installed, but no {} runs", candidates.join(" or ")))
}

fn find(candidates: &[&str], probe: &str) -> Option<PathBuf> {
    let runs = |program: &Path| {
        let mut command = Command::new(program);
        process::output(command.arg(probe).stderr(Stdio::piped()), PROBE_LIMIT).is_ok_and(|seen| seen.status.success())
    };
    candidates.iter().map(PathBuf::from).find(|program| runs(program))
}

/// Runs apt-get, with the rights of the system's owner if this user has not got them.
fn apt_get(args: &[&str]) -> Result {
    let run = |command: &mut Command| {
        command.args(["-q"]).args(args).env("DEBIAN_FRONTEND", "noninteractive").stderr(Stdio::piped());
        process::stdout(command, INSTALL_LIMIT).map(drop)
    };
    run(&mut Command::new("apt-get"))
        .or_else(|error| run(Command::new("sudo").args(["-n", "apt-get"])).map_err(|_| error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_runs_is_taken() {
        assert_eq!(find(&["/no/such/program", "true"], "--version"), Some(PathBuf::from("true")));
        assert_eq!(find(&["/no/such/program"], "-v"), None);
    }
}
