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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::net::TcpStream;
    use tokio::task::{JoinHandle, JoinSet};

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
        within(driver).await.unwrap().expect("a connection that has rested is ended in order");
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

    const HEADERS: u8 = 1;
    const SETTINGS: u8 = 4;
    const PING: u8 = 6;
    const GOAWAY: u8 = 7;

    /// A client that sees every frame.
    struct Frames(TcpStream);

    impl Frames {
        async fn connect(served: &Served) -> Self {
            let mut frames = Frames(served.connect().await);
            frames.0.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
            frames.send(SETTINGS, 0, 0, b"").await;
            frames
        }

        async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
            let mut frame = u32::try_from(payload.len()).unwrap().to_be_bytes()[1..].to_vec();
            frame.extend_from_slice(&[kind, flags]);
            frame.extend_from_slice(&stream.to_be_bytes());
            frame.extend_from_slice(payload);
            self.0.write_all(&frame).await.unwrap();
        }

        /// Asks for a page, whole with its head.
        async fn ask(&mut self, stream: u32, path: &str) {
            let mut head = Vec::new();
            for (name, value) in [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "localhost")]
            {
                // A literal that nobody has to remember.
                head.push(0);
                for text in [name, value] {
                    head.push(u8::try_from(text.len()).unwrap());
                    head.extend_from_slice(text.as_bytes());
                }
            }
            self.send(HEADERS, 0x1 | 0x4, stream, &head).await;
        }

        /// The next frame of that kind: its flags, its stream and its payload.
        async fn next(&mut self, wanted: u8) -> (u8, u32, Vec<u8>) {
            loop {
                let mut head = [0; 9];
                within(self.0.read_exact(&mut head)).await.expect("a frame");
                let [a, b, c, kind, flags, stream @ ..] = head;
                let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
                within(self.0.read_exact(&mut payload)).await.expect("its payload");
                if kind == wanted {
                    return (flags, u32::from_be_bytes(stream), payload);
                }
            }
        }

        /// The next PING that is no answer, and the last stream of the GOAWAY before it.
        async fn farewell(&mut self) -> (u32, Vec<u8>) {
            let (_, _, goaway) = self.next(GOAWAY).await;
            assert_eq!(goaway[4..], [0; 4], "nothing is wrong");
            (u32::from_be_bytes(goaway[..4].try_into().unwrap()), self.next(PING).await.2)
        }
    }

    #[tokio::test]
    async fn a_connection_that_rests_is_told_which_requests_got_in() {
        for used_before in [true, false] {
            let served = Served::start(reciting().health("/healthz", "/readyz")).await;
            let mut frames = Frames::connect(&served).await;
            frames.next(SETTINGS).await;
            if used_before {
                frames.ask(1, "/healthz").await;
                assert_eq!(frames.next(HEADERS).await.1, 1);
            }
            pause();
            let (last, ping) = frames.farewell().await;
            assert_eq!(last, u32::MAX >> 1, "what is on its way may still come");
            // A request that has met it on the way.
            frames.ask(3, "/healthz").await;
            frames.send(PING, 0x1, 0, &ping).await;
            let (_, stream, _) = frames.next(HEADERS).await;
            assert_eq!(stream, 3, "it is answered");
            let (_, _, goaway) = frames.next(GOAWAY).await;
            assert_eq!(goaway, [0, 0, 0, 3, 0, 0, 0, 0], "nothing behind it is");
            let mut rest = Vec::new();
            within(frames.0.read_to_end(&mut rest)).await.expect("an end in order");
            tokio::time::resume();
        }
    }

    #[tokio::test]
    async fn a_client_that_does_not_hear_of_it_is_cut_off() {
        let served = Served::start(reciting()).await;
        let mut frames = Frames::connect(&served).await;
        pause();
        frames.farewell().await;
        let mut rest = Vec::new();
        // Whether it finds the connection closed or broken makes no difference.
        let _ = within(frames.0.read_to_end(&mut rest)).await;
    }

    /// How many calls there are, and were at most.
    #[derive(Default)]
    struct Crowd {
        now: AtomicU32,
        most: AtomicU32,
    }

    /// Stays for a while.
    #[mcp_tool]
    async fn mingle(crowd: State<Arc<Crowd>>) -> &'static str {
        let now = crowd.now.fetch_add(1, Ordering::SeqCst) + 1;
        crowd.most.fetch_max(now, Ordering::SeqCst);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        crowd.now.fetch_sub(1, Ordering::SeqCst);
        "mingled"
    }

    #[tokio::test]
    async fn a_connection_has_only_so_many_requests_under_way() {
        for (most, seen) in [(100, 8), (3, 3)] {
            let crowd = Arc::<Crowd>::default();
            let server = server(&Stage::new()).tools(tools![mingle]).state(Arc::clone(&crowd));
            let served = Served::start(server.max_requests_per_connection(most)).await;
            let (mut client, _driver) = connect(&served).await;
            // Until the server has said how many it takes, clients take it for enough.
            send(&served, &mut client, Ask::call(0, "mingle", json!({}))).await;
            let mut asks = JoinSet::new();
            for id in 1..=8 {
                let ask = Ask::call(id, "mingle", json!({})).without("host");
                let request = ask.at(&format!("http://{}/mcp", served.address)).request();
                let response = client.send_request(request);
                asks.spawn(async move { response.await.unwrap().status().as_u16() });
            }
            assert_eq!(within(asks.join_all()).await, [200; 8]);
            assert_eq!(crowd.most.load(Ordering::SeqCst), seen);
        }
    }
}
