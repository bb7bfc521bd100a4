use super::ask::Ask;
use super::fixture::{Stage, server, within};
use super::wire::{Served, exchange, read_chunk, read_head, read_response};
use crate::transport::http::connections::{Place, Room};
use crate::{ForwardingHeader, Server};
use http::Method;
use serde_json::json;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, pause, sleep};

fn echo() -> Ask {
    Ask::call(1, "echo", json!({"text": "x"}))
}

/// Waits until the server closes the connection; gives what it said before.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut said = Vec::new();
    match within(stream.read_to_end(&mut said)).await {
        Ok(_) => said,
        // Something of what was sent has not been read.
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => said,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn as_many_connections_as_there_may_be_and_no_more() {
    let served = Served::start(server(&Stage::new()).max_connections(2)).await;
    let (mut one, mut other) = (served.connect().await, served.connect().await);
    assert_eq!(exchange(&mut one, &echo()).await.status, 200);
    assert_eq!(exchange(&mut other, &echo()).await.status, 200);
    let mut third = served.connect().await;
    third.write_all(&echo().bytes()).await.unwrap();
    let reply = within(read_response(&mut third)).await;
    assert_eq!((reply.status, reply.header("connection")), (503, Some("close")));
    assert!(reply.body.contains("as many connections"), "{}", reply.body);
    assert_eq!(
        (reply.header("x-content-type-options"), reply.header("cache-control")),
        (Some("nosniff"), Some("no-store"))
    );
    assert_eq!(exchange(&mut one, &echo()).await.status, 200, "whoever is in does not notice");

    drop(other);
    // The server may learn of it a little later than we do.
    within(async {
        loop {
            let mut next = served.connect().await;
            if exchange(&mut next, &echo()).await.status == 200 {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn probes_are_answered_when_there_is_no_room() {
    let served = Served::start(server(&Stage::new()).health("/healthz", "/readyz").max_connections(1)).await;
    let mut one = served.connect().await;
    assert_eq!(exchange(&mut one, &echo()).await.status, 200);
    for (path, method, status, body) in [
        ("/healthz", Method::GET, 200, "ok\n"),
        ("/readyz", Method::GET, 200, "ok\n"),
        ("/healthz", Method::POST, 405, ""),
        (
            "/mcp",
            Method::GET,
            503,
            "The server has as many connections as it may have at once, from this address or from all.\n",
        ),
        (
            "/",
            Method::GET,
            503,
            "The server has as many connections as it may have at once, from this address or from all.\n",
        ),
    ] {
        let mut stream = served.connect().await;
        let reply = exchange(&mut stream, &Ask::new(method).at(path)).await;
        assert_eq!((reply.status, reply.body.as_str()), (status, body), "{path}");
        assert_eq!(reply.header("connection"), Some("close"));
        assert!(rest(&mut stream).await.is_empty(), "one request, and no more");
    }
    let mut silent = served.connect().await;
    silent.write_all(b"GET /healthz").await.unwrap();
    pause();
    let begun = Instant::now();
    assert!(rest(&mut silent).await.is_empty(), "whoever has nothing to ask is not heard for long");
    assert!(begun.elapsed().as_secs() <= 2, "{:?}", begun.elapsed());
    assert_eq!(exchange(&mut one, &echo()).await.status, 200, "whoever is in does not notice");
}

/// Lets connections in from that address: how many of them are, and how many are at least heard. The others would be closed.
fn enter(room: &Room, address: &str, connections: usize) -> (usize, usize, Vec<Place>) {
    let address = address.parse().unwrap();
    let places: Vec<Place> = (0..connections).filter_map(|_| room.enter(address)).collect();
    let spare = places.iter().filter(|place| place.is_spare).count();
    (places.len() - spare, spare, places)
}

#[test]
fn an_address_has_only_its_part_of_the_connections() {
    let proxied =
        |max| server(&Stage::new()).max_connections(max).trusted_proxies(["10.0.0.0/8"], ForwardingHeader::Forwarded);
    let room = |server: Server| Room::new(&server.http.connections, server.http.proxies.as_ref());
    for (server, part) in [(proxied(200), 50), (proxied(200).max_connections_per_address(3), 3)] {
        let room = room(server);
        let (one, heard, held) = enter(&room, "192.0.2.1", 100);
        assert_eq!((one, heard), (part, 16));
        assert_eq!(enter(&room, "::ffff:192.0.2.1", 1).0, 0, "the same, written otherwise");
        assert_eq!(enter(&room, "192.0.2.2", 1).0, 1, "another does not notice");
        drop(held);
        assert_eq!(enter(&room, "192.0.2.1", 1).0, 1, "what has ended is given back");

        let (one, _, _held) = enter(&room, "2001:db8:0:1::1", 100);
        assert_eq!(one, part);
        assert_eq!(enter(&room, "2001:db8:0:1:ffff::1", 1).0, 0, "all of a network is one");
        assert_eq!(enter(&room, "2001:db8:0:2::1", 1).0, 1);
    }
    for many in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7"] {
        let (all, heard, _held) = enter(&room(proxied(200)), many, 300);
        assert_eq!((all, heard), (200, 64), "{many} has all that there is");
    }
    let (all, ..) = enter(&room(proxied(8)), "192.0.2.1", 20);
    assert_eq!(all, 8, "of few there are no parts");
}

#[tokio::test]
async fn heads_have_a_size_and_a_number_of_headers() {
    let large = |size| echo().header("x-large", &"a".repeat(size));
    let many = |count: usize| (0..count).fold(echo(), |ask, _| ask.also("x-many", "a"));
    let usual = Served::start(server(&Stage::new())).await;
    let tight = Served::start(server(&Stage::new()).max_header_size(10_000).max_headers(20)).await;
    for (served, ask, status) in [
        (&usual, large(60_000), 200),
        (&usual, large(70_000), 431),
        (&usual, many(90), 200),
        (&usual, many(100), 431),
        (&tight, large(8_000), 200),
        (&tight, large(20_000), 431),
        (&tight, many(10), 200),
        (&tight, many(20), 431),
    ] {
        let mut stream = served.connect().await;
        stream.write_all(&ask.bytes()).await.unwrap();
        assert_eq!(within(read_head(&mut stream)).await.0, status, "{} bytes", ask.head().len());
        assert_eq!(exchange(&mut served.connect().await, &echo()).await.status, 200);
    }
}

#[tokio::test]
async fn a_client_that_says_nothing_is_not_waited_for() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    pause();
    let begun = Instant::now();
    assert!(rest(&mut stream).await.is_empty());
    assert_eq!(begun.elapsed().as_secs(), 30);
}

#[tokio::test]
async fn a_head_that_comes_bit_by_bit_is_not_waited_for() {
    let served = Served::start(server(&Stage::new()).header_timeout(Duration::from_secs(10))).await;
    for used_before in [false, true] {
        let mut stream = served.connect().await;
        if used_before {
            exchange(&mut stream, &echo()).await;
        }
        pause();
        let begun = Instant::now();
        if !used_before {
            // To say nothing at first gains nothing.
            sleep(Duration::from_secs(8)).await;
        }
        let bits = async {
            for byte in echo().bytes() {
                // It will be closed on the way.
                let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(&[byte])).await;
                sleep(Duration::from_secs(1)).await;
                let mut got = [0];
                match tokio::time::timeout(Duration::ZERO, stream.read(&mut got)).await {
                    Err(_) => {}
                    Ok(Ok(0) | Err(_)) => return,
                    Ok(Ok(_)) => panic!("an answer to a request that nobody has made"),
                }
            }
            panic!("it was waited for");
        };
        bits.await;
        assert!((10..=11).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
        tokio::time::resume();
    }
}

#[tokio::test]
async fn a_body_that_comes_bit_by_bit_is_not_waited_for() {
    let served = Served::start(server(&Stage::new())).await;
    let mut stream = served.connect().await;
    let mut head = echo().head();
    head.extend_from_slice(b"content-length: 1000\r\n\r\n");
    stream.write_all(&head).await.unwrap();
    pause();
    let begun = Instant::now();
    let (mut reading, mut writing) = stream.split();
    let bits = async {
        loop {
            let _ = writing.write_all(b" ").await;
            sleep(Duration::from_secs(20)).await;
        }
    };
    let mut status = [0; 12];
    tokio::select! {
        () = bits => unreachable!("it goes on for ever"),
        read = reading.read_exact(&mut status) => assert_eq!(read.unwrap(), 12),
    }
    assert_eq!(&status, b"HTTP/1.1 408");
    assert_eq!(begun.elapsed().as_secs(), 120);
}

#[tokio::test]
async fn a_connection_rests_for_a_while_and_a_stream_is_no_rest() {
    let stage = Stage::new();
    let idle = Duration::from_secs(50);
    let served = Served::start(server(&stage).connection_idle_timeout(idle)).await;
    let (mut resting, mut listening) = (served.connect().await, served.connect().await);
    let listen = Ask::stateless("s", "subscriptions/listen", json!({"notifications": {"resourcesListChanged": true}}));
    listening.write_all(&listen.bytes()).await.unwrap();
    assert_eq!(within(read_head(&mut listening)).await.0, 200);
    within(read_chunk(&mut listening)).await.expect("the acknowledgement");
    exchange(&mut resting, &echo()).await;
    pause();
    let begun = Instant::now();
    assert!(rest(&mut resting).await.is_empty());
    assert_eq!(begun.elapsed().as_secs(), 50);
    for _ in 0..10 {
        let alive = read_chunk(&mut listening).await.expect("the stream goes on");
        assert!(alive.starts_with(b":"), "{alive:?}");
    }
    assert!(begun.elapsed() > 2 * idle);
}

#[tokio::test]
async fn a_body_that_nobody_wants_is_no_head() {
    let (head, idle) = (Duration::from_secs(5), Duration::from_secs(50));
    let served = Served::start(server(&Stage::new()).header_timeout(head).connection_idle_timeout(idle)).await;
    let mut stream = served.connect().await;
    let mut ask = Ask::post("").header("content-type", "text/plain").head();
    ask.extend_from_slice(b"content-length: 4\r\n\r\n");
    stream.write_all(&ask).await.unwrap();
    assert_eq!(within(read_response(&mut stream)).await.status, 415);
    stream.write_all(b"body").await.unwrap();
    pause();
    let begun = Instant::now();
    assert!(rest(&mut stream).await.is_empty());
    assert!((50..=55).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_client_that_stops_reading_is_cut_off() {
    let served = Served::start(server(&Stage::new()).write_timeout(Duration::from_secs(10))).await;
    let mut stream = served.connect().await;
    let large = Ask::call(1, "echo", json!({"text": "x".repeat(4_000_000)})).bytes();
    pause();
    // Answers that nobody takes fill every buffer on the way, and then the server reads no more requests.
    let sent = async { while stream.write_all(&large).await.is_ok() {} };
    within(sent).await;
    tokio::time::resume();
    assert_eq!(exchange(&mut served.connect().await, &echo()).await.text(), "x", "others do not notice");
}
