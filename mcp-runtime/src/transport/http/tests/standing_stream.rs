use super::ask::{Session, events};
use super::fixture::{Stage, server, service, within};
use super::wire::{connection, exchange, read_chunk, read_head};
use crate::transport::http::{HttpBody, HttpService};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

/// The next piece of a stream; `None` at its end.
async fn next(body: &mut HttpBody) -> Option<String> {
    let frame = within(body.frame()).await?.unwrap().into_data().unwrap();
    Some(String::from_utf8(frame.to_vec()).unwrap())
}

/// The standing stream of a session, after its first sign of life.
async fn open(session: &Session, service: &HttpService) -> HttpBody {
    let response = session.get().start(service).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let mut body = response.into_body();
    assert!(next(&mut body).await.unwrap().starts_with(':'));
    body
}

async fn subscribed(service: &HttpService, version: &str) -> Session {
    let session = Session::open(service, version).await;
    let reply = session.ask("s", "resources/subscribe", json!({"uri": "notes://index"})).of(service).await;
    assert_eq!(reply.json()["result"], json!({}));
    session
}

async fn touch(session: &Session, service: &HttpService) {
    let reply = session.call("t", "touch", json!({})).of(service).await;
    assert_eq!(reply.text(), "touched", "what belongs to no call is not sent with one");
}

fn uris(piece: &str) -> Vec<Value> {
    let events = events(piece).into_iter();
    events
        .map(|event| {
            assert_eq!(event["method"], "notifications/resources/updated");
            event["params"]["uri"].clone()
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn messages_that_belong_to_no_call_come_on_the_standing_stream() {
    let service = service();
    let session = subscribed(&service, "2025-11-25").await;
    let mut body = open(&session, &service).await;
    let begin = Instant::now();
    let (piece, ()) = tokio::join!(next(&mut body), touch(&session, &service));
    assert_eq!(uris(&piece.unwrap()), ["notes://index"]);
    let (end, _) = tokio::join!(next(&mut body), session.delete().of(&service));
    assert_eq!(end, None);
    assert_eq!(Instant::now(), begin, "nothing had to wait for the next sign of life");
}

#[tokio::test]
async fn the_stream_begins_at_once() {
    let service = service();
    let session = Session::open(&service, "2025-06-18").await;
    let (mut stream, _serving) = connection(&service).await;
    stream.write_all(&session.get().bytes()).await.unwrap();
    assert_eq!(within(read_head(&mut stream)).await.0, 200);
    let first = within(read_chunk(&mut stream)).await.unwrap();
    assert!(first.starts_with(b":") && !first.windows(5).any(|window| window == b"data:"), "{first:?}");
    let (mut other, _serving) = connection(&service).await;
    assert_eq!(exchange(&mut other, &session.delete()).await.status, 204);
    assert_eq!(within(read_chunk(&mut stream)).await, None, "the stream ends with its session");
}

#[tokio::test]
async fn what_comes_before_the_stream_waits_for_it_within_bounds() {
    let service = service();
    let session = subscribed(&service, "2025-03-26").await;
    for _ in 0..300 {
        touch(&session, &service).await;
    }
    let mut body = open(&session, &service).await;
    let waiting = uris(&next(&mut body).await.unwrap()).len();
    assert!((1..300).contains(&waiting), "{waiting}");
    touch(&session, &service).await;
    assert_eq!(uris(&next(&mut body).await.unwrap()).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_second_stream_takes_the_place_of_the_first() {
    let service = service();
    let session = subscribed(&service, "2025-11-25").await;
    let mut first = open(&session, &service).await;
    let begin = Instant::now();
    let (end, mut second) = tokio::join!(next(&mut first), open(&session, &service));
    assert_eq!((end, Instant::now()), (None, begin));
    touch(&session, &service).await;
    assert_eq!(uris(&next(&mut second).await.unwrap()), ["notes://index"]);
}

#[tokio::test]
async fn sessions_do_not_see_each_others_messages() {
    let service = service();
    let (subscribed, other) = (subscribed(&service, "2025-11-25").await, Session::open(&service, "2025-11-25").await);
    let (mut stream, mut silent) = (open(&subscribed, &service).await, open(&other, &service).await);
    touch(&other, &service).await;
    assert_eq!(uris(&next(&mut stream).await.unwrap()), ["notes://index"]);
    assert_eq!(other.delete().of(&service).await.status, 204);
    assert_eq!(next(&mut silent).await, None, "nothing came before the end");
}

#[tokio::test(start_paused = true)]
async fn a_quiet_standing_stream_says_that_it_is_alive() {
    let service = server(&Stage::new()).into_service().unwrap();
    let session = Session::open(&service, "2025-06-18").await;
    let mut body = open(&session, &service).await;
    for _ in 0..3 {
        let piece = next(&mut body).await.unwrap();
        assert!(piece.starts_with(':') && !piece.contains("data:"), "{piece:?}");
    }
}
