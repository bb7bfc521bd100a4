//! Which values a variable may have: nothing may lead a path out of where it begins.

use super::Part;

/// What becomes of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Whatever its type makes of it.
    Text,
    /// One of a list of values.
    Listed,
    /// A path.
    Path,
    /// Its author deals with any text.
    AnyText,
}

/// What is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    Nothing,
    /// Everything but the name of one thing in a directory.
    AllButNames,
    /// Paths that lead out.
    WaysOut,
}

impl Guard {
    pub(super) fn new(part: &Part, takes: Takes) -> Self {
        match (part, takes) {
            (_, Takes::AnyText) | (Part::Variable(_), Takes::Listed) | (Part::Literal(_), _) => Guard::Nothing,
            (Part::Variable(_), _) => Guard::AllButNames,
            (Part::Reserved(_) | Part::Segments(_), _) => Guard::WaysOut,
            (Part::Query(_) | Part::Continuation(_), Takes::Path) => Guard::WaysOut,
            (Part::Query(_) | Part::Continuation(_), _) => Guard::Nothing,
        }
    }

    /// May the variable have this value, which is decoded?
    pub(super) fn lets_pass(self, value: &str) -> bool {
        match self {
            Guard::Nothing => true,
            Guard::AllButNames => value != "." && !value.contains(['/', '\\']) && !leads_out(value),
            Guard::WaysOut => !leads_out(value),
        }
    }
}

/// Would the path, appended to another, lead out of that on some system? It is absolute, has a drive, climbs, or is cut short
/// by a NUL.
fn leads_out(path: &str) -> bool {
    let bytes = path.as_bytes();
    let has_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    path.contains('\0') || path.starts_with(['/', '\\']) || has_drive || path.split(['/', '\\']).any(climbs)
}

/// Windows passes over dots and blanks at the end of a name, so that `.. ` is `..` there.
fn climbs(segment: &str) -> bool {
    segment.starts_with("..") && segment.trim_end_matches(['.', ' ']).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: Part = Part::Variable("x");
    const PATH: Part = Part::Reserved("x");
    const QUERY: Part = Part::Query(&["x"]);

    #[test]
    fn nothing_leads_out() {
        let out =
            ["..", "../x", "x/..", "a/../../b", "..\\x", "/etc", "\\\\host\\share", "//host", "C:", "c:\\x", "C:x"];
        for value in out.into_iter().chain(["a\0b", "\0", ".. ", "a/.. ./b", "...", "a/....", "x/..\\y"]) {
            for (part, takes) in [(NAME, Takes::Text), (NAME, Takes::Path), (PATH, Takes::Text), (QUERY, Takes::Path)] {
                assert!(!Guard::new(&part, takes).lets_pass(value), "{value:?} {part:?}");
            }
            assert!(Guard::new(&PATH, Takes::AnyText).lets_pass(value));
            assert!(Guard::new(&QUERY, Takes::Text).lets_pass(value));
        }
    }

    #[test]
    fn what_stays_inside_passes() {
        for value in ["a", "a.b", "..a", "a..", "...a", ".hidden", "%2e%2e", "a b", "größe", "cd:x", " .."] {
            assert!(Guard::new(&NAME, Takes::Text).lets_pass(value), "{value:?}");
            assert!(Guard::new(&PATH, Takes::Text).lets_pass(value), "{value:?}");
        }
        for value in ["a/b", "a//b", "a/./b", "./a", ".", "a/", "a\\b", "https://example.com/x"] {
            assert!(Guard::new(&PATH, Takes::Listed).lets_pass(value), "{value:?}");
            assert!(!Guard::new(&NAME, Takes::Text).lets_pass(value), "{value:?}");
            assert!(Guard::new(&NAME, Takes::Listed).lets_pass(value), "{value:?}");
        }
    }
}
