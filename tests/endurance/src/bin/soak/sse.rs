//! Clients of the first revision over HTTP+SSE: one stream for all that the server says, and a request for each message.

use crate::calls::Calls;
use crate::client::Client;
use crate::plan::Plan;
use mcp_endurance::http::{Link, Reply, sse_message, sse_stream};
use mcp_endurance::message::{cancelled, initialize, notification};
use mcp_endurance::tally::{FOREIGN, LOST};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io;

const REVISION: &str = "2024-11-05";
/// So many requests are under way at most.
const WINDOW: usize = 12;

/// Goes on until the run is over.
pub(crate) async fn run(mut client: Client) {
    while client.goes_on() {
        if let Err(error) = session(&mut client).await {
            client.found(LOST, format_args!("over HTTP+SSE: {error}"));
        }
    }
}

/// One session.
struct Session {
    /// Where messages go.
    target: String,
    link: Option<Link>,
    stream: Reply,
    /// The connection of the stream.
    _standing: Link,
    calls: Calls,
    subscribed: HashSet<String>,
    /// Resources that are to change.
    untold: HashSet<String>,
}

/// Opens a session, uses it, and leaves it in one way or the other.
async fn session(client: &mut Client) -> io::Result<()> {
    let mut session = open(client).await?;
    for _ in 0..client.rng.u8(5..80) {
        if !client.goes_on() {
            break;
        }
        step(client, &mut session).await?;
        while session.awaited() >= WINDOW {
            receive(client, &mut session).await?;
        }
    }
    if client.rng.bool() {
        while session.awaited() > 0 {
            receive(client, &mut session).await?;
        }
    }
    client.fault("streams of HTTP+SSE left");
    let Session { target, mut link, stream, _standing, .. } = session;
    drop((stream, _standing));
    // The server hears of the end of the stream in its own time.
    client.fault("requests to sessions that are over");
    let message = notification("notifications/nothing", &json!({}));
    while client.goes_on() {
        client.sent("messages over HTTP+SSE");
        let reply = client.link(&mut link).await?.send(sse_message(&target, message.to_string().into())).await?;
        if reply.status == 404 {
            break;
        }
        client.expect(reply.status == 202, format_args!("a session that ends: {}", reply.status));
    }
    Ok(())
}

impl Session {
    fn awaited(&self) -> usize {
        self.calls.awaited() + self.untold.len()
    }
}

async fn open(client: &mut Client) -> io::Result<Session> {
    let mut standing = Link::open(client.way()).await?;
    let mut stream = standing.send(sse_stream()).await?;
    client.expect(stream.status == 200, format_args!("a stream of HTTP+SSE: {}", stream.status));
    let target = String::from_utf8(stream.text().await?.unwrap_or_default()).map_err(io::Error::other)?;
    let (calls, subscribed, untold) = (Calls::default(), HashSet::new(), HashSet::new());
    let target = format!("/{target}");
    let mut session = Session { target, link: None, stream, _standing: standing, calls, subscribed, untold };
    let secret = client.nonce();
    post(client, &mut session, &initialize(REVISION, &json!(secret), &secret)).await?;
    let answer = session.stream.next().await?.unwrap_or_default();
    client.received("answers");
    let fits = answer["id"] == secret.as_str() && answer["result"]["protocolVersion"] == REVISION;
    client.expect(fits, format_args!("no session: {answer}"));
    post(client, &mut session, &notification("notifications/initialized", &json!({}))).await?;
    Ok(session)
}

/// Sends a message, whose answer comes on the stream.
async fn post(client: &Client, session: &mut Session, message: &Value) -> io::Result<()> {
    client.sent("messages over HTTP+SSE");
    let link = client.link(&mut session.link).await?;
    let mut reply = link.send(sse_message(&session.target, message.to_string().into())).await?;
    reply.text().await?;
    client.expect(reply.status == 202, format_args!("{}: {message}", reply.status));
    Ok(())
}

async fn call(client: &Client, session: &mut Session, plan: Plan) -> io::Result<()> {
    post(client, session, &plan.message).await?;
    session.calls.begin(plan);
    Ok(())
}

async fn step(client: &mut Client, session: &mut Session) -> io::Result<()> {
    let nonce = client.nonce();
    match client.rng.u8(0..100) {
        0..78 => {
            let plan = Plan::pick(&mut client.rng, REVISION, &nonce);
            call(client, session, plan).await
        }
        78..86 => {
            let plan = Plan::call(REVISION, &nonce, "hang", json!({}));
            session.calls.hanging.insert(nonce);
            post(client, session, &plan.message).await
        }
        86..93 => {
            let uri = format!("thing://{nonce}");
            let plan = Plan::subscription(REVISION, &nonce, "resources/subscribe", &uri);
            session.subscribed.insert(uri.clone());
            session.untold.insert(uri);
            call(client, session, plan).await
        }
        _ => {
            client.fault("bodies that are no message");
            client.sent("messages over HTTP+SSE");
            let link = client.link(&mut session.link).await?;
            let reply = link.send(sse_message(&session.target, format!("what is {nonce}?").into())).await?;
            client.expect(reply.status == 400, format_args!("no message: {}", reply.status));
            Ok(())
        }
    }
}

/// Reads the next message of the stream.
async fn receive(client: &Client, session: &mut Session) -> io::Result<()> {
    let message = match session.stream.next().await {
        Ok(Some(message)) => message,
        outcome => {
            let text = format!("{outcome:?} instead of {} and changes of {:?}", session.calls, session.untold);
            return Err(io::Error::other(text));
        }
    };
    if message.get("method").is_some() {
        return told(client, session, &message).await;
    }
    match session.calls.answered(client, &message) {
        Some(plan) if plan.name == "resources/subscribe" => {
            let uri = plan.message["params"]["uri"].clone();
            let plan = Plan::call(REVISION, &format!("{}-touch", plan.nonce), "touch", json!({"uri": uri}));
            call(client, session, plan).await
        }
        _ => Ok(()),
    }
}

/// A notification.
async fn told(client: &Client, session: &mut Session, message: &Value) -> io::Result<()> {
    let params = &message["params"];
    if let Some(uri) = params["uri"].as_str() {
        client.received("changes told");
        session.untold.remove(uri);
        if !session.subscribed.contains(uri) {
            client.found(FOREIGN, message);
        }
        return Ok(());
    }
    let named = [&params["progressToken"], &params["data"]].into_iter().find_map(Value::as_str).unwrap_or_default();
    if session.calls.hanging.remove(named) {
        client.received("notifications and questions");
        client.fault("cancelled calls");
        session.calls.closed.insert(named.to_owned());
        return post(client, session, &cancelled(&json!(named))).await;
    }
    match session.calls.open.get_mut(named) {
        Some((plan, seen)) => client.judge(plan, message, seen),
        None if message["method"] == "notifications/tools/list_changed" => client.received("changes told"),
        None => client.found(FOREIGN, message),
    }
    Ok(())
}
