//! What the compiler tells authors of functions: programs with one mistake each, beside the one error that it gives, and
//! programs that must compile. `TRYBUILD=overwrite cargo test --test ui` writes the errors anew.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the programs that compile.
const PASS: &str = "pass";

fn files(folder: impl AsRef<Path>, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

/// The folders of the programs with mistakes, one for each topic.
fn topics() -> Vec<PathBuf> {
    let entries = fs::read_dir("ui").expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.is_dir() && !path.ends_with(PASS)).collect()
}

#[test]
fn programs_compile_or_fail_as_written() {
    let cases = trybuild::TestCases::new();
    cases.pass(format!("ui/{PASS}/*.rs"));
    for topic in topics() {
        cases.compile_fail(topic.join("*.rs"));
    }
}

#[test]
fn one_mistake_is_one_error() {
    let programs: Vec<PathBuf> = topics().iter().flat_map(|topic| files(topic, "rs")).collect();
    let errors = programs.iter().map(|program| {
        let told = fs::read_to_string(program.with_extension("stderr")).unwrap_or_default();
        (program, told.lines().filter(|line| line.starts_with("error")).count())
    });
    let others: Vec<(&PathBuf, usize)> = errors.filter(|(_, errors)| *errors != 1).collect();
    assert!(others.is_empty(), "not one error: {others:#?}");
    assert!(programs.len() >= 30, "{} programs", programs.len());
}

#[test]
fn every_error_belongs_to_a_program() {
    let errors = topics().into_iter().flat_map(|topic| files(topic, "stderr"));
    let orphans: Vec<PathBuf> = errors.filter(|path| !path.with_extension("rs").exists()).collect();
    assert!(orphans.is_empty(), "{orphans:#?}");
}
