//! The command line that every server binary has.
//!
//! It is a client like any other: it talks to the server through the in-process connection, so what it shows is what
//! clients see.

mod arguments;
mod bar;
mod calling;
mod client;
mod console;
mod content;
mod failure;
mod grammar;
mod listing;
mod pretty;
mod reading;
mod schemas;
mod serving;
mod shell;
mod table;
#[cfg(test)]
mod tests;
mod types;
mod values;

use crate::{BuiltServer, Level};
use bar::Bar;
use clap::ArgMatches;
use client::{Client, Discovered};
use console::{Console, Terminals};
use failure::{Failure, SUCCESS, USAGE};
use shell::Shell;
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Runs the command line of the process; gives its exit code.
pub(crate) async fn of_process(server: &BuiltServer) -> u8 {
    let (mut input, mut out, mut err) = (io::stdin(), io::stdout(), io::stderr());
    let mut console = Console {
        input: &mut input,
        out: &mut out,
        err: &mut err,
        terminals: Terminals::of_process(),
        interrupt: console::ctrl_c(),
    };
    run(std::env::args_os().collect(), &mut console, server).await
}

/// Runs a command line, the program's name first; gives the exit code.
async fn run(args: Vec<OsString>, console: &mut Console<'_>, server: &BuiltServer) -> u8 {
    match command(args, console, server).await {
        Ok(()) => SUCCESS,
        Err(failure) => {
            if !failure.text.is_empty() {
                // Nobody is left to be told that standard error takes nothing.
                let _ = writeln!(console.err, "{}", failure.text);
            }
            failure.code
        }
    }
}

async fn command(args: Vec<OsString>, console: &mut Console<'_>, server: &BuiltServer) -> Result<(), Failure> {
    let program = args.first().map(Path::new).and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let discovered = Client::connect(server, Level::Info).discover(&mut console.interrupt).await?;
    let mut grammar = grammar::command(&program, &discovered);
    let matches = match grammar.try_get_matches_from_mut(args) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => {
            return Err(Failure { text: error.to_string().trim_end().to_owned(), code: USAGE });
        }
        Err(help) => return Ok(content::write_text(console, &help.to_string())?),
    };
    if matches.get_flag("version") {
        return Ok(content::write_text(console, &format!("{} {}", discovered.name, discovered.version))?);
    }
    match matches.subcommand() {
        Some(("serve", matches)) => serving::serve(matches, console, server).await,
        Some((name, matches)) => {
            let mut shell = shell(matches, discovered, console, server);
            match name {
                "call" => calling::run(matches, &mut shell).await,
                "read" => reading::read(matches, &mut shell).await,
                "get" => reading::get(matches, &mut shell).await,
                _ => listing::run(matches, &mut shell).await,
            }
        }
        None if console.terminals.input => {
            Err(Failure { text: grammar.render_help().to_string().trim_end().to_owned(), code: USAGE })
        }
        None => serving::stdio(server).await,
    }
}

fn shell<'c, 'a>(
    matches: &ArgMatches,
    server: Discovered,
    console: &'c mut Console<'a>,
    built: &BuiltServer,
) -> Shell<'c, 'a> {
    // `list` has no such option.
    let level = matches.try_get_one::<String>("log-level").ok().flatten();
    let level = level.and_then(|level| Level::from_name(level)).unwrap_or(Level::Info);
    let bar = Bar::new(console.terminals.err);
    Shell { client: Client::connect(built, level), server, console, bar }
}
