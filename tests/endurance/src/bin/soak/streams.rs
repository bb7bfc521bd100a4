//! Clients that have many requests under way at a time on one connection, over HTTP/2, and take some of them back.

use crate::client::{Client, Unread};
use crate::plan::Plan;
use crate::stateless::identity;
use futures_util::future::join_all;
use mcp_endurance::http::Link;
use mcp_endurance::message::STATELESS;
use mcp_endurance::tally::LOST;
use serde_json::json;
use std::collections::VecDeque;
use std::io;

/// So many requests are under way at most.
const WIDTH: usize = 24;
/// So many of which nothing is read: each waits in the memory of the server, as no other one goes before.
const UNREAD: usize = 4;

/// What a client does with a request.
enum Course {
    /// Reads the response, with so many turns of others between its pieces.
    Read(u8),
    /// Takes it back after so many turns of others.
    TakeBack(u8),
    /// Takes it back when something of the response has come.
    Break,
}

/// Goes on until the run is over, and gives the connections that nobody reads.
pub(crate) async fn run(mut client: Client) -> VecDeque<Unread> {
    while client.goes_on() {
        if let Err(error) = connection(&mut client).await {
            client.found(LOST, format_args!("a request among many: {error}"));
        }
    }
    client.stopped
}

/// Opens a connection, uses it, and leaves it in one way or the other.
async fn connection(client: &mut Client) -> io::Result<()> {
    let way = &client.ways[1];
    let link = if client.rng.u8(0..5) == 0 { Link::narrow(way).await? } else { Link::open(way).await? };
    for _ in 0..client.rng.u8(1..12) {
        if !client.goes_on() {
            return Ok(());
        }
        together(client, &link).await?;
    }
    match client.rng.u8(0..4) {
        0 => stop_reading(client).await,
        1 => vanish(client, &link).await,
        _ => Ok(()),
    }
}

/// Several requests at a time, none of which waits for another.
async fn together(client: &mut Client, link: &Link) -> io::Result<()> {
    let mut courses = Vec::new();
    for _ in 0..client.rng.usize(2..WIDTH) {
        let nonce = client.nonce();
        let (course, plan) = match client.rng.u8(0..100) {
            0..60 => (Course::Read(0), Plan::pick(&mut client.rng, STATELESS, &nonce)),
            60..70 => (Course::Read(client.rng.u8(1..20)), Plan::pick(&mut client.rng, STATELESS, &nonce)),
            70..82 => (Course::TakeBack(client.rng.u8(0..40)), Plan::pick(&mut client.rng, STATELESS, &nonce)),
            82..92 => (Course::Break, Plan::call(STATELESS, &nonce, "hang", json!({}))),
            _ => {
                let bytes = client.rng.u32(200_000..400_000);
                (Course::Break, Plan::call(STATELESS, &nonce, "large", json!({"bytes": bytes})))
            }
        };
        courses.push((course, plan, link_of(link)?));
    }
    let client = &*client;
    let all = courses.into_iter().map(|(course, plan, link)| go(client, course, plan, link));
    join_all(all).await.into_iter().collect()
}

fn link_of(link: &Link) -> io::Result<Link> {
    link.again().ok_or_else(|| io::Error::other("HTTP/1.1 has one request at a time"))
}

async fn go(client: &Client, course: Course, plan: Plan, mut link: Link) -> io::Result<()> {
    client.sent("requests over HTTP/2, many at a time");
    match course {
        Course::Read(turns) => {
            let mut reply = link.send(identity().post(&plan.message)).await?;
            while turns > 0 && reply.more().await? {
                pass(turns).await;
            }
            let seen = client.read(&mut reply, &plan, None).await?;
            client.settle(&plan, seen);
        }
        Course::TakeBack(turns) => {
            client.fault("requests taken back before the answer");
            tokio::select! {
                reply = link.send(identity().post(&plan.message)) => {
                    let seen = client.read(&mut reply?, &plan, None).await?;
                    client.settle(&plan, seen);
                }
                () = pass(turns) => {}
            }
        }
        Course::Break => {
            client.fault("requests taken back within the response");
            link.send(identity().post(&plan.message)).await?.more().await?;
        }
    }
    Ok(())
}

/// Lets others go first, so many times.
async fn pass(turns: u8) {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
}

/// Cuts the connection off, with everything that is under way on it.
async fn vanish(client: &mut Client, link: &Link) -> io::Result<()> {
    client.fault("disconnects with many requests");
    let mut replies = Vec::new();
    for _ in 0..client.rng.usize(1..WIDTH) {
        let plan = Plan::call(STATELESS, &client.nonce(), "hang", json!({}));
        client.sent("requests over HTTP/2, many at a time");
        replies.push(link_of(link)?.send(identity().post(&plan.message)).await?);
    }
    Ok(())
}

/// Asks for much and reads nothing of it, while the connection itself is read: the server has to give it up.
async fn stop_reading(client: &mut Client) -> io::Result<()> {
    client.fault("clients that stop reading");
    let link = Link::narrow(&client.ways[1]).await?;
    let mut replies = Vec::new();
    for _ in 0..UNREAD {
        let plan = Plan::call(STATELESS, &client.nonce(), "large", json!({"bytes": 200_000}));
        client.sent("requests over HTTP/2, many at a time");
        replies.push(link_of(&link)?.send(identity().post(&plan.message)).await?);
    }
    client.stop(Box::new((link, replies)));
    Ok(())
}
