//! Words that must not stay in a source.

use super::source::File;
use super::tokens::{Token, stands, tokens};

/// Macros that stand for unfinished or forgotten work.
const MACROS: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// No unfinished code, no forgotten debug output, no test that does not run.
pub(super) fn nothing_is_left_over(files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        // A UI test may be anything; that the other sources are Rust is the compiler's to say.
        let tokens = tokens(&file.text).unwrap_or_default();
        let seen = (0..tokens.len()).filter_map(|at| Some((tokens[at].line, left_over(&tokens, at)?)));
        problems.extend(seen.map(|(line, word)| format!("{}:{line}: {word}", file.path)));
    }
    problems
}

fn left_over(tokens: &[Token], at: usize) -> Option<String> {
    if let Some(name) = MACROS.iter().find(|name| stands(tokens, at, &[name, "!"])) {
        return Some(format!("`{name}!`"));
    }
    let ignored = stands(tokens, at, &["#", "[", "ignore", "]"]) || stands(tokens, at, &["#", "[", "ignore", "="]);
    ignored.then(|| "`#[ignore]`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::source::file;
    use super::*;

    #[test]
    fn what_is_left_over_is_seen() {
        let text = "fn f() {\n    todo!();\n    std::dbg!(1);\n    unimplemented!()\n}\n#[test]\n#[ignore = \"slow\"]\nfn g() {}\n#[ignore]\nfn h() {}";
        let seen = nothing_is_left_over(&file("a/src/x.rs", text));
        let wanted = ["2: `todo!`", "3: `dbg!`", "4: `unimplemented!`", "7: `#[ignore]`", "9: `#[ignore]`"];
        assert_eq!(seen, wanted.map(|problem| format!("a/src/x.rs:{problem}")));
    }

    #[test]
    fn words_in_texts_and_comments_are_no_code() {
        let text = "// todo!()\nfn f(todo: bool, ignore: u8) -> &str { \"dbg!(1)\" }";
        assert!(nothing_is_left_over(&file("a/src/x.rs", text)).is_empty());
    }
}
