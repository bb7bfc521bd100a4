use super::ask::{Ask, Reply, Session, events};
use super::fixture::{Stage, server, within};
use super::log::Log;
use super::wire::{Served, exchange, read_chunk, read_head, read_response};
use crate::transport::http::Settings;
use crate::transport::http::listener::warn_if_open;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Opens a session over sockets.
async fn session(served: &Served) -> Session {
    let mut stream = served.connect().await;
    let id = exchange(&mut stream, &Ask::initialize("2025-11-25")).await.session();
    Session { id, version: "2025-11-25".to_owned() }
}

#[tokio::test]
async fn the_endpoint_has_one_path_and_its_url() {
    let served = Served::start(server(&Stage::new())).await;
    assert_eq!(served.url, format!("http://127.0.0.1:{}/mcp", served.address.port()));
    let mut stream = served.connect().await;
    for (path, status) in [("/mcp", 200), ("/mcp/", 200), ("/mcp?a=b", 200), ("/", 404), ("/mcp/x", 404), ("/MCP", 404)]
    {
        let reply = exchange(&mut stream, &Ask::call(1, "echo", json!({"text": "x"})).at(path)).await;
        assert_eq!((reply.status, reply.header("location")), (status, None), "{path}");
    }
}

#[tokio::test]
async fn a_notification_is_answered_without_a_body() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    let reply = exchange(&mut stream, &Ask::post(json!({"jsonrpc": "2.0", "method": "notifications/x"}))).await;
    assert_eq!((reply.status, reply.header("content-length")), (202, Some("0")));
}

#[cfg(feature = "http2")]
#[tokio::test]
async fn http2_is_spoken_to_those_who_begin_with_it() {
    use bytes::Bytes;
    use http_body_util::Full;
    use hyper_util::rt::{TokioExecutor, TokioIo};

    let served = Served::start(server(&Stage::new())).await;
    let (io, executor) = (TokioIo::new(served.connect().await), TokioExecutor::new());
    let handshake = hyper::client::conn::http2::handshake::<_, _, Full<Bytes>>(executor, io);
    let (mut client, driver) = within(handshake).await.unwrap();
    tokio::spawn(driver);
    let port = served.address.port();
    for (authority, status) in [(format!("localhost:{port}"), 200), ("evil.example".to_owned(), 403)] {
        let ask = Ask::call(1, "echo", json!({"text": "x"})).without("host").at(&format!("http://{authority}/mcp"));
        let reply = within(client.send_request(ask.request())).await.unwrap();
        assert_eq!(reply.version(), http::Version::HTTP_2);
        assert_eq!(Reply::read(reply).await.status, status, "{authority}");
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    let calls = (0..3).flat_map(|id| Ask::call(id, "nap", json!({"ms": 1})).bytes());
    stream.write_all(&calls.collect::<Vec<u8>>()).await.unwrap();
    for id in 0..3 {
        assert_eq!(within(read_response(&mut stream)).await.json()["id"], id);
    }
}

#[tokio::test]
async fn a_shutdown_lets_what_is_under_way_finish() {
    let stage = Stage::new();
    let mut served = Served::start(server(&stage)).await;
    let session = session(&served).await;
    let (mut call, mut standing, mut idle) = (served.connect().await, served.connect().await, served.connect().await);
    standing.write_all(&session.get().bytes()).await.unwrap();
    within(read_head(&mut standing)).await;
    within(read_chunk(&mut standing)).await.unwrap();
    exchange(&mut idle, &Ask::call(1, "echo", json!({"text": "x"}))).await;
    call.write_all(&Ask::call(1, "hold", json!({})).bytes()).await.unwrap();
    stage.started().await;

    served.stop.cancel();
    assert_eq!(within(read_chunk(&mut standing)).await, None, "standing streams end");
    assert_eq!(within(idle.read(&mut [0])).await.unwrap(), 0, "idle connections are closed");
    assert!(TcpStream::connect(served.address).await.is_err(), "nobody else is let in");
    assert!(!served.task.is_finished());
    stage.go();
    assert_eq!(within(read_response(&mut call)).await.text(), "held");
    within(&mut served.task).await.unwrap();
}

#[tokio::test]
async fn a_shutdown_waits_for_calls_whose_clients_have_gone() {
    let stage = Stage::new();
    let mut served = Served::start(server(&stage)).await;
    let session = session(&served).await;
    let mut call = served.connect().await;
    call.write_all(&session.call(1, "hold", json!({})).bytes()).await.unwrap();
    stage.started().await;
    drop(call);
    served.stop.cancel();
    while TcpStream::connect(served.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!served.task.is_finished());
    stage.go();
    assert!(stage.ended().await, "the function was dropped");
    within(&mut served.task).await.unwrap();
}

#[tokio::test]
async fn a_shutdown_does_not_wait_for_answers_that_nobody_can_send() {
    let grace = Duration::from_secs(60 * 60);
    let mut served = Served::start(server(&Stage::new()).shutdown_grace(grace)).await;
    let mut stream = served.connect().await;
    let hello = Ask::initialize("2025-11-25").body;
    let hello =
        std::str::from_utf8(&hello).unwrap().replace(r#""capabilities":{}"#, r#""capabilities":{"elicitation":{}}"#);
    let id = exchange(&mut stream, &Ask::post(hello)).await.session();
    let session = Session { id, version: "2025-11-25".to_owned() };
    stream.write_all(&session.call(1, "confirm", json!({})).bytes()).await.unwrap();
    assert_eq!(within(read_head(&mut stream)).await.0, 200);
    let mut text = String::new();
    while !text.contains("elicitation/create") {
        text += std::str::from_utf8(&within(read_chunk(&mut stream)).await.expect("a question")).unwrap();
    }
    served.stop.cancel();
    tokio::time::pause();
    let mut text = String::new();
    while let Some(chunk) = within(read_chunk(&mut stream)).await {
        text += std::str::from_utf8(&chunk).unwrap();
    }
    let answer = &events(&text)[0];
    assert!(answer["id"] == 1 && answer["result"]["isError"] == true, "{answer}");
    within(&mut served.task).await.unwrap();
}

#[tokio::test]
async fn a_shutdown_does_not_wait_for_ever() {
    let stage = Stage::new();
    let mut served = Served::start(server(&stage)).await;
    let mut call = served.connect().await;
    call.write_all(&Ask::call(1, "hold", json!({})).bytes()).await.unwrap();
    stage.started().await;
    // From here on the only thing to happen is that time passes.
    tokio::time::pause();
    served.stop.cancel();
    (&mut served.task).await.unwrap();
    assert!(!stage.ended().await, "the function ran to its end");
}

#[test]
fn an_open_address_without_names_is_warned_of() {
    let open = "192.0.2.1:80".parse().unwrap();
    let listed = Settings { allowed_hosts: Some(vec!["mcp.example.com".to_owned()]), ..Settings::default() };
    let log = Log::catch();
    warn_if_open(&Settings::default(), "127.0.0.1:80".parse().unwrap());
    warn_if_open(&Settings::default(), "[::1]:80".parse().unwrap());
    warn_if_open(&listed, open);
    assert_eq!(log.lines(), Vec::<String>::new());
    warn_if_open(&Settings::default(), open);
    assert!(log.lines()[0].contains("allowed_hosts"), "{:?}", log.lines());
}

#[test]
fn a_server_for_every_page_is_warned_of() {
    let own = "127.0.0.1:80".parse().unwrap();
    let listing = |origin: &str| Settings { allowed_origins: Some(vec![origin.to_owned()]), ..Settings::default() };
    let log = Log::catch();
    warn_if_open(&listing("https://app.example.com"), own);
    assert_eq!(log.lines(), Vec::<String>::new());
    warn_if_open(&listing("*"), own);
    assert!(log.lines()[0].contains("allowed_origins"), "{:?}", log.lines());
}
