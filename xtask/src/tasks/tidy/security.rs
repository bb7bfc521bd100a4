//! What `SECURITY.md` says is tested must be tested.

use super::source::File;
use crate::tasks;

const PAGE: &str = "SECURITY.md";

/// In the rows of its tables, a path that ends with `.rs` is a source, names behind it are functions in that source, and
/// `cargo xtask NAME` is a task; the last cell of a row that names none of them proves nothing.
pub(super) fn promises_are_tested(files: &[File]) -> Vec<String> {
    let pages = files.iter().filter(|file| file.path == PAGE);
    let rows = pages.flat_map(|page| page.text.lines().enumerate().filter(|(_, line)| is_row(line)));
    rows.flat_map(|(index, row)| {
        problems(row, files).into_iter().map(move |problem| format!("{PAGE}:{}: {problem}", index + 1))
    })
    .collect()
}

/// A row with tests: not the heading of a table, nor the line below that.
fn is_row(line: &str) -> bool {
    line.starts_with('|') && !line.contains("---") && !line.ends_with("| test |") && line.matches('|').count() == 4
}

fn problems(row: &str, files: &[File]) -> Vec<String> {
    let cell = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
    let (mut source, mut problems, mut tests) = (None, Vec::new(), 0);
    for word in cell.split('`').skip(1).step_by(2) {
        if word.ends_with(".rs") {
            source = files.iter().find(|file| file.path == word);
            if source.is_none() {
                problems.push(format!("there is no {word}"));
            }
        } else if let Some(task) = word.strip_prefix("cargo xtask ") {
            tests += 1;
            if !tasks::STEPS.iter().any(|step| step.name == task) {
                problems.push(format!("there is no task `{task}`"));
            }
        } else {
            tests += 1;
            if !source.is_some_and(|file| file.text.contains(&format!("fn {word}("))) {
                problems.push(format!("there is no function `{word}` in the source named before it"));
            }
        }
    }
    if tests == 0 {
        problems.push("no test is named".to_owned());
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(row: &str) -> Vec<String> {
        let page = format!("| threat | defence | test |\n|---|---|---|\n{row}\n");
        let test = File::new("tests/a.rs", "#[test]\nfn it_holds() {}\n".to_owned());
        promises_are_tested(&[File::new(PAGE, page), test])
    }

    #[test]
    fn rows_with_tests_that_exist_are_good() {
        assert!(seen("| a | b | `tests/a.rs` `it_holds`, `cargo xtask tidy` |").is_empty());
        assert!(seen("Text with a `word` is no row.").is_empty());
    }

    #[test]
    fn what_does_not_exist_is_seen() {
        assert_eq!(seen("| a | b | `tests/b.rs` |").len(), 2);
        assert_eq!(seen("| a | b | `tests/a.rs` `it_breaks` |").len(), 1);
        assert_eq!(seen("| a | b | `cargo xtask nonsense` |").len(), 1);
        assert_eq!(seen("| a | b | surely |"), ["SECURITY.md:3: no test is named"]);
    }
}
