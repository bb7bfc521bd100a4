//! The crates under `tests/hygiene`, each strange in its own way, are linted: expansions must be clean in all of them, and
//! what is wrong in the authors' own code must still be said.
//!
//! A line that ends with `// warns: LINT...` must give these warnings, and nothing else may give any.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::{Result, cargo, process};

const WORKSPACE: &str = "tests/hygiene";
const MARK: &str = "// warns: ";

/// A file, a line in it, and the lint that speaks there.
type Warning = (String, usize, String);

#[derive(Deserialize)]
struct Message {
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    code: Option<Code>,
    level: String,
    rendered: String,
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: usize,
    is_primary: bool,
}

pub(super) fn run() -> Result {
    let workspace = cargo::root().join(WORKSPACE);
    // The same versions as everywhere: nothing is resolved, downloaded or built a second time.
    let copied = std::fs::copy(cargo::root().join("Cargo.lock"), workspace.join("Cargo.lock"));
    copied.map_err(|error| format!("{WORKSPACE}/Cargo.lock: {error}"))?;
    let mut clippy = cargo::command(["clippy", "--workspace", "--keep-going", "--message-format=json"]);
    clippy.current_dir(&workspace).env("CARGO_TARGET_DIR", cargo::root().join("target"));
    let output = process::output(&mut clippy, cargo::BUILD_LIMIT)?;
    let (told, wanted) = (told(&output.stdout), wanted(&workspace)?);
    let mut problems = Vec::new();
    for ((file, line, lint), rendered) in told.iter().filter(|(warning, _)| !wanted.contains(warning)) {
        println!("{}", rendered.trim_end());
        problems.push(format!("warned at {file}:{line}: {lint}"));
    }
    for (file, line, lint) in wanted.iter().filter(|warning| !told.contains_key(warning)) {
        problems.push(format!("silent at {file}:{line}: {lint}"));
    }
    println!("{} warnings wanted, {} problems", wanted.len(), problems.len());
    match problems.as_slice() {
        [] if output.status.success() => Ok(()),
        [] => Err(format!("clippy ended with {}", output.status)),
        problems => Err(problems.join("\n")),
    }
}

/// What clippy said, from its JSON messages, and how it shows that to people.
fn told(messages: &str) -> BTreeMap<Warning, String> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()?.message);
    let spoken = messages.filter(|message| !message.spans.is_empty());
    spoken
        .map(|message| {
            let place = message.spans.into_iter().find(|span| span.is_primary);
            let (file, line) = place.map_or_else(Default::default, |span| (span.file_name, span.line_start));
            ((file, line, message.code.map_or(message.level, |code| code.code)), message.rendered)
        })
        .collect()
}

/// What the sources of the workspace's packages say that clippy must say.
fn wanted(workspace: &Path) -> Result<BTreeSet<Warning>> {
    let mut wanted = BTreeSet::new();
    let packages = std::fs::read_dir(workspace).map_err(|error| format!("{WORKSPACE}: {error}"))?;
    for package in packages.flatten() {
        for file in std::fs::read_dir(package.path().join("src")).into_iter().flatten().flatten() {
            let name = format!("{}/src/{}", package.file_name().display(), file.file_name().display());
            let text = std::fs::read_to_string(file.path()).map_err(|error| format!("{name}: {error}"))?;
            wanted.extend(marks(&name, &text));
        }
    }
    if wanted.is_empty() { Err(format!("{WORKSPACE} marks no warning")) } else { Ok(wanted) }
}

fn marks(file: &str, text: &str) -> Vec<Warning> {
    let marked = text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, line.split_once(MARK)?.1)));
    let lints = marked.flat_map(|(line, lints)| lints.split_whitespace().map(move |lint| (line, lint)));
    lints.map(|(line, lint)| (file.to_owned(), line, lint.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read() {
        let marks = marks("a.rs", "//! about\nlet x = 1; // warns: unused_variables clippy::x\n\n");
        assert_eq!(marks, [("a.rs", 2, "unused_variables"), ("a.rs", 2, "clippy::x")].map(own));
    }

    #[test]
    fn diagnostics_are_read_at_their_primary_span() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact"}"#,
            "\n",
            r#"{"message":{"code":{"code":"dead_code"},"level":"warning","rendered":"","spans":["#,
            r#"{"file_name":"b.rs","line_start":1,"is_primary":false},"#,
            r#"{"file_name":"a.rs","line_start":7,"is_primary":true}]}}"#,
            "\n",
            r#"{"message":{"code":null,"level":"warning","rendered":"1 warning emitted","spans":[]}}"#,
        );
        assert_eq!(told(messages).into_keys().collect::<Vec<_>>(), [own(("a.rs", 7, "dead_code"))]);
    }

    fn own((file, line, lint): (&str, usize, &str)) -> Warning {
        (file.to_owned(), line, lint.to_owned())
    }
}
