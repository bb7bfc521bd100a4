//! Requests to a server, and what comes back.

use bytes::Bytes;
use http::header::HOST;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::{HttpBody, HttpService};
use serde_json::{Value, json};
use tower_service::Service as _;

/// A request under construction.
#[derive(Debug, Clone)]
pub struct Ask {
    method: Method,
    uri: String,
    headers: HeaderMap,
    body: String,
}

impl Ask {
    /// A request without anything.
    pub fn new(method: Method) -> Self {
        Ask { method, uri: "/mcp".to_owned(), headers: HeaderMap::new(), body: String::new() }
            .header("host", "localhost")
    }

    /// A POST of a message.
    pub fn post(message: &Value) -> Self {
        let ask = Ask::new(Method::POST).header("content-type", "application/json");
        Ask { body: message.to_string(), ..ask.header("accept", "application/json, text/event-stream") }
    }

    /// A stateless request.
    pub fn stateless(method: &str, mut params: Value) -> Self {
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).map(str::to_owned);
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}});
        let ask = Ask::post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        match name {
            Some(name) => ask.header("mcp-name", &name),
            None => ask,
        }
    }

    /// A stateless call of a tool without arguments.
    pub fn call(tool: &str) -> Self {
        Ask::stateless("tools/call", json!({"name": tool, "arguments": {}}))
    }

    /// The beginning of a session.
    pub fn initialize() -> Self {
        let client = json!({"name": "t", "version": "0"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        Ask::post(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))
    }

    /// A message of a session.
    pub fn in_session(self, session: &str) -> Self {
        self.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25")
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header value"));
        self
    }

    /// To another host.
    #[must_use]
    pub fn host(mut self, host: &str) -> Self {
        self.headers.insert(HOST, HeaderValue::from_str(host).expect("a header value"));
        self
    }

    /// With a token.
    #[must_use]
    pub fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// To another path.
    #[must_use]
    pub fn at(self, uri: &str) -> Self {
        Ask { uri: uri.to_owned(), ..self }
    }

    /// With another body.
    #[must_use]
    pub fn body(self, body: &str) -> Self {
        Ask { body: body.to_owned(), ..self }
    }

    /// The request.
    pub fn request(self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::from(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.uri.parse().expect("a URI");
        *request.headers_mut() = self.headers;
        request
    }

    /// The response, with its body under way.
    pub async fn start(self, service: &HttpService) -> Response<HttpBody> {
        service.clone().call(self.request()).await.unwrap_or_else(|never| match never {})
    }

    /// The whole response.
    pub async fn of(self, service: &HttpService) -> Reply {
        Reply::read(self.start(service).await).await
    }
}

/// A response that has been read to its end.
#[derive(Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: String,
}

impl Reply {
    /// Reads a response.
    pub async fn read<B>(response: Response<B>) -> Self
    where
        B: hyper::body::Body<Data = Bytes, Error: std::fmt::Debug>,
    {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes();
        let body = String::from_utf8(body.to_vec()).expect("UTF-8");
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    /// Status and challenge.
    pub fn refusal(&self) -> (u16, Option<&str>) {
        (self.status, self.header("www-authenticate"))
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The text of a tool's result.
    pub fn text(&self) -> String {
        let message = self.json();
        message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {message}")).to_owned()
    }
}

/// The messages in a piece of an event stream.
pub fn events(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| !data.is_empty());
    data.map(|data| serde_json::from_str(data).expect("JSON")).collect()
}
