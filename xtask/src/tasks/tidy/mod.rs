//! The repository's own rules, checked over every file that git tracks.
//!
//! A rule is a function from all files to the problems it sees; each is tried on a made-up violation beside it.

mod files;
mod layers;
mod locks;
mod security;
mod source;
mod tokens;
mod tree;
mod words;

use std::process::Command;
use std::time::Duration;

use crate::{Result, cargo, process};

use source::File;

const GIT_LIMIT: Duration = Duration::from_secs(60);

/// A rule: what it sees wrong, each as a line that starts with the path.
type Rule = fn(&[File]) -> Vec<String>;

const RULES: &[(&str, Rule)] = &[
    ("Rust sources are short", files::sources_are_short),
    ("the architecture fits on a few pages", files::architecture_is_short),
    ("white space is plain", files::white_space_is_plain),
    ("the lowest layers name nothing above them", layers::lowest_layers_stand_alone),
    ("transports do not see the model", layers::transport_does_not_see_the_model),
    ("the wire does not know its runtime", layers::wire_knows_no_runtime),
    ("revisions are named in one place", layers::revisions_are_named_in_one_place),
    ("nothing is left unfinished or ignored", words::nothing_is_left_over),
    ("lock files carry no addresses", locks::locks_carry_no_addresses),
    ("no registry is named", locks::no_registry_is_named),
    ("what is said to be tested is", security::promises_are_tested),
];

pub(super) fn run() -> Result {
    let files = tracked()?;
    let mut problems = Vec::new();
    for (name, rule) in RULES {
        report(name, &rule(&files), &mut problems);
    }
    report("one syn is compiled", &tree::more_than_one_syn(&tree::read()?), &mut problems);
    if problems.is_empty() { Ok(()) } else { Err(format!("{} problems\n{}", problems.len(), problems.join("\n"))) }
}

fn report(name: &str, seen: &[String], problems: &mut Vec<String>) {
    println!("{} {name}", if seen.is_empty() { "ok    " } else { "BROKEN" });
    problems.extend(seen.iter().map(|problem| format!("{problem} [{name}]")));
}

/// Every tracked file that is text and still there.
fn tracked() -> Result<Vec<File>> {
    let root = cargo::root();
    let listed = process::stdout(Command::new("git").args(["ls-files", "-z"]).current_dir(&root), GIT_LIMIT)?;
    let paths = listed.split('\0').filter(|path| !path.is_empty());
    let files = paths.filter_map(|path| {
        let bytes = std::fs::read(root.join(path)).ok()?;
        Some(File::new(path, String::from_utf8(bytes).ok()?))
    });
    let files: Vec<File> = files.collect();
    if files.is_empty() { Err("git tracks no file here".to_owned()) } else { Ok(files) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_carry_the_name_of_their_rule() {
        let mut problems = Vec::new();
        report("a rule", &["x.rs: wrong".to_owned()], &mut problems);
        report("another", &[], &mut problems);
        assert_eq!(problems, ["x.rs: wrong [a rule]"]);
    }

    #[test]
    fn tracked_files_are_read() {
        assert!(tracked().unwrap().iter().any(|file| file.path == "Cargo.lock"));
    }
}
