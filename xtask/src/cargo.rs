//! Where the repository is, and cargo itself.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::{Result, process};

/// The longest that one build, lint or test command may take.
pub(crate) const BUILD_LIMIT: Duration = Duration::from_secs(25 * 60);

/// The repository's root: the folder above this package.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
    Path::new(&package).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A folder for what tasks leave behind, ignored by git.
pub(crate) fn scratch(name: &str) -> PathBuf {
    root().join("target/xtask").join(name)
}

/// The cargo that runs this program, in the repository's root.
pub(crate) fn command<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root()).args(args);
    command
}

/// Runs cargo with its output passed through.
pub(crate) fn run<'a>(args: impl IntoIterator<Item = &'a str>) -> Result {
    process::run(&mut command(args), BUILD_LIMIT)
}

/// Builds examples and gives their programs by name. They are asked for as the README asks for them: naming the package
/// would choose other features for what they depend on, and build that once more.
pub(crate) fn build_examples(names: &[&str]) -> Result<BTreeMap<String, PathBuf>> {
    build_programs(&names.iter().map(|name| ("--example", *name)).collect::<Vec<_>>())
}

/// As [`build_examples`], for programs of any kind: `--example` or `--bin`, and the name.
pub(crate) fn build_programs(targets: &[(&str, &str)]) -> Result<BTreeMap<String, PathBuf>> {
    let programs = build(targets.iter().flat_map(|(kind, name)| [*kind, *name]))?;
    targets.iter().try_for_each(|(_, name)| program(&programs, name).map(drop))?;
    Ok(programs)
}

/// Builds what the arguments say and gives the programs by name.
pub(crate) fn build<'a>(args: impl IntoIterator<Item = &'a str>) -> Result<BTreeMap<String, PathBuf>> {
    let mut build = command(["build", "--message-format=json-render-diagnostics"]);
    Ok(executables(&process::stdout(build.args(args), BUILD_LIMIT)?))
}

/// One of the programs that were built.
pub(crate) fn program<'p>(programs: &'p BTreeMap<String, PathBuf>, name: &str) -> Result<&'p Path> {
    programs.get(name).map(PathBuf::as_path).ok_or_else(|| format!("cargo built no {name}"))
}

/// The programs that cargo's messages tell of, by target name.
fn executables(messages: &str) -> BTreeMap<String, PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages
        .filter_map(|message| Some((text(&message["target"]["name"])?, text(&message["executable"])?.into())))
        .collect()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_read_from_artifact_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"mcp_runtime"},"executable":null}"#,
            "\nnot json\n",
            r#"{"reason":"compiler-artifact","target":{"name":"quickstart"},"executable":"/t/quickstart"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let programs = executables(messages);
        assert_eq!(
            programs.into_iter().collect::<Vec<_>>(),
            [("quickstart".to_owned(), PathBuf::from("/t/quickstart"))]
        );
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("Cargo.lock").is_file());
    }
}
