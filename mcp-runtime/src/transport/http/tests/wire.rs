//! Loopback sockets and HTTP/1.1 by hand.

use super::ask::Reply;
use super::fixture::within;
use crate::Server;
use crate::transport::http::{HttpService, listener};
use http::{HeaderMap, HeaderName, HeaderValue};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A server on a port of its own.
pub(super) struct Served {
    pub(super) address: SocketAddr,
    pub(super) url: String,
    pub(super) stop: CancellationToken,
    pub(super) task: JoinHandle<()>,
}

impl Served {
    pub(super) async fn start(server: Server) -> Self {
        let server = server.build().expect("the fixture builds");
        let listener = server.bind_http("127.0.0.1:0").await.expect("a port is free");
        let (address, url, stop) = (listener.local_addr(), listener.url(), CancellationToken::new());
        let stopped = stop.clone().cancelled_owned();
        Served { address, url, stop, task: tokio::spawn(listener.serve_until(stopped)) }
    }

    pub(super) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("the server listens")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One connection to a service: the client's end, and the task that serves the other.
pub(super) async fn connection(service: &HttpService) -> (TcpStream, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("an address");
    let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
    let (server, _) = accepted.expect("a connection");
    let serving = listener::converse(
        server,
        listener::Peer { address: address.ip(), is_in: true },
        None,
        service.clone(),
        listener::Leaving::default(),
    );
    (client.expect("a connection"), tokio::spawn(serving))
}

/// Sends a request and reads the whole response.
pub(super) async fn exchange(stream: &mut TcpStream, ask: &super::ask::Ask) -> Reply {
    stream.write_all(&ask.bytes()).await.expect("the server reads");
    within(read_response(stream)).await
}

/// Reads one whole response.
pub(super) async fn read_response(stream: &mut TcpStream) -> Reply {
    let (status, headers) = read_head(stream).await;
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked") {
        while let Some(chunk) = read_chunk(stream).await {
            body.extend_from_slice(&chunk);
        }
    } else {
        let length = headers.get("content-length").map_or("0", |length| length.to_str().expect("text"));
        body.resize(length.parse().expect("a length"), 0);
        stream.read_exact(&mut body).await.expect("the body");
    }
    Reply { status, headers, body: String::from_utf8(body).expect("UTF-8") }
}

/// Reads the head of a response.
pub(super) async fn read_head(stream: &mut TcpStream) -> (u16, HeaderMap) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        head.push(char::from(stream.read_u8().await.expect("the head")));
    }
    let mut lines = head.trim_end().split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status line");
    let mut headers = HeaderMap::new();
    for (name, value) in lines.map(|line| line.split_once(": ").expect("a header")) {
        let name: HeaderName = name.parse().expect("a name");
        headers.append(name, HeaderValue::from_str(value).expect("a value"));
    }
    (status.parse().expect("a status"), headers)
}

/// Reads one chunk of a chunked body; `None` at its end.
pub(super) async fn read_chunk(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut size = String::new();
    while !size.ends_with("\r\n") {
        size.push(char::from(stream.read_u8().await.expect("a chunk")));
    }
    let size = usize::from_str_radix(size.trim_end(), 16).expect("a size");
    let mut chunk = vec![0; size + 2];
    stream.read_exact(&mut chunk).await.expect("a whole chunk");
    chunk.truncate(size);
    (size > 0).then_some(chunk)
}
