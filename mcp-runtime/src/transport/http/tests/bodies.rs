use super::ask::{Ask, Reply};
use super::fixture::{Stage, server, service, within};
use super::wire::{Served, exchange, read_response};
use crate::PeerAddress;
use crate::transport::http::HttpService;
use bytes::Bytes;
use http_body::{Body, Frame};
use serde_json::json;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use tower_service::Service;

#[tokio::test]
async fn a_body_that_is_announced_too_large_is_not_read() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    let mut head = Ask::call(1, "echo", json!({})).head();
    head.extend_from_slice(b"content-length: 99999999999\r\n\r\n");
    stream.write_all(&head).await.unwrap();
    let reply = within(read_response(&mut stream)).await;
    assert_eq!((reply.status, reply.code()), (413, -32600));
}

#[tokio::test]
async fn a_client_that_waits_for_leave_gets_none() {
    let leave = || Ask::post("").header("content-type", "text/plain").header("expect", "100-continue");
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    let mut head = leave().head();
    head.extend_from_slice(b"content-length: 10\r\n\r\n");
    stream.write_all(&head).await.unwrap();
    assert_eq!(within(read_response(&mut stream)).await.status, 415, "and not a `100 Continue`");

    let body = Pieces::new(vec![Ok(Bytes::from_static(b"x"))]);
    let was_read = Arc::clone(&body.was_read);
    assert_eq!(send(&mut service(), leave(), body).await.status, 415);
    // Whatever goes on beside the answer has had its turn after this.
    tokio::task::yield_now().await;
    assert!(!was_read.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_body_that_turns_out_too_large_is_refused_and_hurts_nobody() {
    let stage = Stage::new();
    let served = Served::start(server(&stage).max_body_size(64 * 1024)).await;
    let mut stream = served.connect().await;
    let mut head = Ask::call(1, "bump", json!({})).head();
    head.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n");
    stream.write_all(&head).await.unwrap();
    let mebibyte = vec![b' '; 1024 * 1024];
    // More than the buffers on the way hold: somebody has to read it.
    for _ in 0..12 {
        stream.write_all(b"100000\r\n").await.unwrap();
        stream.write_all(&mebibyte).await.unwrap();
        stream.write_all(b"\r\n").await.unwrap();
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
    let reply = within(read_response(&mut stream)).await;
    assert_eq!((reply.status, reply.code()), (413, -32600));

    let mut next = served.connect().await;
    next.write_all(&Ask::call(1, "echo", json!({"text": "x"})).bytes()).await.unwrap();
    assert_eq!(within(read_response(&mut next)).await.text(), "x");
    assert_eq!(stage.hits(), 0);
}

#[tokio::test]
async fn the_reason_of_a_refusal_reaches_a_client_that_still_sends() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    let ask = Ask { body: Bytes::from(vec![b' '; 12 * 1024 * 1024]), ..Ask::post("") };
    stream.write_all(&ask.header("content-type", "text/plain").bytes()).await.unwrap();
    assert_eq!(within(read_response(&mut stream)).await.status, 415);
    assert_eq!(exchange(&mut stream, &Ask::call(1, "echo", json!({"text": "x"}))).await.text(), "x");
}

#[tokio::test]
async fn the_limit_is_the_operators() {
    let call = Ask::call(1, "echo", json!({"text": "x"}));
    let size = call.body.len();
    let exact = server(&Stage::new()).max_body_size(size).into_service().unwrap();
    let tight = server(&Stage::new()).max_body_size(size - 1).into_service().unwrap();
    assert_eq!(call.clone().of(&exact).await.status, 200);
    assert_eq!(call.clone().of(&tight).await.status, 413);
    for (mut service, status) in [(exact, 200), (tight, 413)] {
        let pieces = call.body.chunks(100).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        assert_eq!(send(&mut service, call.clone(), Pieces::new(pieces)).await.status, status);
    }
}

#[tokio::test]
async fn a_large_body_in_many_pieces_arrives_whole() {
    let text: String = (0..300_000).map(|n| char::from_digit(n % 10, 10).unwrap()).collect();
    let ask = Ask::call(1, "echo", json!({"text": text}));
    let pieces = ask.body.chunks(7_001).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    assert_eq!(send(&mut service(), ask, Pieces::new(pieces)).await.text(), text);
}

#[tokio::test]
async fn a_body_that_is_no_text_is_no_json() {
    let ask = Ask { body: Bytes::from_static(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"), ..Ask::post("") };
    let reply = ask.of(&service()).await;
    assert_eq!((reply.status, reply.code()), (400, -32700));
    assert!(reply.json().get("id").is_none());
}

#[tokio::test]
async fn a_body_that_breaks_off_runs_nothing() {
    let stage = Stage::new();
    let ask = Ask::call(1, "bump", json!({}));
    let body = Pieces::new(vec![Ok(ask.body.clone()), Err("broken")]);
    let reply = send(&mut server(&stage).into_service().unwrap(), ask, body).await;
    assert_eq!(reply.status, 400);
    assert_eq!(stage.hits(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_not_waited_for() {
    let ask = Ask::call(1, "echo", json!({}));
    let body = Pieces { falls_silent: true, ..Pieces::new(vec![Ok(ask.body.slice(..9))]) };
    assert_eq!(send(&mut service(), ask, body).await.status, 408);
}

#[tokio::test(start_paused = true)]
async fn bodies_take_only_so_much_together() {
    let service = server(&Stage::new()).max_body_memory(100_000).into_service().unwrap();
    let begin = |bytes: usize, falls_silent: bool| {
        let (mut service, ask) = (service.clone(), Ask::call(1, "echo", json!({"text": "x".repeat(bytes)})));
        let pieces = ask.body.chunks(1_000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let body = Pieces { falls_silent, ..Pieces::new(pieces) };
        Box::pin(async move { send(&mut service, ask, body).await })
    };
    let mut held = begin(60_000, true);
    assert!(timeout(Duration::ZERO, &mut held).await.is_err(), "its end has not come");
    let refused = begin(60_000, false).await;
    assert_eq!((refused.status, refused.code()), (503, -32603));
    assert_eq!(begin(30_000, false).await.status, 200, "there is room for that");
    assert_eq!(begin(30_000, false).await.status, 200, "what has been read is given back");
    let mut more = begin(39_000, true);
    assert!(timeout(Duration::ZERO, &mut more).await.is_err());
    assert_eq!(begin(2_000, false).await.status, 200, "small ones are let in at all times");
    drop((held, more));
    assert_eq!(begin(90_000, false).await.status, 200, "who gives up gives everything back");
    assert_eq!(begin(60_000, true).await.status, 408);
    assert_eq!(begin(90_000, false).await.status, 200);
    assert_eq!(begin(110_000, false).await.status, 503);
    assert_eq!(begin(90_000, false).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn an_address_takes_only_its_part_of_the_memory() {
    let server = server(&Stage::new()).max_body_memory(200_000).max_body_size(70_000);
    let service = server.into_service().unwrap();
    let begin = |peer: &str, bytes: usize, falls_silent: bool| {
        let (mut service, ask) = (service.clone(), Ask::call(1, "echo", json!({"text": "x".repeat(bytes)})));
        let pieces = ask.body.chunks(1_000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let (mut parts, _) = ask.request().into_parts();
        parts.extensions.insert(PeerAddress(peer.parse().unwrap()));
        let request = http::Request::from_parts(parts, Pieces { falls_silent, ..Pieces::new(pieces) });
        Box::pin(async move { Reply::read(service.call(request).await.unwrap()).await })
    };
    assert_eq!(begin("192.0.2.1", 69_000, false).await.status, 200, "one message is always let in");
    let mut held = begin("192.0.2.1", 60_000, true);
    assert!(timeout(Duration::ZERO, &mut held).await.is_err(), "its end has not come");
    let refused = begin("192.0.2.1", 20_000, false).await;
    assert_eq!((refused.status, refused.code()), (503, -32603));
    assert_eq!(begin("192.0.2.1", 2_000, false).await.status, 200, "small ones are let in at all times");
    assert_eq!(begin("192.0.2.2", 60_000, false).await.status, 200, "another does not notice");
    drop(held);
    assert_eq!(begin("192.0.2.1", 60_000, false).await.status, 200);
    let (mut one, mut other) = (begin("127.0.0.1", 60_000, true), begin("127.0.0.1", 60_000, true));
    assert!(timeout(Duration::ZERO, &mut one).await.is_err());
    assert!(timeout(Duration::ZERO, &mut other).await.is_err(), "this machine has all that there is");
}

/// A body in pieces; when they have been read it ends, or the client falls silent.
struct Pieces {
    pieces: std::vec::IntoIter<Result<Bytes, &'static str>>,
    falls_silent: bool,
    was_read: Arc<AtomicBool>,
}

impl Pieces {
    fn new(pieces: Vec<Result<Bytes, &'static str>>) -> Self {
        Pieces { pieces: pieces.into_iter(), falls_silent: false, was_read: Arc::default() }
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
        self.was_read.store(true, Ordering::SeqCst);
        match self.pieces.next() {
            None if self.falls_silent => Poll::Pending,
            piece => Poll::Ready(piece.map(|piece| piece.map(Frame::data))),
        }
    }
}

/// The response to a request whose body comes in this way.
async fn send(service: &mut HttpService, ask: Ask, body: Pieces) -> Reply {
    let (parts, _) = ask.request().into_parts();
    Reply::read(service.call(http::Request::from_parts(parts, body)).await.unwrap()).await
}
