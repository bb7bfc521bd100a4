//! Why a command did not do what it was asked to: a text for standard error and an exit code.

use super::client::Trouble;
use crate::schema::Problem;
use std::io;

/// Everything went well.
pub(super) const SUCCESS: u8 = 0;
/// The server, or one of its functions, refused or failed.
pub(super) const FAILED: u8 = 1;
/// The command line is not written as it should be.
pub(super) const USAGE: u8 = 2;
/// Ctrl-C: 128 and the signal's number, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// A command that ended before its time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// What is written to standard error, complete but for the last line break; may be empty.
    pub(super) text: String,
    pub(super) code: u8,
}

impl Failure {
    /// A failure of the server's side.
    pub(super) fn failed(text: impl AsRef<str>) -> Self {
        Failure { text: format!("error: {}", text.as_ref().trim_end()), code: FAILED }
    }

    /// A command line that is not written as it should be.
    pub(super) fn usage(text: impl AsRef<str>) -> Self {
        Failure { code: USAGE, ..Self::failed(text) }
    }

    /// A result that is an error has been written already; or nothing needs to be said.
    pub(super) fn silent(code: u8) -> Self {
        Failure { text: String::new(), code }
    }

    /// Wrong arguments, one line each.
    pub(super) fn arguments(problems: &[Problem]) -> Self {
        let lines: Vec<String> = problems.iter().map(|problem| format!("error: argument {problem}")).collect();
        Failure { text: lines.join("\n"), code: FAILED }
    }

    /// A name that the server does not know, with the one that was probably meant.
    pub(super) fn unknown(kind: &str, name: &str, meant: Option<&str>) -> Self {
        let meant = meant.map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default();
        Self::failed(format!("there is no {kind} `{name}`{meant}"))
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(refusal) => Failure::failed(refusal.message),
            Trouble::Interrupted => Failure { text: "error: interrupted".to_owned(), code: INTERRUPTED },
            Trouble::Broken(what) => Failure::failed(what),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Whoever reads has seen enough: `list | head -1`.
            io::ErrorKind::BrokenPipe => Failure::silent(SUCCESS),
            _ => Failure::failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_the_argument_and_what_was_meant() {
        let problems = [Problem::wrong("b", "an integer", "\"x\""), Problem::missing("c", "a string")];
        let failure = Failure::arguments(&problems);
        let lines =
            "error: argument `b`: expected an integer, got \"x\"\nerror: argument `c`: missing, expected a string";
        assert_eq!((failure.text.as_str(), failure.code), (lines, 1));
        let unknown = Failure::unknown("tool", "ad", Some("add"));
        assert_eq!(unknown.text, "error: there is no tool `ad`: did you mean `add`?");
        assert_eq!(Failure::unknown("tool", "zzz", None).text, "error: there is no tool `zzz`");
        assert_eq!(Failure::usage("no").code, 2);
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure, Failure::silent(0));
        let failure = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!((failure.text.starts_with("error: "), failure.code), (true, 1));
    }
}
