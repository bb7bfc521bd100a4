//! The README's first command, word for word, and a first word with every other example that needs no feature of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, cargo, process};

const COMMAND: [&str; 8] = ["run", "--example", "quickstart", "--", "call", "add", "a=2", "b=3"];
/// How long an example may take for one command.
const LIMIT: Duration = Duration::from_secs(30);

/// The examples beside the quickstart, what each is asked, and what it must print if that is known to the letter.
const EXAMPLES: [(&str, &[&str], Option<&str>); 6] = [
    ("calculator", &["call", "add_numbers", "a=2", "b=3"], Some("5.0")),
    ("files", &["list"], None),
    ("object", &["call", "add", "text=milk"], Some("1")),
    ("booking", &["list"], None),
    ("policies", &["call", "amount", "invoice=7"], Some("Invoice 7 comes to 21 EUR.")),
    ("everything", &["list"], None),
];

pub(super) fn run() -> Result {
    let printed = process::stdout(&mut cargo::command(COMMAND), cargo::BUILD_LIMIT)?;
    check(&printed, Some("5")).map_err(|error| format!("cargo {} {error}", COMMAND.join(" ")))?;
    let programs = cargo::build_examples(&EXAMPLES.map(|(name, ..)| name))?;
    EXAMPLES.iter().try_for_each(|(name, words, wanted)| try_example(&programs, name, words, *wanted))
}

fn try_example(programs: &BTreeMap<String, PathBuf>, name: &str, words: &[&str], wanted: Option<&str>) -> Result {
    let program = cargo::program(programs, name)?;
    let mut command = Command::new(program);
    command.current_dir(cargo::root()).args(words).stderr(Stdio::piped());
    let printed = process::stdout(&mut command, LIMIT)?;
    check(&printed, wanted).map_err(|error| format!("{name} {} {error}", words.join(" ")))
}

/// What was printed must be the text that is wanted, in a line of its own, or anything at all.
fn check(printed: &str, wanted: Option<&str>) -> Result {
    match wanted {
        Some(wanted) if printed.strip_suffix('\n').unwrap_or(printed) != wanted => {
            Err(format!("printed {printed:?} instead of {wanted:?}"))
        }
        None if printed.trim().is_empty() => Err("printed nothing".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn only_the_sum_alone_will_do() {
        assert_eq!(check("5\n", Some("5")), Ok(()));
        for printed in ["", "6\n", "5\n5\n", "\"5\"\n", " 5\n"] {
            assert!(check(printed, Some("5")).is_err(), "{printed:?}");
        }
        assert_eq!(check("a list\n", None), Ok(()));
        assert!(check("\n", None).is_err());
    }

    #[test]
    fn no_example_is_left_out() {
        let manifest = std::fs::read_to_string(cargo::root().join("examples/Cargo.toml")).unwrap();
        let manifest: toml::Value = toml::from_str(&manifest).unwrap();
        let declared = manifest["example"].as_array().unwrap().iter();
        // Those with features of their own have a task of their own.
        let declared = declared.filter(|example| example.get("required-features").is_none());
        let declared = declared.map(|example| example["name"].as_str().unwrap());
        let tried = EXAMPLES.iter().map(|(name, ..)| *name).chain(["quickstart"]);
        assert_eq!(tried.collect::<BTreeSet<_>>(), declared.collect::<BTreeSet<_>>());
    }
}
