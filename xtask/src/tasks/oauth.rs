//! The example `protected` and an authorization server: real tokens, from the first 401 to keys that change.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, cargo, fetch, process};

const EXAMPLE: &str = "protected";
const SCRIPT: &str = "authorization.mjs";
/// Longer than the script's own limit, so that its own speaks first.
const LIMIT: Duration = Duration::from_secs(90);
const LIST_LIMIT: Duration = Duration::from_secs(30);

pub(super) fn run() -> Result {
    let programs = cargo::build(["--example", EXAMPLE, "--features", "examples/auth"])?;
    let program = cargo::program(&programs, EXAMPLE)?;
    // Without its variables it is a server like any other.
    let listed = process::stdout(Command::new(program).arg("list").stderr(Stdio::piped()), LIST_LIMIT)?;
    if !listed.contains("keep_note") {
        return Err(format!("{EXAMPLE} list printed {listed:?}"));
    }
    fetch::npm_install(&fetch::clients_dir())?;
    let mut script = Command::new(fetch::node()?);
    script.current_dir(fetch::clients_dir()).arg(SCRIPT).arg(program).stderr(Stdio::piped());
    let printed = process::stdout(&mut script, LIMIT)?;
    println!("{}", printed.trim_end());
    check(&printed)
}

/// The script says in the end how many tokens were accepted and refused; none would be a run that tried nothing.
fn check(printed: &str) -> Result {
    let numbers = printed.trim_end().strip_prefix("authorization: ").and_then(|rest| {
        let (accepted, refused) = rest.strip_suffix(" refused")?.split_once(" accepted, ")?;
        Some((accepted.parse::<u32>().ok()?, refused.parse::<u32>().ok()?))
    });
    match numbers {
        Some((1.., 1..)) => Ok(()),
        _ => Err(format!("the script printed {printed:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_must_have_tried_something() {
        assert_eq!(check("authorization: 10 accepted, 15 refused\n"), Ok(()));
        for printed in ["", "authorization: 0 accepted, 15 refused", "authorization: 10 accepted, 0 refused", "10"] {
            assert!(check(printed).is_err(), "{printed}");
        }
    }

    #[test]
    fn the_script_is_there() {
        assert!(fetch::clients_dir().join(SCRIPT).is_file());
    }
}
