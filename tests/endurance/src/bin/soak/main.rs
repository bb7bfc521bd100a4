//! The soak: `soak [--seconds N] [--seed N]`.
//!
//! Clients of every kind keep the server busy over HTTP and over stdio for that time, most of them as they should and many as
//! they should not. Each request that deserves an answer must get exactly one, its own; when all clients are gone, the server
//! must have nothing left of them.
#![allow(clippy::print_stdout, reason = "the table is what the program is for")]

mod client;
mod hostile;
mod lines;
mod plan;
mod session;
mod stateless;
mod watch;

use client::{Client, Run};
use mcp_endurance::process::HttpServer;
use mcp_endurance::tally::{Row, Tally, WRONG};
use mcp_endurance::{REST, command};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many clients there are of each kind.
const STATELESS: usize = 6;
const SESSIONS: usize = 6;
const LINES: usize = 4;
/// How long sessions may rest, and clients may take nothing of what they are sent, in seconds.
const REST_SECONDS: u64 = 15;

#[tokio::main]
async fn main() -> ExitCode {
    let run = async {
        let [seconds, seed] = command::options([("--seconds", 60), ("--seed", fastrand::u64(..))])?;
        println!("seed {seed}, {seconds} seconds");
        soak(Duration::from_secs(seconds), seed).await.map_err(|error| error.to_string())
    };
    match run.await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything and prints the table; true if nothing was found.
async fn soak(time: Duration, seed: u64) -> std::io::Result<bool> {
    let (tally, program) = (Tally::new(), command::server()?);
    let rest = [(REST, REST_SECONDS.to_string())];
    let server = HttpServer::start(&program, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &rest).await?;
    let begin = Instant::now();
    let run = Run { tally: tally.clone(), program, address: server.address, seed, until: begin + time };
    let run = Arc::new(run);
    let idle = watch::idle(&run, &server).await?;
    let (mut stateless, mut others) = (JoinSet::new(), JoinSet::new());
    for number in 0..STATELESS {
        stateless.spawn(stateless::run(Client::new(&run, format!("stateless{number}"))));
    }
    for number in 0..SESSIONS {
        others.spawn(session::run(Client::new(&run, format!("session{number}"))));
    }
    for number in 0..LINES {
        others.spawn(lines::run(Client::new(&run, format!("lines{number}"))));
    }
    let memory = watch::memory(&run, &server, time).await?;
    others.join_all().await;
    // These stay open on our side, and must not on the server's.
    let unread = stateless.join_all().await;
    let after = watch::nothing_left(&run, &server, idle).await?;
    drop(unread);
    let status = server.terminate().await?;
    if !status.success() {
        tally.found(WRONG, format_args!("the server ended with {status}"));
    }
    let mut measured = memory;
    measured.extend(after);
    measured.push(("faults in all", tally.sum(Row::Fault).to_string()));
    measured.push(("findings", tally.findings().to_string()));
    measured.push(("seconds, with the end", begin.elapsed().as_secs().to_string()));
    print!("{}", tally.table(&measured));
    Ok(tally.findings() == 0)
}
