//! What the compiler tells authors of functions: programs with one mistake each, beside the one error that it gives, and
//! programs that must compile. A program with more mistakes says so in its first line: `// 3 mistakes`. Where the compiler
//! itself says more about one mistake, the first line gives the number and the reason: `// 4 errors: why`. `TRYBUILD=overwrite cargo test --test ui` writes the errors anew.

use std::collections::BTreeMap;
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

/// How many errors a program must give: as many as it has mistakes, which is one unless its first line says otherwise.
fn mistakes(program: &Path) -> usize {
    let text = fs::read_to_string(program).expect("a program");
    let declared = text.lines().next().and_then(|line| line.strip_prefix("// ")?.split_once(' '));
    declared.map_or(1, |(count, of)| {
        assert!(of == "mistakes" || of.starts_with("errors: "), "{}", program.display());
        count.parse().expect("a count")
    })
}

#[test]
fn one_mistake_is_one_error() {
    let programs: Vec<PathBuf> = topics().iter().flat_map(|topic| files(topic, "rs")).collect();
    let counts = programs.iter().map(|program| {
        let told = fs::read_to_string(program.with_extension("stderr")).unwrap_or_default();
        let begins_with = |word: &str| told.lines().filter(|line| line.starts_with(word)).count();
        (program, mistakes(program), begins_with("error"), begins_with("warning"))
    });
    let others: Vec<_> = counts.filter(|(_, mistakes, errors, warnings)| errors != mistakes || *warnings > 0).collect();
    assert!(others.is_empty(), "program, mistakes, errors, warnings: {others:#?}");
    assert!(programs.len() >= 80, "{} programs", programs.len());
}

#[test]
fn every_error_belongs_to_a_program() {
    let errors = topics().into_iter().flat_map(|topic| files(topic, "stderr"));
    let orphans: Vec<PathBuf> = errors.filter(|path| !path.with_extension("rs").exists()).collect();
    assert!(orphans.is_empty(), "{orphans:#?}");
}

/// The pages that tell the options of an attribute, or of a list inside of one.
const PAGES: [(&str, &[&str]); 9] = [
    ("#[mcp_tool]", &["mcp_tool", "options"]),
    ("#[mcp_resource]", &["mcp_resource", "options"]),
    ("#[mcp_prompt]", &["mcp_prompt", "options"]),
    ("#[mcp_type]", &["mcp_type"]),
    ("#[mcp_server]", &["mcp_server"]),
    ("#[mcp_module]", &["mcp_module"]),
    ("#[arg]", &["arg"]),
    ("icon", &["options"]),
    ("annotations", &["mcp_resource"]),
];

/// The options that errors name, by what has them.
fn options_in_errors() -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for path in topics().into_iter().flat_map(|topic| files(topic, "stderr")) {
        let text = fs::read_to_string(path).expect("errors");
        for (error, options) in text.lines().zip(text.lines().skip(1)) {
            let owner = error.strip_prefix("error: `").and_then(|rest| rest.split_once("` has no option"));
            let (Some((owner, _)), Some((_, options))) = (owner, options.split_once("its options: ")) else { continue };
            let options = options.split(", ").map(|option| option.trim_matches('`').to_owned());
            found.insert(owner.to_owned(), options.collect());
        }
    }
    found
}

#[test]
fn every_option_is_on_a_page() {
    let mut options = options_in_errors();
    for (owner, pages) in PAGES {
        let page = |name: &&str| fs::read_to_string(format!("../mcp-runtime/src/docs/{name}.md")).expect("a page");
        let text: String = pages.iter().map(page).collect();
        let is_told = |option: &str| ["`", " = ", "("].iter().any(|end| text.contains(&format!("`{option}{end}")));
        let options = options.remove(owner).unwrap_or_else(|| panic!("no error names the options of {owner}"));
        let missing: Vec<&String> = options.iter().filter(|option| !is_told(option)).collect();
        assert!(missing.is_empty(), "{missing:?} of {owner} are not on {pages:?}");
    }
    assert!(options.is_empty(), "no page is known for {options:?}");
}
