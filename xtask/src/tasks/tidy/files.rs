//! Lengths and white space.

use super::source::File;

const SOURCE_LINES: usize = 400;
const ARCHITECTURE_LINES: usize = 200;
/// What people write by hand in this repository.
const WRITTEN: [&str; 9] = ["rs", "toml", "md", "mjs", "py", "txt", "json", "yml", "sh"];

/// A source that grows past this has a part that wants a name of its own.
pub(super) fn sources_are_short(files: &[File]) -> Vec<String> {
    let sources = files.iter().filter(|file| file.is_rust() && !file.is_test());
    sources.filter_map(|file| longer_than(file, SOURCE_LINES)).collect()
}

/// The architecture's description is read whole or not at all.
pub(super) fn architecture_is_short(files: &[File]) -> Vec<String> {
    let pages = files.iter().filter(|file| file.path == "ARCHITECTURE.md");
    pages.filter_map(|file| longer_than(file, ARCHITECTURE_LINES)).collect()
}

fn longer_than(file: &File, limit: usize) -> Option<String> {
    let lines = file.text.lines().count();
    (lines > limit).then(|| format!("{}: {lines} lines, {limit} at most", file.path))
}

/// No tabs, no carriage returns, no blanks at the end of a line, one line feed at the end of a file.
pub(super) fn white_space_is_plain(files: &[File]) -> Vec<String> {
    let written = files.iter().filter(|file| WRITTEN.contains(&file.extension()) && file.name() != "package-lock.json");
    written.flat_map(odd_white_space).collect()
}

fn odd_white_space(file: &File) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in file.text.split('\n').enumerate() {
        let mut see = |what| problems.push(format!("{}:{}: {what}", file.path, index + 1));
        if line.contains('\t') {
            see("a tab");
        }
        if line.contains('\r') {
            see("a carriage return");
        } else if line.ends_with(char::is_whitespace) {
            see("a blank at the end of the line");
        }
    }
    if !file.text.is_empty() && (!file.text.ends_with('\n') || file.text.ends_with("\n\n")) {
        problems.push(format!("{}: must end with one line feed", file.path));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::source::file;
    use super::*;

    #[test]
    fn a_long_source_is_seen_unless_it_is_a_test() {
        let text = "\n".repeat(401);
        assert_eq!(sources_are_short(&file("a/src/x.rs", &text)), ["a/src/x.rs: 401 lines, 400 at most"]);
        assert!(sources_are_short(&file("a/tests/x.rs", &text)).is_empty());
        assert!(sources_are_short(&file("a/src/x.rs", &text[1..])).is_empty());
        assert!(sources_are_short(&file("x.md", &text)).is_empty());
    }

    #[test]
    fn a_long_architecture_is_seen() {
        let text = "\n".repeat(201);
        assert_eq!(architecture_is_short(&file("ARCHITECTURE.md", &text)).len(), 1);
        assert!(architecture_is_short(&file("ARCHITECTURE.md", &text[1..])).is_empty());
        assert!(architecture_is_short(&file("README.md", &text)).is_empty());
    }

    #[test]
    fn odd_white_space_is_seen() {
        let seen = white_space_is_plain(&file("x.md", "a \n\tb\nc\r\nd"));
        let wanted = [
            "x.md:1: a blank at the end of the line",
            "x.md:2: a tab",
            "x.md:3: a carriage return",
            "x.md: must end with one line feed",
        ];
        assert_eq!(seen, wanted);
        assert_eq!(white_space_is_plain(&file("x.md", "a\n\n")), ["x.md: must end with one line feed"]);
        assert!(white_space_is_plain(&file("x.md", "a\n\nb\n")).is_empty());
        assert!(white_space_is_plain(&file("x.stderr", "a \n\n")).is_empty());
    }
}
