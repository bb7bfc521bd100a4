//! A client's side of HTTP: connections that are used again, and responses that are read message by message.

use crate::Trouble;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::fmt::Display;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// How long anything may take on a machine that has much else to do.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Waits, but not for ever.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> Result<T, Trouble> {
    let late = |_| Trouble::Wrong(format!("{what}: nothing for {} s", PATIENCE.as_secs()));
    timeout(PATIENCE, future).await.map_err(late)
}

/// A connection; dropping it cuts it off.
struct Link {
    sender: SendRequest<Full<Bytes>>,
    driver: AbortHandle,
    /// Which of the server's processes it was opened to.
    life: u64,
}

impl Drop for Link {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// The connections of one client.
pub(crate) struct Links {
    address: SocketAddr,
    idle: Vec<Link>,
}

impl Links {
    /// None yet, to a server at that address.
    pub(crate) fn new(address: SocketAddr) -> Self {
        Links { address, idle: Vec::new() }
    }

    /// Sends a request during that life of the server.
    pub(crate) async fn send(&mut self, life: u64, request: Request<Full<Bytes>>) -> Result<Reply, Trouble> {
        let mut link = self.link(life).await?;
        let response = within("a response", link.sender.send_request(request)).await?.map_err(broken)?;
        Ok(Reply::new(response, link))
    }

    async fn link(&mut self, life: u64) -> Result<Link, Trouble> {
        self.idle.retain(|link| link.life == life && !link.sender.is_closed());
        while let Some(mut link) = self.idle.pop() {
            if within("a connection", link.sender.ready()).await?.is_ok() {
                return Ok(link);
            }
        }
        let stream = within("a connection", TcpStream::connect(self.address)).await?.map_err(broken)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(broken)?;
        let driver = tokio::spawn(async move { drop(connection.await) }).abort_handle();
        Ok(Link { sender, driver, life })
    }

    /// Keeps the connection of a response that has been read.
    pub(crate) fn keep(&mut self, reply: Reply) {
        if reply.is_over {
            self.idle.push(reply.link);
        }
    }
}

/// A response that is being read.
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The id of the session that it opens.
    pub(crate) session: Option<String>,
    /// The id of the last event.
    pub(crate) last_event: Option<String>,
    is_events: bool,
    body: Incoming,
    bytes: Vec<u8>,
    is_over: bool,
    link: Link,
}

impl Reply {
    fn new(response: Response<Incoming>, link: Link) -> Self {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let is_events = header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        Reply {
            status: response.status().as_u16(),
            session: header("mcp-session-id").map(str::to_owned),
            last_event: None,
            is_events,
            body: response.into_body(),
            bytes: Vec::new(),
            is_over: false,
            link,
        }
    }

    /// The next message; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Value>, Trouble> {
        loop {
            if let Some(text) = self.take() {
                let json = serde_json::from_str(&text);
                return json.map(Some).map_err(|error| Trouble::Wrong(format!("not JSON ({error}): {text:.200}")));
            }
            if self.is_over {
                return Ok(None);
            }
            match within("the rest of a response", self.body.frame()).await? {
                Some(frame) => {
                    let data = frame.map_err(broken)?.into_data().unwrap_or_default();
                    self.bytes.extend_from_slice(&data);
                }
                None => self.is_over = true,
            }
        }
    }

    /// A whole message among the bytes that have come.
    fn take(&mut self) -> Option<String> {
        if !self.is_events {
            let whole = self.is_over && !self.bytes.is_empty();
            return whole.then(|| String::from_utf8_lossy(&std::mem::take(&mut self.bytes)).into_owned());
        }
        loop {
            let end = self.bytes.windows(2).position(|pair| pair == b"\n\n")?;
            let event: Vec<u8> = self.bytes.drain(..end + 2).collect();
            let event = String::from_utf8_lossy(&event);
            if let Some(id) = event.lines().find_map(|line| line.strip_prefix("id: ")) {
                self.last_event = Some(id.to_owned());
            }
            let data = event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or_default();
            if !data.is_empty() {
                return Some(data.to_owned());
            }
        }
    }
}

fn broken(error: impl Display) -> Trouble {
    Trouble::Broken(error.to_string())
}
