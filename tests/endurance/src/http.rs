//! A client's side of HTTP: requests, one connection, and responses that are read as they come.

use crate::message::STATELESS;
use crate::way::{SMALL_WINDOW, Version, Way};
use crate::within;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::header::HOST;
use hyper::http::request::Builder;
use hyper::{Method, Response};
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::io;
use std::sync::Arc;
use tokio::task::AbortHandle;

/// A request.
pub type Request = hyper::Request<Full<Bytes>>;

/// What makes a request one of a client.
#[derive(Clone, Default)]
pub struct Identity {
    /// The revision that it speaks.
    pub revision: &'static str,
    /// Its session.
    pub session: Option<String>,
}

impl Identity {
    /// Posts a message.
    #[must_use]
    pub fn post(&self, message: &Value) -> Request {
        self.post_text(message, message.to_string().into())
    }

    /// Posts a body in the place of a message.
    #[must_use]
    pub fn post_text(&self, message: &Value, body: Bytes) -> Request {
        let mut request = self.request(Method::POST).header("content-type", "application/json");
        if self.revision == STATELESS {
            request = request.header("mcp-method", message["method"].as_str().unwrap_or_default());
            let params = &message["params"];
            if let Some(name) = params.get("name").or(params.get("uri")).and_then(Value::as_str) {
                request = request.header("mcp-name", name);
            }
        }
        finished(request, body)
    }

    /// Asks for a stream of the session, from behind an event if there is one.
    #[must_use]
    pub fn get(&self, last_event: Option<&str>) -> Request {
        let mut request = self.request(Method::GET);
        if let Some(id) = last_event {
            request = request.header("last-event-id", id);
        }
        finished(request, Bytes::new())
    }

    /// Ends the session.
    #[must_use]
    pub fn delete(&self) -> Request {
        finished(self.request(Method::DELETE), Bytes::new())
    }

    fn request(&self, method: Method) -> Builder {
        let request = hyper::Request::builder().method(method).uri("/mcp").header("host", "localhost");
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header("mcp-protocol-version", self.revision);
        match &self.session {
            Some(session) => request.header("mcp-session-id", session),
            None => request,
        }
    }
}

/// Opens a session over HTTP+SSE, with its stream.
#[must_use]
pub fn sse_stream() -> Request {
    let request = hyper::Request::builder().method(Method::GET).uri("/sse").header("host", "localhost");
    finished(request.header("accept", "text/event-stream"), Bytes::new())
}

/// Posts a message to where the stream of HTTP+SSE has said.
#[must_use]
pub fn sse_message(target: &str, body: Bytes) -> Request {
    let request = hyper::Request::builder().method(Method::POST).uri(target).header("host", "localhost");
    finished(request.header("content-type", "application/json"), body)
}

fn finished(request: Builder, body: Bytes) -> Request {
    request.body(Full::new(body)).expect("headers of plain text")
}

/// A connection; dropping it cuts it off, whatever is under way. Over HTTP/2 the requests under way are reset, and the connection is
/// closed in order behind them.
pub struct Link {
    sender: Sender,
    scheme: &'static str,
    driver: Arc<Driver>,
}

/// What sends requests on a connection.
enum Sender {
    One(http1::SendRequest<Full<Bytes>>),
    Two(http2::SendRequest<Full<Bytes>>),
}

/// What reads and writes on a connection.
struct Driver(AbortHandle);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Driver {
    fn spawn(connection: impl Future<Output = hyper::Result<()>> + Send + 'static) -> Arc<Self> {
        Arc::new(Driver(tokio::spawn(async move { drop(connection.await) }).abort_handle()))
    }
}

impl Link {
    /// Connects.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn open(way: &Way) -> io::Result<Link> {
        Link::with(way, false).await
    }

    /// Connects as a client for which little is kept until it reads.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn narrow(way: &Way) -> io::Result<Link> {
        Link::with(way, true).await
    }

    async fn with(way: &Way, narrow: bool) -> io::Result<Link> {
        let (stream, scheme) = (way.open(narrow).await?, way.scheme());
        if way.version == Version::One {
            let (sender, connection) = http1::handshake(stream).await.map_err(io::Error::other)?;
            return Ok(Link { sender: Sender::One(sender), scheme, driver: Driver::spawn(connection) });
        }
        let mut builder = http2::Builder::new(TokioExecutor::new());
        if narrow {
            builder.initial_stream_window_size(SMALL_WINDOW);
        }
        let (sender, connection) = builder.handshake(stream).await.map_err(io::Error::other)?;
        Ok(Link { sender: Sender::Two(sender), scheme, driver: Driver::spawn(connection) })
    }

    /// The same connection for another request at the same time; `None` over HTTP/1.1. It is cut off with the last of them.
    #[must_use]
    pub fn again(&self) -> Option<Link> {
        match &self.sender {
            Sender::One(_) => None,
            Sender::Two(sender) => {
                let (sender, driver) = (Sender::Two(sender.clone()), Arc::clone(&self.driver));
                Some(Link { sender, scheme: self.scheme, driver })
            }
        }
    }

    /// Can it take another request?
    #[must_use]
    pub fn is_open(&self) -> bool {
        match &self.sender {
            Sender::One(sender) => !sender.is_closed(),
            Sender::Two(sender) => !sender.is_closed(),
        }
    }

    /// Waits until it can take a request; false if it never will again.
    ///
    /// # Errors
    /// Nothing comes.
    pub async fn is_ready(&mut self) -> io::Result<bool> {
        let ready = async {
            match &mut self.sender {
                Sender::One(sender) => sender.ready().await,
                Sender::Two(sender) => sender.ready().await,
            }
        };
        Ok(within("a connection", ready).await?.is_ok())
    }

    /// Sends a request.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn send(&mut self, mut request: Request) -> io::Result<Reply> {
        if !self.is_ready().await? {
            return Err(io::Error::other("the connection takes no more requests"));
        }
        let response = async {
            match &mut self.sender {
                Sender::One(sender) => sender.send_request(request).await,
                Sender::Two(sender) => {
                    // The host is part of the target.
                    let host = request.headers_mut().remove(HOST);
                    let host = host.as_ref().and_then(|host| host.to_str().ok()).unwrap_or_default();
                    let target = format!("{}://{host}{}", self.scheme, request.uri());
                    *request.uri_mut() = target.parse().expect("a target in two parts");
                    sender.send_request(request).await
                }
            }
        };
        Ok(Reply::new(within("a response", response).await?.map_err(io::Error::other)?))
    }
}

/// A response that is being read.
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// The session that it opens.
    pub session: Option<String>,
    /// The id of the last event.
    pub last_event: Option<String>,
    /// Has everything been read?
    pub is_over: bool,
    is_events: bool,
    body: Incoming,
    bytes: Vec<u8>,
}

impl Reply {
    fn new(response: Response<Incoming>) -> Self {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Reply {
            status: response.status().as_u16(),
            session: header("mcp-session-id"),
            last_event: None,
            is_over: false,
            is_events: header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")),
            body: response.into_body(),
            bytes: Vec::new(),
        }
    }

    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// The response breaks, nothing comes, or what comes is no message: [`io::ErrorKind::InvalidData`].
    pub async fn next(&mut self) -> io::Result<Option<Value>> {
        let Some(text) = self.text().await? else { return Ok(None) };
        let wrong = |error| format!("no JSON ({error}): {:.200}", String::from_utf8_lossy(&text));
        let message = serde_json::from_slice(&text).map_err(wrong);
        message.map(Some).map_err(|text| io::Error::new(io::ErrorKind::InvalidData, text))
    }

    /// The next body or data of an event, whatever it is; `None` at the end.
    ///
    /// # Errors
    /// The response breaks, or nothing comes.
    pub async fn text(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(text) = self.take() {
                return Ok(Some(text));
            }
            if self.is_over {
                return Ok(None);
            }
            self.more().await?;
        }
    }

    /// Reads one more piece; false at the end.
    ///
    /// # Errors
    /// The response breaks, or nothing comes.
    pub async fn more(&mut self) -> io::Result<bool> {
        match within("the rest of a response", self.body.frame()).await? {
            Some(frame) => {
                let data = frame.map_err(io::Error::other)?.into_data().unwrap_or_default();
                self.bytes.extend_from_slice(&data);
            }
            None => self.is_over = true,
        }
        Ok(!self.is_over)
    }

    /// A whole message among the bytes that have come.
    fn take(&mut self) -> Option<Vec<u8>> {
        while self.is_events {
            let Some(end) = self.bytes.windows(2).position(|pair| pair == b"\n\n") else { break };
            let event: Vec<u8> = self.bytes.drain(..end + 2).collect();
            let field = |name: &[u8]| event.split(|b| *b == b'\n').find_map(|line| line.strip_prefix(name));
            if let Some(id) = field(b"id: ") {
                self.last_event = Some(String::from_utf8_lossy(id).into_owned());
            }
            if let Some(data) = field(b"data: ").filter(|data| !data.is_empty()) {
                return Some(data.to_vec());
            }
        }
        // Behind the last event there is nothing.
        (self.is_over && !self.bytes.is_empty()).then(|| std::mem::take(&mut self.bytes))
    }
}
