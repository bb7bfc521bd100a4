//! Clients of the stateless revision over HTTP.

use crate::client::{Client, Unread};
use crate::hostile;
use crate::plan::Plan;
use mcp_endurance::http::{Identity, Link};
use mcp_endurance::message::{STATELESS, listen};
use mcp_endurance::tally::{FOREIGN, LOST};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;

/// Goes on until the run is over, and gives the connections that nobody reads.
pub(crate) async fn run(mut client: Client) -> VecDeque<Unread> {
    let mut link = None;
    while client.goes_on() {
        if let Err(error) = step(&mut client, &mut link).await {
            client.found(LOST, format_args!("a stateless request: {error}"));
            link = None;
        }
    }
    client.stopped
}

/// Who such a client is.
pub(crate) fn identity() -> Identity {
    Identity { revision: STATELESS, session: None }
}

async fn step(client: &mut Client, link: &mut Option<Link>) -> io::Result<()> {
    match client.rng.u8(0..100) {
        0..62 => {
            let nonce = client.nonce();
            let plan = Plan::pick(&mut client.rng, STATELESS, &nonce);
            let link = client.link(link).await?;
            client.exchange(link, &identity(), &plan).await
        }
        62..68 => leave_waiting(client).await,
        68..74 => leave_stream(client).await,
        74..78 => leave_response(client).await,
        78..86 => ask(client, link).await,
        86..92 => subscribe(client, link).await,
        92..95 => read_slowly(client).await,
        95 => hostile::stop_reading(client, &identity()).await,
        _ => hostile::step(client, &identity()).await,
    }
}

/// Goes away before there is an answer.
async fn leave_waiting(client: &mut Client) -> io::Result<()> {
    let plan = Plan::call(STATELESS, &client.nonce(), "slow", json!({"ms": client.rng.u8(0..20)}));
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    client.fault("disconnects before the answer");
    let turns = client.rng.u8(0..30);
    let gone = async {
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
    };
    let who = identity();
    tokio::select! {
        reply = link.send(who.post(&plan.message)) => {
            let seen = client.read(&mut reply?, &plan, None).await?;
            client.settle(&plan, seen);
        }
        () = gone => {}
    }
    Ok(())
}

/// Goes away from a call that never ends, when it has begun.
async fn leave_stream(client: &mut Client) -> io::Result<()> {
    let plan = Plan::call(STATELESS, &client.nonce(), "hang", json!({}));
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    client.fault("disconnects from a stream");
    let mut reply = link.send(identity().post(&plan.message)).await?;
    let seen = client.read(&mut reply, &plan, Some(1)).await?;
    client.expect((seen.progress, seen.answers) == (1, 0), format_args!("{seen:?} of {}", plan.message));
    Ok(())
}

/// Goes away in the middle of a response.
async fn leave_response(client: &mut Client) -> io::Result<()> {
    let bytes = client.rng.u32(200_000..2_000_000);
    let plan = Plan::call(STATELESS, &client.nonce(), "large", json!({"bytes": bytes}));
    let mut link = Link::narrow(client.way()).await?;
    client.sent("requests over HTTP");
    client.fault("disconnects within a response");
    let mut reply = link.send(identity().post(&plan.message)).await?;
    reply.more().await.map(drop)
}

/// Reads a large response bit by bit, and lets others go first in between.
async fn read_slowly(client: &mut Client) -> io::Result<()> {
    let bytes = client.rng.usize(200_000..2_000_000);
    let nonce = client.nonce();
    let text = format!("{nonce}{}", "x".repeat(bytes));
    let plan = Plan::call(STATELESS, &nonce, "large", json!({"bytes": bytes})).giving(text);
    let mut link = Link::narrow(client.way()).await?;
    client.sent("requests over HTTP");
    client.fault("slow readers");
    let mut reply = link.send(identity().post(&plan.message)).await?;
    while reply.more().await? {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    let seen = client.read(&mut reply, &plan, None).await?;
    client.settle(&plan, seen);
    Ok(())
}

/// Makes a call that asks for a word, and says one, none, or nothing at all.
async fn ask(client: &mut Client, link: &mut Option<Link>) -> io::Result<()> {
    let nonce = client.nonce();
    let mut plan = Plan::call(STATELESS, &nonce, "ask", json!({}));
    let link = client.link(link).await?;
    client.sent("requests over HTTP");
    let mut reply = link.send(identity().post(&plan.message)).await?;
    let asked = reply.next().await?.unwrap_or_default();
    client.received("answers");
    let result = &asked["result"];
    let questions = result["inputRequests"].as_object();
    let Some((key, question)) = questions.and_then(|questions| questions.iter().next()) else {
        client.expect(false, format_args!("no question: {asked}"));
        return Ok(());
    };
    if asked["id"] != nonce.as_str() || question["params"]["message"] != nonce.as_str() {
        client.found(FOREIGN, format_args!("for {nonce}: {asked}"));
    }
    if client.rng.u8(0..3) == 0 {
        client.fault("questions without an answer");
        return Ok(());
    }
    let (answer, text) = word(client, &nonce);
    plan.message["params"]["inputResponses"] = json!({ key: answer });
    if let Some(state) = result.get("requestState") {
        plan.message["params"]["requestState"] = state.clone();
    }
    client.exchange(link, &identity(), &plan.giving(text)).await
}

/// An answer to a question for a word, and what the call makes of it.
pub(crate) fn word(client: &mut Client, nonce: &str) -> (Value, String) {
    if client.rng.bool() {
        let word = client.nonce();
        (json!({"action": "accept", "content": {"word": word}}), format!("{nonce} {word}"))
    } else {
        (json!({"action": "decline"}), format!("{nonce} nothing"))
    }
}

/// Subscribes to a thing of its own, lets it change, and must be told each time.
async fn subscribe(client: &mut Client, link: &mut Option<Link>) -> io::Result<()> {
    let (id, uri) = (json!(client.nonce()), format!("thing://{}", client.nonce()));
    let mut listening = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let mut reply = listening.send(identity().post(&listen(&id, &uri))).await?;
    let first = reply.next().await?.unwrap_or_default();
    let acknowledged = first["method"] == "notifications/subscriptions/acknowledged";
    client.expect(acknowledged, format_args!("no acknowledgement: {first}"));
    for _ in 0..client.rng.u8(1..4) {
        let plan = Plan::call(STATELESS, &client.nonce(), "touch", json!({"uri": uri}));
        client.exchange(client.link(link).await?, &identity(), &plan).await?;
        loop {
            let told = reply.next().await?.ok_or_else(|| io::Error::other(format!("{uri}: the stream ended")))?;
            client.received("changes told");
            if is_change(client, &told, &uri, Some(&id)) {
                break;
            }
        }
    }
    if client.rng.bool() {
        let plan = Plan::call(STATELESS, &client.nonce(), "flip", json!({}));
        client.exchange(client.link(link).await?, &identity(), &plan).await?;
        let told = reply.next().await?.unwrap_or_default();
        client.received("changes told");
        let listed = told["method"] == "notifications/tools/list_changed";
        client.expect(listed, format_args!("no change of the list: {told}"));
    }
    client.fault("subscriptions left");
    Ok(())
}

/// Does the message tell that this client's thing has changed? It may tell of the list of tools as well, and of nothing else.
pub(crate) fn is_change(client: &Client, told: &Value, uri: &str, subscription: Option<&Value>) -> bool {
    let named = told["params"]["_meta"].get("io.modelcontextprotocol/subscriptionId");
    if named != subscription {
        client.found(FOREIGN, format_args!("for {uri}: {told}"));
    }
    match told["method"].as_str() {
        Some("notifications/resources/updated") => {
            if told["params"]["uri"] != uri {
                client.found(FOREIGN, format_args!("for {uri}: {told}"));
            }
            true
        }
        Some("notifications/tools/list_changed") => false,
        _ => {
            client.expect(false, format_args!("no change: {told}"));
            false
        }
    }
}
