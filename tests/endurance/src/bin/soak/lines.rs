//! Clients over stdio, each with a process of the server that it starts again and again.

use crate::calls::Calls;
use crate::client::Client;
use crate::plan::Plan;
use crate::stateless::{is_change, word};
use mcp_endurance::message::{STATELESS, cancelled, initialize, listen, notification, request};
use mcp_endurance::tally::{DOUBLED, FOREIGN, LOST};
use mcp_endurance::{PATIENCE, process};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::pin::pin;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

/// The revisions with a handshake; the first two know no elicitation, and only the last one errors without an id.
const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// So many requests are under way at most.
const WINDOW: usize = 24;

/// Goes on until the run is over.
pub(crate) async fn run(mut client: Client) {
    while client.goes_on() {
        if let Err(error) = process(&mut client).await {
            client.found(LOST, format_args!("over stdio: {error}"));
        }
    }
}

/// A process of the server, and what is awaited of it.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Lines that have been read and not looked at, and the beginning of another one.
    lines: VecDeque<Vec<u8>>,
    partial: Vec<u8>,
    revision: &'static str,
    calls: Calls,
    /// What is subscribed to, by the id of the subscription.
    listening: HashMap<String, String>,
    /// Subscriptions that have not been told of a change yet.
    untold: HashSet<String>,
    /// Refusals without an id that are still to come.
    refusals: usize,
}

/// Starts the server, talks to it, and ends it in one way or the other.
async fn process(client: &mut Client) -> io::Result<()> {
    let mut server = start(client).await?;
    for _ in 0..client.rng.u16(20..400) {
        if !client.goes_on() {
            break;
        }
        step(client, &mut server).await?;
        while server.awaits() >= WINDOW {
            receive(client, &mut server).await?;
        }
    }
    match client.rng.u8(0..4) {
        0 => {
            client.fault("clients over stdio that vanish");
            server.input = None;
            drop(server.output);
            timeout(PATIENCE, server.child.wait()).await?.map(drop)
        }
        1 => {
            while server.awaits() > 0 {
                receive(client, &mut server).await?;
            }
            client.fault("servers over stdio told to end");
            let status = process::terminate(&mut server.child).await?;
            client.expect(status.success(), format_args!("told to end: {status}"));
            Ok(())
        }
        _ => end_input(client, server).await,
    }
}

async fn start(client: &mut Client) -> io::Result<Server> {
    let mut command = Command::new(&client.run.program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn()?;
    client.fault("servers over stdio started");
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let output = BufReader::new(output.ok_or_else(|| io::Error::other("no standard output"))?);
    let revision = if client.rng.bool() { STATELESS } else { REVISIONS[client.rng.usize(0..REVISIONS.len())] };
    let mut server = Server {
        child,
        input,
        output,
        lines: VecDeque::new(),
        partial: Vec::new(),
        revision,
        calls: Calls::default(),
        listening: HashMap::new(),
        untold: HashSet::new(),
        refusals: 0,
    };
    if revision != STATELESS {
        let secret = client.nonce();
        write(client, &mut server, &initialize(revision, &json!(secret), &secret)).await?;
        let answer = next(&mut server).await?.unwrap_or_default();
        client.received("answers");
        client.expect(answer["result"]["protocolVersion"] == revision, format_args!("no handshake: {answer}"));
        write(client, &mut server, &notification("notifications/initialized", &json!({}))).await?;
    }
    Ok(server)
}

/// Ends the input while calls are under way, all of which are answered; half a message may stand at the end.
async fn end_input(client: &mut Client, mut server: Server) -> io::Result<()> {
    // Questions have nobody left to answer them, nor are calls that hang cancelled any more.
    while !server.calls.hanging.is_empty()
        || !server.untold.is_empty()
        || server.calls.open.values().any(|(plan, _)| plan.asks())
    {
        receive(client, &mut server).await?;
    }
    if client.rng.bool() {
        client.fault("half lines at the end");
        raw(client, &mut server, b"{\"jsonrpc\":\"2.0\",\"id\":").await?;
        server.refuses();
    }
    server.input = None;
    while server.awaits() > 0 {
        receive(client, &mut server).await?;
    }
    while let Some(last) = next(&mut server).await? {
        client.expect(server.ends_something(&last), format_args!("after the end of the input: {last}"));
    }
    let status = timeout(PATIENCE, server.child.wait()).await??;
    client.expect(status.success(), format_args!("after the end of the input: {status}"));
    Ok(())
}

impl Server {
    fn awaits(&self) -> usize {
        self.calls.awaited() + self.refusals + self.untold.len()
    }

    /// Something without an id has been sent that deserves a refusal. Older revisions have none without an id.
    fn refuses(&mut self) {
        self.refusals += usize::from(self.revision >= "2025-11-25");
    }

    /// Is it what the server says to end a subscription, because the input has ended, or to take a question back whose call was
    /// cancelled?
    fn ends_something(&self, message: &Value) -> bool {
        let id = [&message["id"], &message["params"]["requestId"]].into_iter().find_map(Value::as_str);
        let listens = self.input.is_none() && id.is_some_and(|id| self.listening.contains_key(id));
        listens || (message["method"] == "notifications/cancelled" && self.revision != STATELESS)
    }
}

async fn step(client: &mut Client, server: &mut Server) -> io::Result<()> {
    let nonce = client.nonce();
    match client.rng.u8(0..100) {
        0..70 => {
            let plan = Plan::pick(&mut client.rng, server.revision, &nonce);
            call(client, server, plan).await
        }
        70..75 => {
            server.calls.hanging.insert(nonce.clone());
            let plan = Plan::call(server.revision, &nonce, "hang", json!({}));
            write(client, server, &plan.message).await
        }
        75..79 if server.revision >= "2025-06-18" => {
            let plan = Plan::call(server.revision, &nonce, "ask", json!({}));
            call(client, server, plan).await
        }
        79..82 if server.revision == STATELESS => {
            let uri = format!("thing://{nonce}");
            write(client, server, &listen(&json!(nonce), &uri)).await?;
            server.untold.insert(nonce.clone());
            server.listening.insert(nonce, uri);
            Ok(())
        }
        82..84 => {
            // A burst, of which nothing is read until it is written.
            client.fault("clients over stdio that read late");
            for _ in 0..client.rng.u8(10..60) {
                let plan = Plan::call(server.revision, &client.nonce(), "fast", json!({}));
                call(client, server, plan).await?;
            }
            Ok(())
        }
        _ => hostile(client, server, &nonce).await,
    }
}

async fn call(client: &mut Client, server: &mut Server, plan: Plan) -> io::Result<()> {
    write(client, server, &plan.message).await?;
    server.calls.begin(plan);
    Ok(())
}

async fn hostile(client: &mut Client, server: &mut Server, nonce: &str) -> io::Result<()> {
    let kind = client.rng.u8(0..9);
    let line = match kind {
        0 => format!("what is {nonce}?").into_bytes(),
        1 => br#"{"jsonrpc":"2.0","id":"half","method":"tools/"#.to_vec(),
        2 => [b"{\"a\":\"\xff\xfe".as_slice(), nonce.as_bytes(), b"\"}"].concat(),
        3 => "[{\"a\":".repeat(20_000).into_bytes(),
        4 if client.rng.u8(0..20) == 0 => vec![b'x'; 17 * 1024 * 1024],
        4 | 5 => request(server.revision, &json!({"nonce": nonce}), "tools/list", json!({})).to_string().into_bytes(),
        6 => b" \t ".to_vec(),
        7 => notification("notifications/nothing", &json!({"nonce": nonce})).to_string().into_bytes(),
        _ => json!({"jsonrpc": "2.0", "id": nonce, "result": {}}).to_string().into_bytes(),
    };
    if kind < 6 {
        server.refuses();
        client.fault(match kind {
            2 => "lines that are no UTF-8",
            3 => "lines that are too deep",
            4 if line.len() > 1024 * 1024 => "lines that are too long",
            _ => "lines that are no message",
        });
    } else {
        client.fault("lines that get no answer");
    }
    raw(client, server, &[&line[..], b"\n"].concat()).await
}

async fn write(client: &Client, server: &mut Server, message: &Value) -> io::Result<()> {
    raw(client, server, format!("{message}\n").as_bytes()).await
}

/// Writes. While the server takes no more, what it says is read: it may wait for its reader.
async fn raw(client: &Client, server: &mut Server, bytes: &[u8]) -> io::Result<()> {
    client.sent("lines over stdio");
    let Server { input, output, lines, partial, .. } = server;
    let input = input.as_mut().ok_or_else(|| io::Error::other("the input has ended"))?;
    let both = async {
        let mut writing = pin!(input.write_all(bytes));
        loop {
            tokio::select! {
                biased;
                written = &mut writing => return written,
                read = output.read_until(b'\n', partial) => match read? {
                    0 => return Err(io::Error::other("the output has ended")),
                    _ => lines.push_back(std::mem::take(partial)),
                },
            }
        }
    };
    timeout(PATIENCE, both).await?
}

/// The next line; `None` at the end.
async fn next(server: &mut Server) -> io::Result<Option<Value>> {
    let line = match server.lines.pop_front() {
        Some(line) => line,
        None => {
            timeout(PATIENCE, server.output.read_until(b'\n', &mut server.partial)).await??;
            std::mem::take(&mut server.partial)
        }
    };
    if line.is_empty() {
        return Ok(None);
    }
    let whole = line.last() == Some(&b'\n');
    let message = serde_json::from_slice(&line).ok().filter(|_| whole);
    message.map(Some).ok_or_else(|| io::Error::other(format!("no message: {:.200}", String::from_utf8_lossy(&line))))
}

async fn receive(client: &mut Client, server: &mut Server) -> io::Result<()> {
    let message = match next(server).await {
        Ok(Some(message)) => message,
        outcome => {
            let Server { revision, calls, untold, refusals, .. } = server;
            let text =
                format!("{outcome:?} instead of {calls}, {refusals} refusals and changes for {untold:?} ({revision})");
            return Err(io::Error::other(text));
        }
    };
    let name = message["id"].as_str().unwrap_or_default().to_owned();
    if server.ends_something(&message) {
        return Ok(());
    }
    if message.get("method").is_some() {
        return told(client, server, &message).await;
    }
    if message.get("id").is_none_or(Value::is_null) {
        client.received("refusals");
        client.expect(message["error"]["code"].is_i64(), format_args!("without an id: {message}"));
        match server.refusals.checked_sub(1) {
            Some(left) => server.refusals = left,
            None => client.found(DOUBLED, format_args!("a refusal: {message}")),
        }
        return Ok(());
    }
    if message["result"]["resultType"] == "input_required" {
        return answer(client, server, &name, &message).await;
    }
    server.calls.answered(client, &message);
    Ok(())
}

/// A notification or a question.
async fn told(client: &mut Client, server: &mut Server, message: &Value) -> io::Result<()> {
    let params = &message["params"];
    if let Some(id) = params["_meta"]["io.modelcontextprotocol/subscriptionId"].as_str() {
        return changed(client, server, id, message).await;
    }
    let named = [&params["progressToken"], &params["data"], &params["message"]].into_iter().find_map(Value::as_str);
    let named = named.unwrap_or_default();
    if server.calls.hanging.remove(named) {
        client.received("notifications and questions");
        client.fault("cancelled calls");
        server.calls.closed.insert(named.to_owned());
        return write(client, server, &cancelled(&json!(named))).await;
    }
    let Some((plan, seen)) = server.calls.open.get_mut(named) else {
        client.found(FOREIGN, message);
        return Ok(());
    };
    if message["method"] != "elicitation/create" {
        client.judge(plan, message, seen);
        return Ok(());
    }
    client.received("notifications and questions");
    if client.rng.u8(0..3) == 0 {
        client.fault("questions without an answer");
        server.calls.open.remove(named);
        server.calls.closed.insert(named.to_owned());
        return write(client, server, &cancelled(&json!(named))).await;
    }
    let (answer, text) = word(client, named);
    if let Some((plan, seen)) = server.calls.open.remove(named) {
        server.calls.open.insert(named.to_owned(), (plan.giving(text), seen));
    }
    write(client, server, &json!({"jsonrpc": "2.0", "id": message["id"], "result": answer})).await
}

/// Answers the question of a stateless call, or lets it be.
async fn answer(client: &mut Client, server: &mut Server, name: &str, message: &Value) -> io::Result<()> {
    client.received("answers");
    let Some((mut plan, _)) = server.calls.open.remove(name) else {
        client.found(FOREIGN, message);
        return Ok(());
    };
    server.calls.closed.insert(name.to_owned());
    let questions = message["result"]["inputRequests"].as_object();
    let Some((key, question)) = questions.and_then(|questions| questions.iter().next()) else {
        client.expect(false, format_args!("no question: {message}"));
        return Ok(());
    };
    if question["params"]["message"] != name {
        client.found(FOREIGN, message);
    }
    if client.rng.u8(0..3) == 0 {
        client.fault("questions without an answer");
        return Ok(());
    }
    let (answer, text) = word(client, name);
    plan.message["params"]["inputResponses"] = json!({ key: answer });
    if let Some(state) = message["result"].get("requestState") {
        plan.message["params"]["requestState"] = state.clone();
    }
    call(client, server, plan.giving(text)).await
}

/// Something that a subscription tells: the first thing lets its thing change, the change ends half of them.
async fn changed(client: &mut Client, server: &mut Server, id: &str, message: &Value) -> io::Result<()> {
    client.received("changes told");
    let Some(uri) = server.listening.get(id).cloned() else {
        client.found(FOREIGN, message);
        return Ok(());
    };
    if message["method"] == "notifications/subscriptions/acknowledged" {
        let plan = Plan::call(server.revision, &client.nonce(), "touch", json!({"uri": uri}));
        return call(client, server, plan).await;
    }
    if is_change(client, message, &uri, Some(&json!(id))) {
        client.expect(server.untold.remove(id), format_args!("a change that was not: {message}"));
        if client.rng.bool() {
            client.fault("subscriptions left");
            return write(client, server, &cancelled(&json!(id))).await;
        }
    }
    Ok(())
}
