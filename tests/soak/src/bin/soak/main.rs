//! The soak: `soak SERVER SECONDS [SEED]`.
//!
//! Clients of every kind keep the server busy over HTTP and over stdio for that time, most of them as they should and many as
//! they should not. Each request that deserves an answer must get exactly one, its own; when all clients are gone, the server
//! must have nothing left of them.
#![allow(clippy::print_stdout, reason = "the table is what the program is for")]

mod client;
mod hostile;
mod lines;
mod session;
mod stateless;
mod watch;

use client::{Client, Run};
use mcp_soak::process::HttpServer;
use mcp_soak::tally::{Row, Tally};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many clients there are of each kind.
const STATELESS: usize = 6;
const SESSIONS: usize = 6;
const LINES: usize = 4;

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().map(PathBuf::from);
    let seconds = arguments.next().and_then(|seconds| seconds.parse().ok());
    let seed = arguments.next().map_or_else(|| Some(fastrand::u64(..)), |seed| seed.parse().ok());
    let (Some(program), Some(seconds), Some(seed)) = (program, seconds, seed) else {
        eprintln!("usage: soak SERVER SECONDS [SEED]");
        return ExitCode::from(2);
    };
    println!("seed {seed}, {seconds} seconds");
    match soak(program, Duration::from_secs(seconds), seed).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything and prints the table; true if nothing was found.
async fn soak(program: PathBuf, time: Duration, seed: u64) -> std::io::Result<bool> {
    let tally = Tally::new();
    let server = HttpServer::start(&program, SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &[]).await?;
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
        tally.found(mcp_soak::tally::WRONG, format_args!("the server ended with {status}"));
    }
    let mut measured = memory;
    measured.extend(after);
    measured.push(("faults in all", tally.sum(Row::Fault).to_string()));
    measured.push(("findings", tally.findings().to_string()));
    measured.push(("seconds, with the end", begin.elapsed().as_secs().to_string()));
    print!("{}", tally.table(&measured));
    Ok(tally.findings() == 0)
}
