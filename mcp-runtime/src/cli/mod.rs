//! The command line that every server binary has.
//!
//! What it shows is what clients see: it is a client like any other and talks to the server through the in-process
//! connection. Before it serves, it asks nothing.

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
use client::Client;
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
    if args.len() < 2 && !console.terminals.input {
        // How clients start servers: nothing is to be read.
        return serving::stdio(server).await;
    }
    let program = args.first().map(Path::new).and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let identity = &server.core.identity;
    let mut grammar = grammar::command(&program, identity);
    let matches = match grammar.try_get_matches_from_mut(args) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => {
            return Err(Failure { text: error.to_string().trim_end().to_owned(), code: USAGE });
        }
        Err(help) => return Ok(content::write_text(console, &help.to_string())?),
    };
    if matches.get_flag("version") {
        return Ok(content::write_text(console, &format!("{} {}", identity.name(), identity.version()))?);
    }
    match matches.subcommand() {
        Some(("serve", matches)) => serving::serve(matches, console, server).await,
        Some((name, matches)) => {
            let mut shell = shell(matches, console, server).await?;
            match name {
                "call" => calling::run(matches, &mut shell).await,
                "read" => reading::read(matches, &mut shell).await,
                "get" => reading::get(matches, &mut shell).await,
                _ => listing::run(matches, &mut shell).await,
            }
        }
        None => Err(Failure { text: grammar.render_help().to_string().trim_end().to_owned(), code: USAGE }),
    }
}

async fn shell<'c, 'a>(
    matches: &ArgMatches,
    console: &'c mut Console<'a>,
    server: &BuiltServer,
) -> Result<Shell<'c, 'a>, Failure> {
    // `list` has no such option.
    let level = matches.try_get_one::<String>("log-level").ok().flatten();
    let level = level.and_then(|level| Level::from_name(level)).unwrap_or(Level::Info);
    let bar = Bar::new(console.terminals.err);
    let mut client = Client::connect(server, level);
    let server = client.discover(&mut console.interrupt).await?;
    Ok(Shell { client, server, console, bar })
}
