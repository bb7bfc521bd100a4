//! Clients with a session over HTTP, of every revision that has them.

use crate::client::Client;
use crate::hostile;
use crate::plan::Plan;
use crate::stateless::{is_change, word};
use mcp_endurance::http::{Identity, Link, Reply};
use mcp_endurance::message::{HANDSHAKE, cancelled, initialize, notification, request};
use mcp_endurance::tally::{FOREIGN, LOST};
use serde_json::{Value, json};
use std::io;

/// Goes on until the run is over.
pub(crate) async fn run(mut client: Client) {
    while client.goes_on() {
        if let Err(error) = session(&mut client).await {
            client.found(LOST, format_args!("a request of a session: {error}"));
        }
    }
}

/// One session.
struct Session {
    who: Identity,
    /// What the client calls itself.
    secret: String,
    link: Option<Link>,
    /// The stream of messages that belong to no call, and its connection.
    standing: Option<(Link, Reply)>,
}

/// Opens a session, uses it, and leaves it in one way or the other.
async fn session(client: &mut Client) -> io::Result<()> {
    let mut session = open(client).await?;
    for _ in 0..client.rng.u8(5..60) {
        if !client.goes_on() {
            break;
        }
        step(client, &mut session).await?;
    }
    if client.rng.u8(0..3) == 0 {
        client.fault("sessions left to themselves");
        return Ok(());
    }
    let link = client.link(&mut session.link).await?;
    client.sent("requests over HTTP");
    let reply = link.send(session.who.delete()).await?;
    client.expect(reply.status == 204, format_args!("the end of a session: {}", reply.status));
    if let Some((_, standing)) = &mut session.standing {
        while standing.next().await?.is_some() {}
    }
    let link = client.link(&mut session.link).await?;
    let gone = link.send(session.who.post(&request(session.who.revision, &json!(1), "ping", json!({})))).await?;
    client.sent("requests over HTTP");
    client.fault("requests to sessions that are over");
    client.expect(gone.status == 404, format_args!("a session that is over: {}", gone.status));
    Ok(())
}

async fn open(client: &mut Client) -> io::Result<Session> {
    let revision = HANDSHAKE[client.rng.usize(0..HANDSHAKE.len())];
    let secret = client.nonce();
    let mut who = Identity { revision, session: None };
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let mut reply = link.send(who.post(&initialize(revision, &json!(secret), &secret))).await?;
    who.session = reply.session.take();
    let answer = reply.next().await?.unwrap_or_default();
    client.received("answers");
    let fits = answer["id"] == secret.as_str() && answer["result"]["protocolVersion"] == revision;
    client.expect(fits && who.session.is_some(), format_args!("no session: {answer}"));
    let mut session = Session { who, secret, link: Some(link), standing: None };
    notify(client, &mut session, &notification("notifications/initialized", &json!({}))).await?;
    if client.rng.bool() {
        stand(client, &mut session).await?;
    }
    Ok(session)
}

/// Asks for the standing stream; the one before ends.
async fn stand(client: &Client, session: &mut Session) -> io::Result<()> {
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let reply = link.send(session.who.get(None)).await?;
    client.expect(reply.status == 200, format_args!("the standing stream: {}", reply.status));
    session.standing = Some((link, reply));
    Ok(())
}

/// Sends what gets no answer.
async fn notify(client: &Client, session: &mut Session, message: &Value) -> io::Result<()> {
    let link = client.link(&mut session.link).await?;
    client.sent("notifications and responses");
    let mut reply = link.send(session.who.post(message)).await?;
    let more = reply.next().await?;
    client.expect((reply.status, &more) == (202, &None), format_args!("{}: {more:?}", reply.status));
    Ok(())
}

async fn step(client: &mut Client, session: &mut Session) -> io::Result<()> {
    match client.rng.u8(0..100) {
        0..55 => {
            let nonce = client.nonce();
            let plan = Plan::pick(&mut client.rng, session.who.revision, &nonce);
            exchange(client, session, &plan).await
        }
        55..60 => {
            let nonce = client.nonce();
            let text = format!("{nonce} {}", session.secret);
            let plan = Plan::call(session.who.revision, &nonce, "who", json!({})).giving(text);
            exchange(client, session, &plan).await
        }
        60..67 => cancel(client, session).await,
        67..77 => resume(client, session).await,
        77..84 if session.who.revision > "2025-03-26" => ask(client, session).await,
        84..89 => subscribe(client, session).await,
        89..92 => twice(client, session).await,
        92..94 => stand(client, session).await,
        94..97 if session.who.revision == "2025-03-26" => batch(client, session).await,
        _ => hostile::step(client, &session.who).await,
    }
}

async fn exchange(client: &Client, session: &mut Session, plan: &Plan) -> io::Result<()> {
    let link = client.link(&mut session.link).await?;
    client.exchange(link, &session.who, plan).await
}

/// A call that never ends, and the stream on which it has said that it runs.
async fn hang(client: &mut Client, session: &Session) -> io::Result<(Plan, Link, Reply)> {
    let plan = Plan::call(session.who.revision, &client.nonce(), "hang", json!({}));
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let mut reply = link.send(session.who.post(&plan.message)).await?;
    let seen = client.read(&mut reply, &plan, Some(1)).await?;
    client.expect(seen.progress == 1, format_args!("{seen:?} of {}", plan.message));
    Ok((plan, link, reply))
}

/// Cancels a call that runs: nothing more may come of it.
async fn cancel(client: &mut Client, session: &mut Session) -> io::Result<()> {
    let (plan, link, mut reply) = hang(client, session).await?;
    client.fault("cancelled calls");
    notify(client, session, &cancelled(&json!(plan.nonce))).await?;
    let seen = client.read(&mut reply, &plan, None).await?;
    client.expect(seen.messages == 0, format_args!("{seen:?} of a cancelled {}", plan.message));
    drop(link);
    Ok(())
}

/// Loses the connection in the middle of a stream, and comes back for the rest.
async fn resume(client: &mut Client, session: &mut Session) -> io::Result<()> {
    let plan = Plan::call(session.who.revision, &client.nonce(), "steps", json!({"count": client.rng.u8(4..12)}));
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let mut reply = link.send(session.who.post(&plan.message)).await?;
    let most = client.rng.u32(1..5);
    let mut seen = client.read(&mut reply, &plan, Some(most)).await?;
    let mut last = reply.last_event.take();
    drop((link, reply));
    while seen.answers == 0 {
        client.fault("streams resumed");
        let mut link = Link::open(client.way()).await?;
        client.sent("requests over HTTP");
        let mut reply = link.send(session.who.get(last.as_deref())).await?;
        if reply.status != 200 {
            let refusal = reply.next().await?;
            client.found(LOST, format_args!("resumed {last:?} of {}: {} {refusal:?}", plan.message, reply.status));
            return Ok(());
        }
        let most = client.rng.bool().then(|| client.rng.u32(1..8));
        let more = client.read(&mut reply, &plan, most).await?;
        if more.messages == 0 {
            break;
        }
        seen = seen.and(more);
        last = reply.last_event.take().or(last);
    }
    client.settle(&plan, seen);
    Ok(())
}

/// Makes a call that asks for a word; answers, or cancels the call.
async fn ask(client: &mut Client, session: &mut Session) -> io::Result<()> {
    let plan = Plan::call(session.who.revision, &client.nonce(), "ask", json!({}));
    let mut link = Link::open(client.way()).await?;
    client.sent("requests over HTTP");
    let mut reply = link.send(session.who.post(&plan.message)).await?;
    let question = reply.next().await?.unwrap_or_default();
    client.received("notifications and questions");
    if question["params"]["message"] != plan.nonce.as_str() {
        client.found(FOREIGN, format_args!("for {}: {question}", plan.nonce));
    }
    if client.rng.u8(0..3) == 0 {
        client.fault("questions without an answer");
        notify(client, session, &cancelled(&json!(plan.nonce))).await?;
        // The server may take its question back.
        while let Some(message) = reply.next().await? {
            let taken_back = message["method"] == "notifications/cancelled";
            client.expect(taken_back, format_args!("of a cancelled call: {message}"));
        }
        return Ok(());
    }
    let (answer, text) = word(client, &plan.nonce);
    notify(client, session, &json!({"jsonrpc": "2.0", "id": question["id"], "result": answer})).await?;
    let plan = plan.giving(text);
    let seen = client.read(&mut reply, &plan, None).await?;
    client.settle(&plan, seen);
    Ok(())
}

/// Subscribes to a thing of its own, lets it change, and must be told each time.
async fn subscribe(client: &mut Client, session: &mut Session) -> io::Result<()> {
    if session.standing.is_none() {
        stand(client, session).await?;
    }
    let uri = format!("thing://{}", client.nonce());
    let revision = session.who.revision;
    let plan = Plan::subscription(revision, &client.nonce(), "resources/subscribe", &uri);
    exchange(client, session, &plan).await?;
    for _ in 0..client.rng.u8(1..4) {
        let plan = Plan::call(revision, &client.nonce(), "touch", json!({"uri": uri}));
        exchange(client, session, &plan).await?;
        let Some((_, standing)) = &mut session.standing else { break };
        loop {
            let told = standing.next().await?.ok_or_else(|| io::Error::other(format!("{uri}: the stream ended")))?;
            client.received("changes told");
            if is_change(client, &told, &uri, None) {
                break;
            }
        }
    }
    let plan = Plan::subscription(revision, &client.nonce(), "resources/unsubscribe", &uri);
    exchange(client, session, &plan).await
}

/// Uses the id of a call that runs for another one, which is refused and harms neither.
async fn twice(client: &mut Client, session: &mut Session) -> io::Result<()> {
    let (plan, _link, mut reply) = hang(client, session).await?;
    client.fault("ids used twice");
    client.sent("requests over HTTP");
    let again = Plan::call(session.who.revision, &plan.nonce, "fast", json!({}));
    let refusal = client.link(&mut session.link).await?.send(session.who.post(&again.message)).await?.next().await?;
    client.received("refusals");
    let code = refusal.as_ref().map(|refusal| &refusal["error"]["code"]);
    client.expect(code == Some(&json!(-32600)), format_args!("an id that is used: {refusal:?}"));
    notify(client, session, &cancelled(&json!(plan.nonce))).await?;
    let seen = client.read(&mut reply, &plan, None).await?;
    client.expect(seen.messages == 0, format_args!("{seen:?} of a cancelled {}", plan.message));
    Ok(())
}

/// Several calls in one message.
async fn batch(client: &mut Client, session: &mut Session) -> io::Result<()> {
    let plans: Vec<Plan> = (0..client.rng.u8(1..5))
        .map(|_| {
            let nonce = client.nonce();
            Plan::pick(&mut client.rng, session.who.revision, &nonce)
        })
        .collect();
    let messages: Vec<&Value> = plans.iter().map(|plan| &plan.message).collect();
    client.sent("batches over HTTP");
    let link = client.link(&mut session.link).await?;
    let mut reply = link.send(session.who.post(&json!(messages))).await?;
    let mut seen = vec![crate::client::Seen::default(); plans.len()];
    while let Some(message) = reply.next().await? {
        let parts = if message.is_array() { message.as_array().cloned().unwrap_or_default() } else { vec![message] };
        for part in parts {
            let params = &part["params"];
            let named = [&part["id"], &params["progressToken"], &params["data"]].into_iter().find_map(Value::as_str);
            match plans.iter().position(|plan| Some(plan.nonce.as_str()) == named) {
                Some(at) => client.judge(&plans[at], &part, &mut seen[at]),
                None => client.found(FOREIGN, part),
            }
        }
    }
    plans.iter().zip(seen).for_each(|(plan, seen)| client.settle(plan, seen));
    Ok(())
}
