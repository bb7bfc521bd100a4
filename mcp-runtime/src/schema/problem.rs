//! What is wrong with arguments, in words for whoever sent them.

use std::fmt;

use super::show::cut;

/// The longest path, and the longest account of what came, in characters.
const LONGEST_PATH: usize = 128;
/// The longest expectation that is shown, in characters.
const LONGEST_EXPECTATION: usize = 256;
/// The most problems that are told apart.
pub(crate) const MOST: usize = 32;
/// The longest report, in bytes.
const LONGEST_REPORT: usize = 1024;

/// One wrong thing in an arguments object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where it is: `limit`, `filter.tags[2]`; empty for the arguments object itself.
    pub(crate) path: String,
    /// What belongs there: `an integer from 0 to 255`. For an unknown argument the name that was
    /// probably meant, or nothing.
    pub(crate) expected: String,
    /// What came, if anything did and if it says anything.
    pub(crate) got: Option<String>,
    fault: Fault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Wrong,
    Missing,
    Unknown,
    More(usize),
}

impl Problem {
    /// A value that does not fit; `got` as made by [`show_raw`](super::show_raw).
    pub(crate) fn wrong(path: impl Into<String>, expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self::new(path.into(), expected.into(), Some(got.into()), Fault::Wrong)
    }

    /// A required value that did not come.
    pub(crate) fn missing(path: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::new(path.into(), expected.into(), None, Fault::Missing)
    }

    /// A value under a name that is not known; `meant` is the known name closest to it.
    pub(crate) fn unknown(path: impl Into<String>, meant: Option<&str>) -> Self {
        let meant = meant.unwrap_or_default().to_owned();
        Self::new(path.into(), meant, None, Fault::Unknown)
    }

    /// Stands for `count` problems that are not told apart.
    pub(crate) fn more(count: usize) -> Self {
        Self::new(String::new(), String::new(), None, Fault::More(count))
    }

    fn new(path: String, expected: String, got: Option<String>, fault: Fault) -> Self {
        Self {
            path: cut(&path, LONGEST_PATH),
            expected: cut(&expected, LONGEST_EXPECTATION),
            got: got.map(|got| cut(&got, LONGEST_PATH)),
            fault,
        }
    }

    /// For how many problems this one stands.
    fn count(&self) -> usize {
        match self.fault {
            Fault::More(count) => count,
            _ => 1,
        }
    }
}

/// One line: "`limit`: expected an integer from 0 to 255, got "abc"".
impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Fault::More(count) = self.fault {
            return write!(formatter, "… and {count} more");
        }
        if self.path.is_empty() {
            write!(formatter, "the arguments: ")?;
        } else {
            write!(formatter, "`{}`: ", self.path)?;
        }
        match (self.fault, &self.got) {
            (Fault::Missing, _) => write!(formatter, "missing, expected {}", self.expected),
            (Fault::Unknown, _) if self.expected.is_empty() => write!(formatter, "not known"),
            (Fault::Unknown, _) => {
                write!(formatter, "not known, did you mean `{}`?", self.expected)
            }
            (_, Some(got)) => write!(formatter, "expected {}, got {got}", self.expected),
            (_, None) => write!(formatter, "expected {}", self.expected),
        }
    }
}

/// All problems, one a line, in at most 1 KiB; what does not fit is counted in the last line.
pub(crate) fn report(problems: &[Problem]) -> String {
    // Room for the last line, whatever it counts.
    let room = LONGEST_REPORT - 40;
    let mut text = String::new();
    let mut told = 0;
    for problem in problems.iter().take(MOST) {
        let line = problem.to_string();
        if matches!(problem.fault, Fault::More(_)) || told > 0 && text.len() + line.len() + 1 > room {
            break;
        }
        if told > 0 {
            text.push('\n');
        }
        // The first line is told in any case, if only its beginning.
        text.push_str(beginning(&line, room));
        told += 1;
    }
    let rest: usize = problems[told..].iter().map(Problem::count).sum();
    if rest > 0 {
        if told > 0 {
            text.push('\n');
        }
        text.push_str(&Problem::more(rest).to_string());
    }
    text
}

/// As much of `text` as fits into `room` bytes.
fn beginning(text: &str, room: usize) -> &str {
    let end = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// The path of a member of what is at `path`.
pub(crate) fn member(path: &str, name: &str) -> String {
    // A name may be as large as a request; more than this of a path is never shown.
    let name = cut(name, LONGEST_PATH);
    let is_plain = |character: char| character.is_alphanumeric() || "_-…".contains(character);
    let plain = !name.is_empty() && name.chars().all(is_plain);
    match (plain, path.is_empty()) {
        (true, true) => name,
        (true, false) => format!("{path}.{name}"),
        // Quoted as JSON, so that neither a line break nor a quote gets into the message.
        (false, _) => format!("{path}[{}]", serde_json::Value::from(name)),
    }
}

/// The path of an item of the array at `path`.
#[cfg(any(feature = "validate", test))]
pub(crate) fn item(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

#[cfg(test)]
mod tests {
    use super::{Problem, item, member, report};

    #[test]
    fn a_problem_is_one_line() {
        for (problem, line) in [
            (
                Problem::wrong("limit", "an integer from 0 to 255", "\"abc\""),
                "`limit`: expected an integer from 0 to 255, got \"abc\"",
            ),
            (Problem::missing("a.b", "a string"), "`a.b`: missing, expected a string"),
            (Problem::unknown("txet", Some("text")), "`txet`: not known, did you mean `text`?"),
            (Problem::unknown("zzz", None), "`zzz`: not known"),
            (Problem::wrong("", "an object", "5"), "the arguments: expected an object, got 5"),
            (Problem::more(3), "… and 3 more"),
        ] {
            assert_eq!(problem.to_string(), line);
        }
    }

    #[test]
    fn paths_name_members_and_items() {
        assert_eq!(member("", "filter"), "filter");
        assert_eq!(item(&member("filter", "tags"), 2), "filter.tags[2]");
        assert_eq!(member("a", "b c"), "a[\"b c\"]");
        assert_eq!(member("", "x\n`y"), "[\"x\\n`y\"]");
        assert_eq!(member("a", ""), "a[\"\"]");
        assert_eq!(member("", "größe"), "größe");
    }

    #[test]
    fn a_report_has_a_line_a_problem() {
        let problems = [Problem::missing("a", "a string"), Problem::unknown("b", None)];
        assert_eq!(report(&problems), "`a`: missing, expected a string\n`b`: not known");
        assert_eq!(report(&[]), "");
    }

    #[test]
    fn a_report_counts_what_it_leaves_out() {
        let mut problems: Vec<Problem> = (0..40).map(|n| Problem::missing(format!("a{n}"), "x")).collect();
        problems.push(Problem::more(5));
        let text = report(&problems);
        assert_eq!(text.lines().count(), 33, "{text}");
        assert!(text.ends_with("\n… and 13 more"), "{text}");
    }

    #[test]
    fn a_report_is_bounded_whatever_comes() {
        let long = "é".repeat(1 << 20);
        let problems: Vec<Problem> =
            (0..32).map(|_| Problem::wrong(member("", &long), long.clone(), long.clone())).collect();
        let text = report(&problems);
        assert!(text.len() <= 1024, "{}", text.len());
        assert!(text.contains('é') && text.contains("more"), "{text}");
    }
}
