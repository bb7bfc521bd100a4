//! A client that speaks any revision over any transport, as plainly as possible.

use super::stdio::{PATIENCE, Process};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use mcp_runtime::Connection;
use mcp_tests::fixture;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The stateless revision.
pub const STATELESS: &str = "2026-07-28";
/// The revisions with a handshake, oldest first.
pub const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// How messages travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    Memory,
    Stdio,
    Http,
}

impl Transport {
    pub const ALL: [Transport; 3] = [Transport::Memory, Transport::Stdio, Transport::Http];
}

enum Link {
    Memory(Box<Connection>),
    Stdio(Process),
    Http(Http),
}

/// The client of a server of its own.
pub struct Peer {
    link: Link,
    pub revision: &'static str,
    /// The capabilities that it declares with each request (stateless) or at the handshake.
    pub capabilities: Value,
    /// Goes into `_meta` of every request.
    pub meta: Value,
    /// Goes into the headers of every request.
    pub headers: HashMap<String, String>,
    last_id: u64,
    /// Notifications in the order of their arrival.
    pub notifications: Vec<Value>,
}

impl Peer {
    /// Connects to a new fixture server.
    pub async fn open(transport: Transport, revision: &'static str) -> Peer {
        Peer::open_with(transport, revision, json!({})).await
    }

    /// Connects to a new fixture server with some capabilities.
    pub async fn open_with(transport: Transport, revision: &'static str, capabilities: Value) -> Peer {
        let link = match transport {
            Transport::Memory => {
                Link::Memory(Box::new(fixture::server().build().expect("the fixture builds").connect()))
            }
            Transport::Stdio => Link::Stdio(Process::start(super::FIXTURE, &[])),
            Transport::Http => Link::Http(Http::start().await),
        };
        let mut peer = Peer {
            link,
            revision,
            capabilities,
            meta: json!({}),
            headers: HashMap::new(),
            last_id: 0,
            notifications: Vec::new(),
        };
        if revision != STATELESS {
            peer.initialize().await;
        }
        peer
    }

    async fn initialize(&mut self) {
        let params = json!({
            "protocolVersion": self.revision,
            "capabilities": self.capabilities,
            "clientInfo": {"name": "tests", "version": "0"},
        });
        let answer =
            self.exchange(json!({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params})).await;
        assert_eq!(answer["result"]["protocolVersion"], self.revision, "{answer}");
        self.notify("notifications/initialized", json!({})).await;
    }

    /// Sends a request and gives the whole response.
    pub async fn request(&mut self, method: &str, mut params: Value) -> Value {
        self.last_id += 1;
        let mut meta = self.meta.clone();
        if self.revision == STATELESS {
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.into();
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        }
        if meta != json!({}) {
            params["_meta"] = meta;
        }
        self.exchange(json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})).await
    }

    /// Calls a tool and gives the whole response.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Calls a tool and gives the text of its first block.
    pub async fn text(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert_ne!(answer["result"]["isError"], true, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("no text: {answer}")).to_owned()
    }

    /// Calls a tool with arguments that do not fit and gives the text of the refusal, wherever the revision puts it.
    pub async fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        let text = if ["2024-11-05", "2025-03-26", "2025-06-18"].contains(&self.revision) {
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            &answer["error"]["message"]
        } else {
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            &answer["result"]["content"][0]["text"]
        };
        text.as_str().unwrap_or_else(|| panic!("no text: {answer}")).to_owned()
    }

    /// Sends a notification.
    pub async fn notify(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        match &mut self.link {
            Link::Memory(connection) => connection.send(&message.to_string()),
            Link::Stdio(process) => process.line(&message.to_string()),
            Link::Http(http) => {
                let (status, body) = http.post(self.revision, &message, &self.headers).await;
                assert_eq!((status, body.as_str()), (202, ""));
            }
        }
    }

    /// Sends a message and waits for the response to its id.
    pub async fn exchange(&mut self, message: Value) -> Value {
        let id = message["id"].clone();
        for received in self.send(&message).await {
            if let Some(answer) = self.sort(received, &id) {
                return answer;
            }
        }
        loop {
            let text = match &mut self.link {
                Link::Memory(connection) => {
                    tokio::time::timeout(PATIENCE, connection.receive()).await.expect("the server answers")
                }
                Link::Stdio(process) => process.read(),
                Link::Http(_) => panic!("no response to {message}"),
            };
            let text = text.expect("the server goes on");
            let received = serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}"));
            if let Some(answer) = self.sort(received, &id) {
                return answer;
            }
        }
    }

    /// Keeps a notification; gives the awaited response.
    fn sort(&mut self, received: Value, id: &Value) -> Option<Value> {
        assert_eq!(received["jsonrpc"], "2.0", "{received}");
        if received.get("method").is_some() {
            assert!(received.get("id").is_none(), "a request of the server: {received}");
            self.notifications.push(received);
            None
        } else {
            assert_eq!(received.get("id"), Some(id), "{received}");
            Some(received)
        }
    }

    /// Sends a message; over HTTP, what comes back is given at once.
    async fn send(&mut self, message: &Value) -> Vec<Value> {
        match &mut self.link {
            Link::Memory(connection) => {
                connection.send(&message.to_string());
                Vec::new()
            }
            Link::Stdio(process) => {
                process.line(&message.to_string());
                Vec::new()
            }
            Link::Http(http) => {
                let (_, body) = http.post(self.revision, message, &self.headers).await;
                messages(&body)
            }
        }
    }
}

/// The messages of an HTTP body: JSON, or the `data` lines of an event stream.
fn messages(body: &str) -> Vec<Value> {
    let parse = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| panic!("not JSON: {text}"));
    if body.starts_with(['{', '[']) {
        return vec![parse(body)];
    }
    body.lines().filter_map(|line| line.strip_prefix("data:")).map(|data| parse(data.trim())).collect()
}

/// A fixture server over HTTP, and a client of it.
struct Http {
    url: String,
    session: Option<String>,
    client: Client<HttpConnector, Full<Bytes>>,
    server: tokio::task::JoinHandle<()>,
}

impl Http {
    async fn start() -> Http {
        let server = fixture::server().build().expect("the fixture builds");
        let listener = server.bind_http("127.0.0.1:0").await.expect("a port is free");
        let url = listener.url();
        let server = tokio::spawn(async move {
            listener.serve().await.expect("the server serves");
        });
        Http { url, session: None, client: Client::builder(TokioExecutor::new()).build_http(), server }
    }

    async fn post(&mut self, revision: &str, message: &Value, extra: &HashMap<String, String>) -> (u16, String) {
        let method = message["method"].as_str().unwrap_or_default();
        let mut request = hyper::Request::post(&self.url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", revision);
        for (name, value) in extra {
            request = request.header(name, value);
        }
        if revision == STATELESS {
            request = request.header("mcp-method", method);
            let name = message["params"].get("uri").or(message["params"].get("name")).and_then(Value::as_str);
            if let Some(name) = name.filter(|_| ["tools/call", "prompts/get", "resources/read"].contains(&method)) {
                request = request.header("mcp-name", name);
            }
        }
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        let request = request.body(Full::new(Bytes::from(message.to_string()))).expect("a valid request");
        let response = tokio::time::timeout(PATIENCE, self.client.request(request)).await;
        let response = response.expect("the server answers").expect("the server answers");
        let status = response.status().as_u16();
        if let Some(session) = response.headers().get("mcp-session-id") {
            self.session = Some(session.to_str().expect("visible ASCII").to_owned());
        }
        let body = tokio::time::timeout(PATIENCE, response.into_body().collect()).await;
        let body = body.expect("the body ends").expect("the body is whole").to_bytes();
        (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.server.abort();
    }
}
