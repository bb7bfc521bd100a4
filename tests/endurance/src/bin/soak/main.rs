//! The soak: `soak [--seconds N] [--seed N]`.
//!
//! Clients of every kind keep servers busy over HTTP, with and without TLS, and over stdio for that time, most of them as they
//! should and many as they should not. Each request that deserves an answer must get exactly one, its own; when all clients are
//! gone, the server must have nothing left of them.
#![allow(clippy::print_stdout, reason = "the table is what the program is for")]

mod calls;
mod client;
mod hostile;
mod lines;
mod plan;
mod session;
mod sse;
mod stateless;
mod streams;
mod watch;

use client::{Client, Run};
use mcp_endurance::process::HttpServer;
use mcp_endurance::tally::{Row, Tally, WRONG};
use mcp_endurance::way::{Version, Way, certify};
use mcp_endurance::{CERTIFICATE, REST, command};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many clients there are of each kind.
const STATELESS: usize = 6;
const SESSIONS: usize = 6;
const STREAMS: usize = 4;
const OLD: usize = 4;
const LINES: usize = 4;
/// The servers over HTTP.
const SERVERS: [&str; 2] = ["HTTP", "HTTPS"];
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
async fn soak(time: Duration, seed: u64) -> io::Result<bool> {
    let folder = std::env::temp_dir().join(format!("soak-{}-{:016x}", std::process::id(), fastrand::u64(..)));
    let started = start(&folder).await;
    // A certificate is read when a server starts.
    let _ = std::fs::remove_dir_all(&folder);
    let (program, servers, ways) = started?;
    let (tally, begin) = (Tally::new(), Instant::now());
    let run = Arc::new(Run { tally: tally.clone(), program, ways, seed, until: begin + time });
    let mut idle = Vec::new();
    for (number, server) in servers.iter().enumerate() {
        idle.push(watch::idle(&run, server, number).await?);
    }
    let (mut unread, mut others) = (JoinSet::new(), JoinSet::new());
    (0..STATELESS).for_each(|number| drop(unread.spawn(stateless::run(Client::new(&run, "stateless", number)))));
    (0..STREAMS).for_each(|number| drop(unread.spawn(streams::run(Client::new(&run, "streams", number)))));
    (0..SESSIONS).for_each(|number| drop(others.spawn(session::run(Client::new(&run, "session", number)))));
    (0..OLD).for_each(|number| drop(others.spawn(sse::run(Client::new(&run, "sse", number)))));
    (0..LINES).for_each(|number| drop(others.spawn(lines::run(Client::new(&run, "lines", number)))));
    let mut measured = watch::memory(&run, &servers, time).await?;
    others.join_all().await;
    // These stay open on our side, and must not on the server's.
    let unread = unread.join_all().await;
    for (number, (server, idle)) in servers.iter().zip(idle).enumerate() {
        measured.extend(watch::nothing_left(&run, server, number, idle).await?);
    }
    drop(unread);
    for server in servers {
        let status = server.terminate().await?;
        if !status.success() {
            tally.found(WRONG, format_args!("a server ended with {status}"));
        }
    }
    measured.push(("faults in all".to_owned(), tally.sum(Row::Fault).to_string()));
    measured.push(("findings".to_owned(), tally.findings().to_string()));
    measured.push(("seconds, with the end".to_owned(), begin.elapsed().as_secs().to_string()));
    print!("{}", tally.table(&measured));
    Ok(tally.findings() == 0)
}

/// The program, a server of it for each of [`SERVERS`], and the ways to them.
async fn start(folder: &Path) -> io::Result<(PathBuf, Vec<HttpServer>, Vec<[Way; 2]>)> {
    let (program, certificate) = (command::server()?, certify(folder)?);
    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let mut variables = vec![(REST, REST_SECONDS.to_string())];
    let plain = HttpServer::start(&program, anywhere, &variables).await?;
    variables.push((CERTIFICATE, folder.display().to_string()));
    let tls = HttpServer::start(&program, anywhere, &variables).await?;
    let versions = [Version::One, Version::Two];
    let [one, two] = versions.map(|version| Way::tls(tls.address, version, &certificate));
    let ways = vec![versions.map(|version| Way::plain(plain.address, version)), [one?, two?]];
    Ok((program, vec![plain, tls], ways))
}
