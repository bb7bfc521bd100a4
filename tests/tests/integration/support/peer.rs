//! A client that speaks any revision over any transport, as plainly as possible.

use super::stdio::{PATIENCE, Process};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use mcp_runtime::{Connection, Server};
use mcp_tests::{fixture, layered};
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

/// A server to talk to: in this process, and as a program.
#[derive(Clone, Copy)]
pub struct Fixture {
    server: fn() -> Server,
    program: &'static str,
}

impl Fixture {
    pub const PLAIN: Fixture = Fixture { server: fixture::server, program: super::FIXTURE };
    /// Behind a layer that counts.
    pub const LAYERED: Fixture = Fixture { server: layered::server, program: env!("CARGO_BIN_EXE_layered") };
}

enum Link {
    Memory(Box<Connection>),
    Stdio(Process),
    Http(Box<Http>),
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
    /// Answers the server's questions: from method and params to the result.
    pub answer: Option<Answer>,
    /// The server's questions in the order of their arrival: method and params.
    pub asked: Vec<(String, Value)>,
}

/// Answers a question.
pub type Answer = fn(&str, &Value) -> Value;

impl Peer {
    /// Connects to a new fixture server.
    pub async fn open(transport: Transport, revision: &'static str) -> Peer {
        Peer::open_with(transport, revision, json!({})).await
    }

    /// Connects to a new fixture server with some capabilities.
    pub async fn open_with(transport: Transport, revision: &'static str, capabilities: Value) -> Peer {
        Peer::open_at(Fixture::PLAIN, transport, revision, capabilities).await
    }

    /// Connects to a new server of a fixture with some capabilities.
    pub async fn open_at(
        Fixture { server, program }: Fixture,
        transport: Transport,
        revision: &'static str,
        capabilities: Value,
    ) -> Peer {
        let link = match transport {
            Transport::Memory => Link::Memory(Box::new(server().build().expect("the fixture builds").connect())),
            Transport::Stdio => Link::Stdio(Process::start(program, &[])),
            Transport::Http => Link::Http(Box::new(Http::start(server()).await)),
        };
        let mut peer = Peer {
            link,
            revision,
            capabilities,
            meta: json!({}),
            headers: HashMap::new(),
            last_id: 0,
            notifications: Vec::new(),
            answer: None,
            asked: Vec::new(),
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

    /// Sends a request and gives the whole response. Rounds of the stateless revision are gone through as long as there is
    /// somebody to answer.
    pub async fn request(&mut self, method: &str, mut params: Value) -> Value {
        loop {
            let response = self.request_once(method, params.clone()).await;
            let result = &response["result"];
            let Some(answer) = self.answer.filter(|_| result["resultType"] == "input_required") else {
                return response;
            };
            let mut responses = json!({});
            for (key, question) in result["inputRequests"].as_object().expect("questions") {
                let method = question["method"].as_str().expect("a method");
                self.asked.push((method.to_owned(), question["params"].clone()));
                responses[key] = answer(method, &question["params"]);
            }
            params["inputResponses"] = responses;
            match result.get("requestState") {
                Some(state) => params["requestState"] = state.clone(),
                None => drop(params.as_object_mut().expect("an object").remove("requestState")),
            }
        }
    }

    /// Sends a request and gives the whole response.
    pub async fn request_once(&mut self, method: &str, params: Value) -> Value {
        let message = self.message(method, params);
        self.exchange(message).await
    }

    /// Sends a request, and waits for the first notification of its call.
    pub async fn begin(&mut self, method: &str, params: Value) {
        let message = self.message(method, params);
        self.send(&message).await;
        let notified = self.next().await;
        assert!(notified.get("method").is_some(), "{notified}");
    }

    /// Cancels the request that has begun last.
    pub async fn cancel(&mut self) {
        match &mut self.link {
            Link::Http(http) if self.revision == STATELESS => http.body = None,
            _ => self.notify("notifications/cancelled", json!({"requestId": self.last_id})).await,
        }
    }

    /// The next request.
    fn message(&mut self, method: &str, mut params: Value) -> Value {
        self.last_id += 1;
        let mut meta = self.meta.clone();
        if self.revision == STATELESS {
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.into();
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        }
        if meta != json!({}) {
            params["_meta"] = meta;
        }
        json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
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
        self.send(&message).await;
        loop {
            let received = self.next().await;
            if let Some(answer) = self.sort(received, &id).await {
                return answer;
            }
        }
    }

    /// The next message of the server.
    async fn next(&mut self) -> Value {
        let text = match &mut self.link {
            Link::Memory(connection) => {
                tokio::time::timeout(PATIENCE, connection.receive()).await.expect("the server answers")
            }
            Link::Stdio(process) => process.read(),
            Link::Http(http) => http.next().await,
        };
        let text = text.expect("the server goes on");
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}"))
    }

    /// Keeps a notification, answers a question, gives the awaited response.
    async fn sort(&mut self, received: Value, id: &Value) -> Option<Value> {
        assert_eq!(received["jsonrpc"], "2.0", "{received}");
        if let (Some(method), Some(asked)) = (received.get("method"), received.get("id")) {
            assert_ne!(self.revision, STATELESS, "a request of the server: {received}");
            let method = method.as_str().expect("a method").to_owned();
            let answer = self.answer.expect("somebody to answer")(&method, &received["params"]);
            self.asked.push((method, received["params"].clone()));
            self.respond(json!({"jsonrpc": "2.0", "id": asked, "result": answer})).await;
            None
        } else if received.get("method").is_some() {
            self.notifications.push(received);
            None
        } else {
            assert_eq!(received.get("id"), Some(id), "{received}");
            Some(received)
        }
    }

    /// Sends a response.
    pub async fn respond(&mut self, message: Value) {
        match &mut self.link {
            Link::Memory(connection) => connection.send(&message.to_string()),
            Link::Stdio(process) => process.line(&message.to_string()),
            Link::Http(http) => {
                let (status, body) = http.post(self.revision, &message, &self.headers).await;
                assert_eq!((status, body.as_str()), (202, ""));
            }
        }
    }

    /// Sends a message.
    async fn send(&mut self, message: &Value) {
        match &mut self.link {
            Link::Memory(connection) => connection.send(&message.to_string()),
            Link::Stdio(process) => process.line(&message.to_string()),
            Link::Http(http) => http.open(self.revision, message, &self.headers).await,
        }
    }
}

/// A fixture server over HTTP, and a client of it.
struct Http {
    url: String,
    session: Option<String>,
    client: Client<HttpConnector, Full<Bytes>>,
    server: tokio::task::JoinHandle<()>,
    /// The response that is being read, and what of it has not been given out.
    body: Option<Incoming>,
    text: String,
}

impl Http {
    async fn start(server: Server) -> Http {
        let server = server.build().expect("the fixture builds");
        let listener = server.bind_http("127.0.0.1:0").await.expect("a port is free");
        let url = listener.url();
        let server = tokio::spawn(async move {
            listener.serve().await.expect("the server serves");
        });
        Http {
            url,
            session: None,
            client: Client::builder(TokioExecutor::new()).build_http(),
            server,
            body: None,
            text: String::new(),
        }
    }

    /// Posts a message and reads the whole response.
    async fn post(&mut self, revision: &str, message: &Value, extra: &HashMap<String, String>) -> (u16, String) {
        let response = self.start_post(revision, message, extra).await;
        let status = response.status().as_u16();
        let body = tokio::time::timeout(PATIENCE, response.into_body().collect()).await;
        let body = body.expect("the body ends").expect("the body is whole").to_bytes();
        (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
    }

    /// Posts a message whose response is read bit by bit.
    async fn open(&mut self, revision: &str, message: &Value, extra: &HashMap<String, String>) {
        self.body = Some(self.start_post(revision, message, extra).await.into_body());
        self.text.clear();
    }

    /// The next message of the response: a line of JSON, or the `data` of an event.
    async fn next(&mut self) -> Option<String> {
        loop {
            while let Some((line, rest)) = self.text.split_once('\n') {
                let message = line.strip_prefix("data:").map(|data| data.trim().to_owned());
                self.text = rest.to_owned();
                if let Some(message) = message.filter(|message| !message.is_empty()) {
                    return Some(message);
                }
            }
            let frame = tokio::time::timeout(PATIENCE, self.body.as_mut()?.frame()).await.expect("the server goes on");
            match frame {
                Some(frame) => {
                    let data = frame.expect("the body is whole").into_data().unwrap_or_default();
                    self.text.push_str(std::str::from_utf8(&data).expect("UTF-8"));
                }
                None => {
                    self.body = None;
                    let rest = std::mem::take(&mut self.text);
                    return rest.starts_with('{').then_some(rest);
                }
            }
        }
    }

    async fn start_post(
        &mut self,
        revision: &str,
        message: &Value,
        extra: &HashMap<String, String>,
    ) -> hyper::Response<Incoming> {
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
        if let Some(session) = response.headers().get("mcp-session-id") {
            self.session = Some(session.to_str().expect("visible ASCII").to_owned());
        }
        response
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.server.abort();
    }
}
