//! Kills a server over HTTP again and again while clients of both eras use it, and sees to it that they recover, and that none is
//! ever served what is another's: `chaos [--kills N] [--seed N]`.
#![allow(clippy::print_stdout, reason = "a command line speaks through its standard output")]

mod client;
mod http;
mod program;
mod run;
mod session;
mod stateless;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;
use tally::Tally;

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

/// What the command line says.
struct Options {
    kills: u64,
    seed: u64,
}

fn options() -> Result<Options, String> {
    let mut options = Options { kills: 20, seed: fastrand::u64(..) };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|value| value.parse().ok());
        let value = value.ok_or_else(|| format!("{name} needs a number"))?;
        match name.as_str() {
            "--kills" => options.kills = value,
            "--seed" => options.seed = value,
            _ => return Err(format!("there is no option {name}")),
        }
    }
    Ok(options)
}

/// The server, which was built beside this program.
fn server() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(own.with_file_name(format!("chaos-server{}", std::env::consts::EXE_SUFFIX)))
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
    let (options, server) = (options()?, server()?);
    println!("seed {}: `--seed {}` makes the same choices again", options.seed, options.seed);
    let folder = std::env::temp_dir().join(format!("chaos-{}-{:016x}", std::process::id(), fastrand::u64(..)));
    let mut tallies = Vec::new();
    for (name, sessions) in [("sessions in memory", None), ("sessions in files", Some(folder.as_path()))] {
        let run = run::Run { name, server: &server, sessions, kills: options.kills, seed: options.seed };
        let outcome = run.run().await;
        tallies.push((name, outcome));
    }
    // It is not there if the first run failed.
    let _ = std::fs::remove_dir_all(&folder);
    println!("{}", table(options.kills, &tallies));
    let faults: String = tallies.iter().map(|(_, tally)| tally.first_faults()).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("this must not happen:\n{faults}")) }
}

/// The counts of all runs, side by side.
fn table(kills: u64, tallies: &[(&str, Tally)]) -> String {
    let row = |name: &str, cell: &dyn Fn(&Tally) -> u64| {
        let cells: String = tallies.iter().map(|(_, tally)| format!("{:>22}", cell(tally))).collect();
        format!("{name:<44}{cells}\n")
    };
    let names: String = tallies.iter().map(|(name, _)| format!("{name:>22}")).collect();
    [
        format!("{:<44}{names}\n", ""),
        row("kills (SIGKILL)", &|_| kills),
        row("clients (sessions, stateless)", &|_| run::CLIENTS as u64),
        row("requests sent", &|tally| tally.requests.get()),
        row("answers, each the request's own", &|tally| tally.answers.get()),
        row("requests interrupted by a kill", &|tally| tally.interrupted.get()),
        row("sessions opened, no id twice", &|tally| tally.sessions.get()),
        row("sessions told that they died (404)", &|tally| tally.gone.get()),
        row("attempts at what died, all refused", &|tally| tally.attempts.get()),
        row("changes told to their subscribers", &|tally| tally.changes.get()),
        row("calls begun before a kill, ended behind it", &|tally| tally.handed_over.get()),
        row("things that must not happen", &|tally| tally.faults() as u64),
    ]
    .concat()
}
