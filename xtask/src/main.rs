//! Repository tasks: `cargo xtask <task>`.
//!
//! One file a task under `tasks/`; the files beside this one are what tasks share. `cargo xtask ci` runs them all in
//! the order of [`tasks::STEPS`] and stops at the first that fails.
#![allow(clippy::print_stdout, reason = "a command line speaks through its standard output")]

mod cargo;
mod debian;
mod fetch;
mod nginx;
mod process;
mod server;
mod table;
mod tasks;

use std::process::ExitCode;

/// What a task or one of its parts gives: a value, or the message that the user reads.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let outcome = match names.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            println!("{}", tasks::help());
            Ok(())
        }
        ["ci"] => tasks::run_all(),
        ["counts", "--write"] => tasks::counts::write(),
        ["deny", "--snapshot"] => tasks::deny::write_snapshot(),
        ["bench", arguments @ ..] => tasks::bench::run(arguments),
        ["soak", arguments @ ..] => tasks::soak::run_with(arguments),
        ["fuzz", target, arguments @ ..] => tasks::fuzz::run_for(target, arguments),
        ["chaos", options @ ..] if options.first().is_some_and(|option| option.starts_with("--")) => {
            tasks::chaos::run_with(options)
        }
        names => tasks::run_named(names),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
