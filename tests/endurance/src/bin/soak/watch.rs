//! What the server takes while it is busy, and what it keeps when nobody is left.

use crate::SERVERS;
use crate::client::{Client, Run};
use crate::stateless::identity;
use mcp_endurance::PATIENCE;
use mcp_endurance::http::Link;
use mcp_endurance::message::{STATELESS, call, text};
use mcp_endurance::process::{HttpServer, Vitals};
use mcp_endurance::tally::WRONG;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::interval;

/// Memory in the last quarter of a run may be so much above that of the quarter before: what allocators keep differs from
/// moment to moment.
const ALLOWED_PARTS: u64 = 10;
const ALLOWED_KIB: u64 = 8 * 1024;
/// How often the system is asked.
const LOOK: Duration = Duration::from_millis(250);

/// Rows of the table.
pub(crate) type Measured = Vec<(String, String)>;

/// What a server takes with one connection and nothing to do.
pub(crate) async fn idle(run: &Arc<Run>, server: &HttpServer, number: usize) -> io::Result<Vitals> {
    let (client, mut link) = watcher(run, number).await?;
    gauges(&client, &mut link).await?;
    server.vitals()
}

/// A client of that server, and its connection.
async fn watcher(run: &Arc<Run>, number: usize) -> io::Result<(Client, Link)> {
    let client = Client::new(run, "watcher", number);
    let link = Link::open(client.way()).await?;
    Ok((client, link))
}

/// Watches the memory of each server until the run is over.
pub(crate) async fn memory(run: &Arc<Run>, servers: &[HttpServer], time: Duration) -> io::Result<Measured> {
    let mut looks = interval(LOOK);
    let begin = run.until - time;
    let mut samples: Vec<[Vec<u64>; 4]> = servers.iter().map(|_| Default::default()).collect();
    while Instant::now() < run.until {
        looks.tick().await;
        let quarter = begin.elapsed().as_millis() * 4 / time.as_millis().max(1);
        let quarter = usize::try_from(quarter).unwrap_or(3).min(3);
        for (server, samples) in servers.iter().zip(&mut samples) {
            samples[quarter].push(server.vitals()?.resident);
        }
    }
    let mut measured = Measured::new();
    for (name, samples) in SERVERS.iter().zip(samples) {
        let medians = samples.map(median);
        let allowed = medians[2] + medians[2] / ALLOWED_PARTS + ALLOWED_KIB;
        if medians[3] > allowed {
            let text = format!("memory grows ({name}): {medians:?} KiB in the quarters of the run");
            run.tally.found(WRONG, text);
        }
        for (quarter, kib) in ["first", "second", "third", "last"].iter().zip(medians) {
            measured.push((format!("memory ({name}), {quarter} quarter, KiB"), kib.to_string()));
        }
        measured.push((format!("memory ({name}), allowed in the last, KiB"), allowed.to_string()));
    }
    Ok(measured)
}

fn median(mut samples: Vec<u64>) -> u64 {
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied().unwrap_or(0)
}

/// Waits until nothing is left of any client, and says what is if that does not come.
pub(crate) async fn nothing_left(
    run: &Arc<Run>,
    server: &HttpServer,
    number: usize,
    idle: Vitals,
) -> io::Result<Measured> {
    let (client, mut link) = watcher(run, number).await?;
    let (mut looks, deadline, of) = (interval(LOOK), Instant::now() + PATIENCE, SERVERS[number]);
    loop {
        let gauges = gauges(&client, &mut link).await?;
        let now = server.vitals()?;
        let open = |name: &str| gauges[name].as_f64().unwrap_or(0.0);
        let left = [
            ("functions that run", open("running"), 0.0),
            // One of them is the question itself.
            ("requests in flight", open("mcp.server.requests.in_flight"), 1.0),
            ("sessions", open("mcp.server.sessions"), 0.0),
            ("subscriptions", open("mcp.server.subscriptions"), 0.0),
            ("threads", now.threads as f64, idle.threads as f64),
            ("file descriptors", now.descriptors as f64, idle.descriptors as f64),
        ];
        let is_late = Instant::now() > deadline;
        if left.iter().all(|(_, is, most)| is <= most) || is_late {
            for (name, is, most) in left.iter().filter(|(_, is, most)| is > most) {
                run.tally.found(WRONG, format_args!("left at the end ({of}): {is} {name} instead of {most}"));
            }
            let row = |(name, is, most): (&str, f64, f64)| (format!("{name} ({of})"), format!("{is} of {most}"));
            let mut measured: Measured = left.into_iter().map(row).collect();
            measured.push((format!("memory ({of}), at the end, KiB"), now.resident.to_string()));
            measured.push((format!("memory ({of}), at its peak, KiB"), now.peak.to_string()));
            return Ok(measured);
        }
        looks.tick().await;
    }
}

/// What a server says of itself.
async fn gauges(client: &Client, link: &mut Link) -> io::Result<Value> {
    let message = call(STATELESS, &json!("gauges"), "gauges", &json!({}), "gauges");
    let answer = link.send(identity().post(&message)).await?.next().await?.unwrap_or_default();
    client.expect(answer["id"] == "gauges", format_args!("no gauges: {answer}"));
    serde_json::from_str(text(&answer)).map_err(io::Error::other)
}
