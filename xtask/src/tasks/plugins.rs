//! Functions of other crates: which of them programs have, in a debug build and in one that throws away whatever it can.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Result, cargo, process};

/// How long a program may take.
const LIMIT: Duration = Duration::from_secs(30);

/// What everybody builds, and one whole program at once without a way to unwind.
const PROFILES: [&str; 2] = ["dev", "plugins"];

/// The programs, and what each must print.
const PROGRAMS: [(&str, &str); 2] = [
    (
        "names_some",
        "registered: deep hidden module_function object_method own top\n\
         by path: deep top\n\
         by list: module_function object_method\n",
    ),
    ("links_one", "registered: unnamed\n"),
];

pub(super) fn run() -> Result {
    PROFILES.iter().try_for_each(|profile| {
        println!("with the profile {profile}");
        let programs = cargo::build(["--package", "plugin-host", "--profile", profile])?;
        PROGRAMS.iter().try_for_each(|(name, wanted)| try_program(cargo::program(&programs, name)?, wanted))
    })
}

fn try_program(program: &Path, wanted: &str) -> Result {
    let printed = process::stdout(Command::new(program).stderr(Stdio::piped()), LIMIT)?;
    let text = || format!("{} printed\n{printed}instead of\n{wanted}", program.display());
    if printed == wanted { Ok(()) } else { Err(text()) }
}
