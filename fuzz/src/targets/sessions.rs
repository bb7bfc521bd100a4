//! Sessions over HTTP: a sequence of requests that name sessions of their own and of others, past ones, and none that ever was.
//!
//! Each session has a name of its client that it alone knows, subscriptions of its own, and streams. Whatever the sequence is:
//! only a session that is open is served, with what is its own; one that is over, or never was, is a 404; none, or two at a
//! time, is a 400; ids never come again. A standing stream tells of what its session has subscribed to, each change that came
//! since it was asked for the last time, and of nothing else. Behind an event comes exactly what had come behind it, to the
//! session that it was for.
//!
//! Source: basic/transports of 2025-11-25, Session Management, Resumability and Redelivery.

mod aim;
mod steps;

use crate::peer::{REVISIONS, run};
use crate::web::{self, Reply};
use aim::{Aim, judge_stream};
use arbitrary::{Arbitrary, Unstructured};
use http::{HeaderMap, HeaderValue, Method};
use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, HttpService, Server};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;
use steps::{Step, Target, Version};

/// Longer sequences show nothing more.
const MOST: usize = 32;
/// How many things there are.
const THINGS: u8 = 4;

/// What the client has called itself.
#[mcp_tool]
fn who(cx: Context) -> String {
    cx.client_info().and_then(|info| info["name"].as_str().map(str::to_owned)).unwrap_or_default()
}

/// Reports progress on its way.
#[mcp_tool]
async fn progress(count: u8, cx: Context) -> String {
    for step in 0..count {
        cx.progress(step, count);
        tokio::task::yield_now().await;
    }
    "arrived".to_owned()
}

/// Says that a resource has changed.
#[mcp_tool]
fn touch(uri: String, cx: Context) {
    cx.resource_updated(&uri);
}

/// Something that changes.
#[mcp_resource(uri = "thing://{n}")]
fn thing(n: u8) -> String {
    n.to_string()
}

fn service() -> HttpService {
    static SERVER: OnceLock<BuiltServer> = OnceLock::new();
    let server = SERVER.get_or_init(|| {
        let server = Server::new("fuzzed", "1").tools(tools![who, progress, touch]).resources(resources![thing]);
        server.build().expect("the fixture builds")
    });
    server.clone().into_service()
}

/// See the module.
pub fn check(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut world =
        World { service: service(), sessions: Vec::new(), events: Vec::new(), ids: HashSet::new(), last: 0 };
    run(async {
        for _ in 0..MOST {
            let Ok(step) = Step::arbitrary(&mut input) else { break };
            world.go(&step).await;
            if input.is_empty() {
                break;
            }
        }
    });
}

/// The server, and what is known of its sessions.
struct World {
    service: HttpService,
    sessions: Vec<Session>,
    events: Vec<Event>,
    /// Every id that there has been.
    ids: HashSet<String>,
    last: u32,
}

struct Session {
    id: String,
    revision: &'static str,
    is_open: bool,
    subscribed: BTreeSet<u8>,
    /// What has changed since the standing stream was asked for the last time.
    untold: BTreeSet<u8>,
}

/// An event that was seen, and what came behind it on its stream.
struct Event {
    session: usize,
    id: String,
    rest: Vec<String>,
}

impl World {
    async fn go(&mut self, step: &Step<'_>) {
        match step {
            Step::Open { age, with } => self.open(*age, with).await,
            Step::Who { of, version } => {
                let (aim, reply) = self.call(of, *version, "who", json!({})).await;
                if let Aim::Open(session) = aim {
                    assert_eq!(text(&reply), secret(session), "{step:?}");
                }
            }
            Step::Progress { of, version, count } => {
                let (aim, reply) = self.call(of, *version, "progress", json!({"count": count % 8})).await;
                if let Aim::Open(session) = aim {
                    assert_eq!(text(&reply), "arrived", "{step:?}");
                    assert_eq!(reply.messages().others.len(), usize::from(count % 8), "{step:?}");
                    self.remember(session, &reply);
                }
            }
            Step::Notify { of, version } => {
                let body = json!({"jsonrpc": "2.0", "method": "notifications/nothing"});
                let (aim, reply) = self.post(of, *version, &body).await;
                if matches!(aim, Aim::Open(_)) {
                    assert_eq!(reply.status.as_u16(), 202, "{step:?}");
                }
            }
            Step::Delete { of, version } => self.delete(of, *version).await,
            Step::Subscribe { of, thing, on } => self.subscribe(*of, thing % THINGS, *on).await,
            Step::Touch { of, thing } => self.touch(*of, thing % THINGS).await,
            Step::Watch { of, version, by, thing } => self.watch(of, *version, (*by, thing % THINGS)).await,
            Step::Resume { of, event } => self.resume(of, *event).await,
        }
    }

    async fn open(&mut self, age: u8, with: &Target<'_>) {
        let (mut headers, _) = self.headers(with, Version::Absent);
        if headers.get_all("mcp-session-id").iter().count() > 1 {
            headers.remove("mcp-session-id");
        }
        let (number, revision) = (self.sessions.len(), REVISIONS[1 + usize::from(age % 3)]);
        let params = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": secret(number), "version": "0"},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let reply = self.send(Method::POST, headers, &body).await;
        assert_eq!(reply.status.as_u16(), 200, "{:?}", reply.body);
        let mut ids = reply.headers.get_all("mcp-session-id").iter();
        let id = ids.next().and_then(|id| id.to_str().ok()).expect("an id").to_owned();
        assert!(ids.next().is_none() && id.bytes().all(|byte| byte.is_ascii_graphic()), "{id:?}");
        assert!(self.ids.insert(id.clone()), "{id} comes again");
        let (subscribed, untold) = (BTreeSet::new(), BTreeSet::new());
        self.sessions.push(Session { id, revision, is_open: true, subscribed, untold });
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let this = Target::One(u8::try_from(number).unwrap_or(u8::MAX));
        let (_, reply) = self.post(&this, Version::Own, &initialized).await;
        assert_eq!(reply.status.as_u16(), 202);
    }

    /// Calls a tool; what is not for an open session is judged here.
    async fn call(&mut self, of: &Target<'_>, version: Version, tool: &str, arguments: Value) -> (Aim, Reply) {
        self.last += 1;
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": self.last}});
        let body = json!({"jsonrpc": "2.0", "id": self.last, "method": "tools/call", "params": params});
        let (aim, reply) = self.post(of, version, &body).await;
        let received = reply.messages();
        if matches!(aim, Aim::Open(_)) {
            received.only(&self.last.to_string());
            let is_own = |(_, params): &(String, Value)| params["progressToken"] == self.last;
            assert!(received.others.iter().all(is_own), "{received:?}");
        } else if let Some(response) = received.responses.first() {
            assert!(response.outcome.is_err(), "{of:?} with {version:?}: {response:?}");
        }
        (aim, reply)
    }

    /// Posts a message. A session that is not served is no open one for the caller.
    async fn post(&mut self, of: &Target<'_>, version: Version, body: &Value) -> (Aim, Reply) {
        let (headers, aim) = self.headers(of, version);
        let reply = self.send(Method::POST, headers, body).await;
        let status = reply.status.as_u16();
        let is_notification = body.get("id").is_none();
        match (version, aim) {
            // Nobody who speaks without sessions names one: it is as good as none. Notifications do nothing there.
            (Version::Stateless, _) => {
                assert!(status == 400 || (is_notification && status == 202), "{of:?}: {status}");
                return (Aim::Nothing, reply);
            }
            (Version::Unknown, _) => {
                assert!(status == 400 || (status == 404 && aim == Aim::Gone), "{of:?}: {status}");
                return (Aim::Nothing, reply);
            }
            (_, Aim::Open(_)) => assert!(status == 200 || (is_notification && status == 202), "{of:?}: {status}"),
            (_, Aim::Gone) => assert_eq!(status, 404, "{of:?}"),
            (_, Aim::Garbled) => assert_eq!(status, 400, "{of:?}"),
            (_, Aim::Nothing) => assert!(status == 400 || (is_notification && status == 202), "{of:?}: {status}"),
        }
        (aim, reply)
    }

    async fn delete(&mut self, of: &Target<'_>, version: Version) {
        let (headers, aim) = self.headers(of, version);
        let reply = self.send(Method::DELETE, headers, &Value::Null).await;
        if let Some(session) = judge_stream(aim, version, &reply, 204) {
            self.sessions[session].is_open = false;
        }
    }

    async fn subscribe(&mut self, of: u8, thing: u8, on: bool) {
        let Some(session) = self.number(of).filter(|session| self.sessions[*session].is_open) else { return };
        let method = if on { "resources/subscribe" } else { "resources/unsubscribe" };
        let params = json!({"uri": format!("thing://{thing}")});
        let body = json!({"jsonrpc": "2.0", "id": "s", "method": method, "params": params});
        let (_, reply) = self.post(&Target::One(of), Version::Own, &body).await;
        assert_eq!(reply.messages().only("\"s\"").outcome, Ok(json!({})));
        let session = &mut self.sessions[session];
        if on {
            session.subscribed.insert(thing);
        } else {
            // Whoever does not want to know of it any more is not told of what was before either.
            session.subscribed.remove(&thing);
            session.untold.remove(&thing);
        }
    }

    async fn touch(&mut self, of: u8, thing: u8) {
        let uri = format!("thing://{thing}");
        let (aim, _) = self.call(&Target::One(of), Version::Own, "touch", json!({"uri": uri})).await;
        if matches!(aim, Aim::Open(_)) {
            let told = self.sessions.iter_mut().filter(|session| session.is_open);
            told.filter(|session| session.subscribed.contains(&thing)).for_each(|session| {
                session.untold.insert(thing);
            });
        }
    }

    async fn watch(&mut self, of: &Target<'_>, version: Version, (by, thing): (u8, u8)) {
        let (headers, aim) = self.headers(of, version);
        let response = web::send(&mut self.service, Method::GET, headers, b"").await;
        self.touch(by, thing).await;
        let reply = web::read(response).await;
        let Some(session) = judge_stream(aim, version, &reply, 200) else { return };
        let received = reply.messages();
        assert!(received.responses.is_empty(), "{received:?}");
        let told: BTreeSet<String> = received.others.iter().map(|(_, params)| params["uri"].to_string()).collect();
        let untold = std::mem::take(&mut self.sessions[session].untold);
        let expected: BTreeSet<String> = untold.iter().map(|thing| format!("\"thing://{thing}\"")).collect();
        assert_eq!(told, expected, "{received:?}");
    }

    /// What came behind an event is there for the session that it was for, and for no other.
    async fn resume(&mut self, of: &Target<'_>, event: u8) {
        if self.events.is_empty() {
            return;
        }
        let (mut headers, aim) = self.headers(of, Version::Own);
        let at = usize::from(event) % self.events.len();
        let id = HeaderValue::from_str(&self.events[at].id).expect("an id of an event");
        headers.insert("last-event-id", id);
        let reply = self.send(Method::GET, headers, &Value::Null).await;
        let event = &self.events[at];
        let is_own = aim == Aim::Open(event.session);
        let served = judge_stream(aim, Version::Own, &reply, if is_own { 200 } else { 400 });
        if is_own && served.is_some() {
            let rest: Vec<String> = events(&reply).into_iter().filter_map(|(_, data)| data).collect();
            assert_eq!(rest, event.rest);
        }
    }

    /// Keeps the events of a response.
    fn remember(&mut self, session: usize, reply: &Reply) {
        let all = events(reply);
        for (at, (id, _)) in all.iter().enumerate() {
            assert!(self.ids.insert(id.clone()), "the event {id} comes again");
            let rest = all[at + 1..].iter().filter_map(|(_, data)| data.clone()).collect();
            self.events.push(Event { session, id: id.clone(), rest });
        }
    }

    async fn send(&mut self, method: Method, headers: HeaderMap, body: &Value) -> Reply {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        web::ask(&mut self.service, method, headers, body.as_bytes()).await
    }

    fn number(&self, of: u8) -> Option<usize> {
        (!self.sessions.is_empty()).then(|| usize::from(of) % self.sessions.len())
    }
}

/// What a client calls itself in the session of that number, and nowhere else.
fn secret(number: usize) -> String {
    format!("the client of session {number}")
}

/// The text of the one result.
fn text(reply: &Reply) -> String {
    let received = reply.messages();
    let [response] = &received.responses[..] else { panic!("not one answer: {received:?}") };
    let result = response.outcome.as_ref().expect("a result");
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// The ids of the events of a response, with what they bring.
fn events(reply: &Reply) -> Vec<(String, Option<String>)> {
    if reply.media_type() != Some("text/event-stream") {
        return Vec::new();
    }
    let text = std::str::from_utf8(&reply.body).expect("UTF-8");
    let events = text.split("\n\n").filter_map(|event| {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        Some((field("id: ")?, field("data: ").filter(|data| !data.is_empty())))
    });
    events.collect()
}
