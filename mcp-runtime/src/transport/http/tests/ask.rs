//! Requests and what comes back.

use crate::transport::http::{HttpBody, HttpService};
use crate::{PeerAddress, Principal};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower_service::Service;

/// A request under construction.
#[derive(Debug, Clone)]
pub(super) struct Ask {
    pub(super) method: Method,
    pub(super) uri: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Ask {
    pub(super) fn new(method: Method) -> Self {
        let ask = Ask { method, uri: "/mcp".to_owned(), headers: HeaderMap::new(), body: Bytes::new() };
        ask.header("host", "localhost")
    }

    /// A POST with the headers that every client sends.
    pub(super) fn post(body: impl ToString) -> Self {
        let ask = Ask::new(Method::POST)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        Ask { body: body.to_string().into(), ..ask }
    }

    /// A stateless request.
    pub(super) fn stateless(id: impl Into<Value>, method: &str, mut params: Value) -> Self {
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).map(str::to_owned);
        let meta = params.as_object_mut().expect("params").entry("_meta").or_insert(json!({}));
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        let members = meta.as_object_mut().expect("`_meta`");
        members.entry("io.modelcontextprotocol/clientCapabilities").or_insert(json!({}));
        let ask = Ask::post(json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        match name {
            Some(name) => ask.header("mcp-name", &name),
            None => ask,
        }
    }

    /// A stateless call of a tool.
    pub(super) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Self {
        Ask::stateless(id, "tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The same, of a client that wants to know how it goes.
    pub(super) fn watched_call(id: impl Into<Value>, tool: &str, arguments: Value) -> Self {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
        Ask::stateless(id, "tools/call", params)
    }

    /// The first message of a handshake.
    pub(super) fn initialize(version: &str) -> Self {
        let params =
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
        Ask::post(json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params}))
    }

    /// Sets a header.
    pub(super) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header value"));
        self
    }

    /// Adds one more header of that name.
    pub(super) fn also(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header value"));
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    pub(super) fn at(mut self, uri: &str) -> Self {
        uri.clone_into(&mut self.uri);
        self
    }

    pub(super) fn request(self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.uri.parse().expect("a URI");
        *request.headers_mut() = self.headers;
        request
    }

    /// The request as HTTP/1.1 writes it.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut out = self.head();
        out.extend_from_slice(format!("content-length: {}\r\n\r\n", self.body.len()).as_bytes());
        out.extend_from_slice(&self.body);
        out
    }

    /// The same without the length of a body, and without the empty line.
    pub(super) fn head(&self) -> Vec<u8> {
        let mut out = format!("{} {} HTTP/1.1\r\n", self.method, self.uri).into_bytes();
        for (name, value) in &self.headers {
            out.extend_from_slice(name.as_str().as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value.as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        out
    }

    /// The response to the request of a principal.
    pub(super) async fn sent_by(self, principal: Option<Principal>, service: &HttpService) -> Reply {
        let mut request = self.request();
        if let Some(principal) = principal {
            request.extensions_mut().insert(principal);
        }
        Reply::read(service.clone().call(request).await.unwrap_or_else(|never| match never {})).await
    }

    /// The response to a request that came from an address.
    pub(super) async fn from(self, peer: &str, service: &HttpService) -> Reply {
        let mut request = self.request();
        request.extensions_mut().insert(PeerAddress(peer.parse().expect("an address")));
        Reply::read(service.clone().call(request).await.unwrap_or_else(|never| match never {})).await
    }

    /// The response to the request, with its body under way.
    pub(super) async fn start(self, service: &HttpService) -> Response<HttpBody> {
        service.clone().call(self.request()).await.unwrap_or_else(|never| match never {})
    }

    /// The whole response to the request.
    pub(super) async fn of(self, service: &HttpService) -> Reply {
        Reply::read(self.start(service).await).await
    }
}

/// A response that has been read to its end.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl Reply {
    pub(super) async fn read<B>(response: Response<B>) -> Self
    where
        B: http_body::Body<Data = Bytes, Error: std::fmt::Debug>,
    {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes();
        let body = String::from_utf8(body.to_vec()).expect("UTF-8");
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    pub(super) fn media_type(&self) -> &str {
        self.header("content-type").unwrap_or_default()
    }

    /// The body as JSON.
    pub(super) fn json(&self) -> Value {
        assert_eq!(self.media_type(), "application/json", "{}", self.body);
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The messages of an event stream.
    pub(super) fn events(&self) -> Vec<Value> {
        assert_eq!(self.media_type(), "text/event-stream", "{}", self.body);
        events(&self.body)
    }

    /// The error's code, after checking that nothing beside it tells of a result.
    pub(super) fn code(&self) -> i64 {
        let message = self.json();
        assert!(message.get("result").is_none(), "{message}");
        message["error"]["code"].as_i64().expect("a code")
    }

    /// The error's code, if it is an error.
    pub(super) fn code_if_error(&self) -> Option<i64> {
        self.json()["error"]["code"].as_i64()
    }

    /// The text of a tool's result.
    pub(super) fn text(&self) -> String {
        self.json()["result"]["content"][0]["text"].as_str().expect("text").to_owned()
    }

    /// The id of the session that was opened.
    pub(super) fn session(&self) -> String {
        self.header("mcp-session-id").expect("a session").to_owned()
    }
}

/// The messages in a piece of an event stream. Every event must be one line of JSON, as readers by line expect it. Empty
/// events, which only some revisions know, are passed over.
pub(super) fn events(text: &str) -> Vec<Value> {
    let blocks = text.split_terminator("\n\n").filter(|block| !block.starts_with(':') && !block.ends_with("\ndata: "));
    let data = blocks.map(|block| {
        let block = block.strip_prefix("event: message\n").expect("a message event");
        let (id, data) = block.split_once("data: ").expect("data");
        assert!(id.is_empty() || (id.starts_with("id: ") && id.ends_with('\n')), "{block}");
        data
    });
    data.map(|data| {
        assert!(!data.contains(['\n', '\r']), "{data:?}");
        serde_json::from_str(data).expect("JSON")
    })
    .collect()
}

/// A session that has been opened.
#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) version: String,
}

impl Session {
    pub(super) async fn open(service: &HttpService, version: &str) -> Self {
        let reply = Ask::initialize(version).of(service).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert_eq!(reply.json()["result"]["protocolVersion"], version);
        let session = Session { id: reply.session(), version: version.to_owned() };
        let ready = session.post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).of(service).await;
        assert_eq!(ready.status, 202, "{}", ready.body);
        session
    }

    pub(super) fn post(&self, body: impl ToString) -> Ask {
        self.sign(Ask::post(body))
    }

    pub(super) fn ask(&self, id: impl Into<Value>, method: &str, params: Value) -> Ask {
        self.post(json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}))
    }

    pub(super) fn call(&self, id: impl Into<Value>, tool: &str, arguments: Value) -> Ask {
        self.ask(id, "tools/call", json!({"name": tool, "arguments": arguments}))
    }

    pub(super) fn watched_call(&self, id: impl Into<Value>, tool: &str, arguments: Value) -> Ask {
        self.ask(id, "tools/call", json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": 7}}))
    }

    pub(super) fn get(&self) -> Ask {
        self.sign(Ask::new(Method::GET)).header("accept", "text/event-stream")
    }

    pub(super) fn delete(&self) -> Ask {
        self.sign(Ask::new(Method::DELETE))
    }

    fn sign(&self, ask: Ask) -> Ask {
        ask.header("mcp-session-id", &self.id).header("mcp-protocol-version", &self.version)
    }
}
