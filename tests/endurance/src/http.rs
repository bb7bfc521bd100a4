//! A client's side of HTTP: requests, one connection, and responses that are read as they come.

use crate::message::STATELESS;
use crate::within;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::http::request::Builder;
use hyper::{Method, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpSocket;
use tokio::task::AbortHandle;

/// How much the system keeps for a client that reads slowly, in bytes.
pub const SMALL_WINDOW: u32 = 8 * 1024;

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

fn finished(request: Builder, body: Bytes) -> Request {
    request.body(Full::new(body)).expect("headers of plain text")
}

/// A connection; dropping it cuts it off, whatever is under way.
pub struct Link {
    sender: SendRequest<Full<Bytes>>,
    driver: AbortHandle,
}

impl Link {
    /// Connects.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn open(address: SocketAddr) -> io::Result<Link> {
        Link::with(TcpSocket::new_v4()?, address).await
    }

    /// Connects as a client for which the system keeps little.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn narrow(address: SocketAddr) -> io::Result<Link> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(SMALL_WINDOW)?;
        Link::with(socket, address).await
    }

    async fn with(socket: TcpSocket, address: SocketAddr) -> io::Result<Link> {
        let stream = within("a connection", socket.connect(address)).await??;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        let driver = tokio::spawn(async move { drop(connection.await) }).abort_handle();
        Ok(Link { sender, driver })
    }

    /// Can it take another request?
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Waits until it can take a request; false if it never will again.
    ///
    /// # Errors
    /// Nothing comes.
    pub async fn is_ready(&mut self) -> io::Result<bool> {
        Ok(within("a connection", self.sender.ready()).await?.is_ok())
    }

    /// Sends a request.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn send(&mut self, request: Request) -> io::Result<Reply> {
        within("a connection", self.sender.ready()).await?.map_err(io::Error::other)?;
        let response = within("a response", self.sender.send_request(request)).await?;
        Ok(Reply::new(response.map_err(io::Error::other)?))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.driver.abort();
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
        loop {
            if let Some(text) = self.take() {
                let wrong = |error| format!("no JSON ({error}): {:.200}", String::from_utf8_lossy(&text));
                let message = serde_json::from_slice(&text).map_err(wrong);
                return message.map(Some).map_err(|text| io::Error::new(io::ErrorKind::InvalidData, text));
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
