//! Answers that take their time to be read.

use super::ask::Ask;
use super::fixture::{Stage, server, within};
use super::wire::{Served, read_head};
use crate::Server;
use crate::prelude::*;
use serde_json::json;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::time::{pause, sleep};

const MEGABYTE: usize = 1_000_000;

/// Answers at length.
#[mcp_tool]
fn recite(bytes: usize) -> String {
    "x".repeat(bytes)
}

fn reciting() -> Server {
    server(&Stage::new()).tools(tools![recite]).connection_idle_timeout(Duration::from_secs(3))
}

#[tokio::test]
async fn an_answer_that_is_being_read_is_no_rest() {
    let served = Served::start(reciting()).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    let mut stream = socket.connect(served.address).await.unwrap();
    // More than the buffers of any system take.
    let ask = Ask::call(1, "recite", json!({"bytes": 15 * MEGABYTE}));
    stream.write_all(&ask.bytes()).await.unwrap();
    let (status, headers) = within(read_head(&mut stream)).await;
    let length: usize = headers["content-length"].to_str().unwrap().parse().unwrap();
    assert!(status == 200 && length > 15 * MEGABYTE);
    pause();
    let mut piece = vec![0; MEGABYTE];
    let mut left = length;
    while left > 0 {
        sleep(Duration::from_secs(1)).await;
        let read = within(stream.read_exact(&mut piece[..left.min(MEGABYTE)])).await;
        left -= read.unwrap_or_else(|error| panic!("{error} with {left} bytes left"));
    }
    assert_eq!(within(stream.read(&mut piece)).await.unwrap(), 0, "afterwards it is");
}

#[cfg(feature = "http2")]
mod http2 {
    use super::*;
    use bytes::Bytes;
    use http::Response;
    use http_body_util::{BodyExt, Full};
    use hyper::body::Incoming;
    use hyper::client::conn::http2::{Builder, SendRequest};
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use tokio::task::JoinHandle;

    /// A client that takes sixteen kibibytes of an answer before it reads them, and the end of its connection.
    async fn connect(served: &Served) -> (SendRequest<Full<Bytes>>, JoinHandle<hyper::Result<()>>) {
        let mut builder = Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(16 * 1024);
        let handshake = builder.handshake(TokioIo::new(served.connect().await));
        let (client, driver) = within(handshake).await.unwrap();
        (client, tokio::spawn(driver))
    }

    async fn send(served: &Served, client: &mut SendRequest<Full<Bytes>>, ask: Ask) -> Response<Incoming> {
        let ask = ask.without("host").at(&format!("http://{}/mcp", served.address));
        let response = within(client.send_request(ask.request())).await.unwrap();
        assert_eq!(response.status(), 200);
        response
    }

    #[tokio::test]
    async fn an_answer_that_is_being_read_is_no_rest() {
        let served = Served::start(reciting()).await;
        let (mut client, driver) = connect(&served).await;
        let ask = Ask::call(1, "recite", json!({"bytes": MEGABYTE}));
        let mut response = send(&served, &mut client, ask).await;
        let length: usize = response.headers()["content-length"].to_str().unwrap().parse().unwrap();
        pause();
        let mut read = 0;
        while let Some(frame) = within(response.frame()).await {
            read += frame.unwrap().data_ref().map_or(0, Bytes::len);
            sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(read, length);
        // A connection that has rested is closed: whether in order makes no difference.
        let _ = within(driver).await.unwrap();
    }

    #[tokio::test]
    async fn an_answer_that_nobody_takes_is_cut_off_and_a_quiet_stream_is_not() {
        let served = Served::start(reciting().write_timeout(Duration::from_secs(10))).await;
        let (mut greedy, cut) = connect(&served).await;
        let (mut patient, driver) = connect(&served).await;
        let listen =
            Ask::stateless("s", "subscriptions/listen", json!({"notifications": {"resourcesListChanged": true}}));
        let mut events = send(&served, &mut patient, listen).await;
        let ask = Ask::call(1, "recite", json!({"bytes": MEGABYTE}));
        let held = send(&served, &mut greedy, ask).await;
        pause();
        let _ = within(cut).await.unwrap();
        drop(held);
        for _ in 0..10 {
            within(events.frame()).await.expect("the stream goes on").unwrap();
        }
        assert!(!driver.is_finished());
    }
}
