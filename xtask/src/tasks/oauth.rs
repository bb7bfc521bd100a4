//! The example `protected` and an authorization server: real tokens, from the first 401 to keys that change. The example
//! `public_server`, which is tried with tokens by a test of the workspace, is run as it is built.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, cargo, fetch, process};

const EXAMPLE: &str = "protected";
const PUBLIC: &str = "public_server";
/// What it needs to know.
const PUBLIC_VARIABLES: [(&str, &str); 3] =
    [("MCP_HOST", "mcp.example.com"), ("MCP_ISSUER", "https://login.example.com"), ("MCP_PROXY", "10.0.0.0/8")];
const SCRIPT: &str = "authorization.mjs";
/// Longer than the script's own limit, so that its own speaks first.
const LIMIT: Duration = Duration::from_secs(90);
const LIST_LIMIT: Duration = Duration::from_secs(30);

pub(super) fn run() -> Result {
    let features = "examples/auth,examples/public";
    let programs = cargo::build(["--example", EXAMPLE, "--example", PUBLIC, "--features", features])?;
    let program = cargo::program(&programs, EXAMPLE)?;
    // Without its variables it is a server like any other.
    lists(Command::new(program), "keep_note")?;
    let mut public = Command::new(cargo::program(&programs, PUBLIC)?);
    public.envs(PUBLIC_VARIABLES);
    lists(public, "count_words")?;
    fetch::npm_install(&fetch::clients_dir())?;
    let mut script = Command::new(fetch::node()?);
    script.current_dir(fetch::clients_dir()).arg(SCRIPT).arg(program).stderr(Stdio::piped());
    let printed = process::stdout(&mut script, LIMIT)?;
    println!("{}", printed.trim_end());
    check(&printed)
}

/// A server's `list` must name the tool.
fn lists(mut server: Command, tool: &str) -> Result {
    let listed = process::stdout(server.arg("list").stderr(Stdio::piped()), LIST_LIMIT)?;
    if listed.contains(tool) { Ok(()) } else { Err(format!("no {tool} in what `list` printed: {listed:?}")) }
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
