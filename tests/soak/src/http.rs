//! A client's side of HTTP: one connection, and responses that are read as they come.

use crate::PATIENCE;
use crate::message::STATELESS;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpSocket;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// How much the system keeps for a client that reads slowly, in bytes.
pub const SMALL_WINDOW: u32 = 8 * 1024;

/// A connection; dropping it cuts it off, whatever is under way.
pub struct Link {
    sender: SendRequest<Full<Bytes>>,
    address: SocketAddr,
    driver: AbortHandle,
}

/// What makes a request one of a client.
#[derive(Clone, Default)]
pub struct Identity {
    /// The revision that it speaks.
    pub revision: &'static str,
    /// Its session.
    pub session: Option<String>,
}

/// A response that is being read.
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// The session that it opens.
    pub session: Option<String>,
    /// The id of the last event.
    pub last_event: Option<String>,
    is_events: bool,
    body: Incoming,
    bytes: Vec<u8>,
    is_over: bool,
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
        let stream = timeout(PATIENCE, socket.connect(address)).await??;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        let driver = tokio::spawn(async move { drop(connection.await) }).abort_handle();
        Ok(Link { sender, address, driver })
    }

    /// Can it take another request?
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Posts a message.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn post(&mut self, who: &Identity, message: &Value) -> io::Result<Reply> {
        self.post_text(who, message, message.to_string().into()).await
    }

    /// Posts a body in the place of a message.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn post_text(&mut self, who: &Identity, message: &Value, body: Bytes) -> io::Result<Reply> {
        let mut request = self.request(Method::POST, who).header("content-type", "application/json");
        if who.revision == STATELESS {
            request = request.header("mcp-method", message["method"].as_str().unwrap_or_default());
            let params = &message["params"];
            if let Some(name) = params.get("name").or(params.get("uri")).and_then(Value::as_str) {
                request = request.header("mcp-name", name);
            }
        }
        self.send(request.body(Full::new(body)).map_err(io::Error::other)?).await
    }

    /// Asks for a stream of the session, from behind an event if there is one.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn get(&mut self, who: &Identity, last_event: Option<&str>) -> io::Result<Reply> {
        let mut request = self.request(Method::GET, who);
        if let Some(id) = last_event {
            request = request.header("last-event-id", id);
        }
        self.send(request.body(Full::default()).map_err(io::Error::other)?).await
    }

    /// Ends the session.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn delete(&mut self, who: &Identity) -> io::Result<Reply> {
        let request = self.request(Method::DELETE, who);
        self.send(request.body(Full::default()).map_err(io::Error::other)?).await
    }

    fn request(&self, method: Method, who: &Identity) -> hyper::http::request::Builder {
        let request = Request::builder().method(method).uri("/mcp").header("host", self.address.to_string());
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header("mcp-protocol-version", who.revision);
        match &who.session {
            Some(session) => request.header("mcp-session-id", session),
            None => request,
        }
    }

    /// Sends a request as it is.
    ///
    /// # Errors
    /// The connection breaks, or nothing comes.
    pub async fn send(&mut self, request: Request<Full<Bytes>>) -> io::Result<Reply> {
        timeout(PATIENCE, self.sender.ready()).await?.map_err(io::Error::other)?;
        let response = timeout(PATIENCE, self.sender.send_request(request)).await?.map_err(io::Error::other)?;
        Ok(Reply::new(response))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Reply {
    fn new(response: Response<Incoming>) -> Self {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Reply {
            status: response.status().as_u16(),
            session: header("mcp-session-id"),
            last_event: None,
            is_events: header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")),
            body: response.into_body(),
            bytes: Vec::new(),
            is_over: false,
        }
    }

    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// The response breaks, nothing comes, or what comes is no message.
    pub async fn next(&mut self) -> io::Result<Option<Value>> {
        loop {
            if self.is_events {
                while let Some(line) = self.line()? {
                    if let Some(id) = line.strip_prefix("id: ") {
                        self.last_event = Some(id.to_owned());
                    }
                    let data = line.strip_prefix("data: ").filter(|data| !data.is_empty());
                    if let Some(data) = data {
                        return message(data).map(Some);
                    }
                }
            }
            if self.is_over {
                let rest = std::mem::take(&mut self.bytes);
                return match std::str::from_utf8(&rest).map_err(io::Error::other)? {
                    "" => Ok(None),
                    text => message(text).map(Some),
                };
            }
            if !self.more().await? {
                self.is_over = true;
            }
        }
    }

    /// Reads one more piece; false at the end.
    ///
    /// # Errors
    /// The response breaks, or nothing comes.
    pub async fn more(&mut self) -> io::Result<bool> {
        match timeout(PATIENCE, self.body.frame()).await? {
            Some(frame) => {
                let data = frame.map_err(io::Error::other)?.into_data().unwrap_or_default();
                self.bytes.extend_from_slice(&data);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let Some(end) = self.bytes.iter().position(|b| *b == b'\n') else { return Ok(None) };
        let line = self.bytes.drain(..=end).take(end).collect();
        String::from_utf8(line).map(Some).map_err(io::Error::other)
    }
}

fn message(text: &str) -> io::Result<Value> {
    serde_json::from_str(text).map_err(|error| io::Error::other(format!("no JSON ({error}): {text:.200}")))
}
