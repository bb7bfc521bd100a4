//! Kills a server over HTTP again and again while clients of both eras use it, and sees to it that they recover, and that none is
//! ever served what is another's: `chaos [--kills N] [--seed N]`.
#![allow(clippy::print_stdout, reason = "a command line speaks through its standard output")]

mod client;
mod links;
mod run;
mod session;
mod stateless;
mod tally;

use mcp_endurance::command;
use std::io;
use std::process::ExitCode;

/// Why something was not done.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The connection broke, as it does when the server is killed.
    Broken(String),
    /// The session died with the server that had opened it.
    Gone,
    /// This must not happen.
    Wrong(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::InvalidData => Trouble::Wrong(error.to_string()),
            _ => Trouble::Broken(error.to_string()),
        }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match chaos().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("error: {text}");
            ExitCode::FAILURE
        }
    }
}

async fn chaos() -> Result<(), String> {
    let [kills, seed] = command::options([("--kills", 20), ("--seed", fastrand::u64(..))])?;
    let server = command::server().map_err(|error| error.to_string())?;
    println!("seed {seed}: `--seed {seed}` makes the same choices again");
    let folder = std::env::temp_dir().join(format!("chaos-{}-{:016x}", std::process::id(), fastrand::u64(..)));
    let mut tallies = Vec::new();
    for (name, sessions) in [("sessions in memory", None), ("sessions in files", Some(folder.as_path()))] {
        let run = run::Run { name, server: &server, sessions, kills, seed };
        tallies.push((name, run.run().await));
    }
    // It is not there if the first run failed.
    let _ = std::fs::remove_dir_all(&folder);
    for (name, tally) in &tallies {
        print!("\n{} clients, {name}\n{}", run::CLIENTS, tally.table());
    }
    match tallies.iter().map(|(_, tally)| tally.faults()).sum() {
        0 => Ok(()),
        faults => Err(format!("{faults} times something happened that must not; see above")),
    }
}
