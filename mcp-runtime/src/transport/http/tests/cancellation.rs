use super::ask::{Ask, Session};
use super::fixture::{Stage, server, within};
use super::wire::{connection, exchange, read_chunk, read_head};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

fn cancel(session: &Session, id: impl Into<Value>) -> Ask {
    session.post(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into()}}))
}

#[tokio::test]
async fn closing_the_connection_cancels_a_stateless_call() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let (mut stream, serving) = connection(&service).await;
    stream.write_all(&Ask::call(1, "hold", json!({})).bytes()).await.unwrap();
    stage.started().await;
    drop(stream);
    assert!(!stage.ended().await, "the function ran to its end");
    within(serving).await.unwrap();
}

#[tokio::test]
async fn closing_the_stream_cancels_a_stateless_call() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let (mut stream, serving) = connection(&service).await;
    stream.write_all(&Ask::watched_call(1, "hold", json!({})).bytes()).await.unwrap();
    let (status, headers) = within(read_head(&mut stream)).await;
    assert_eq!((status, headers["content-type"].as_bytes()), (200, b"text/event-stream".as_slice()));
    let first = within(read_chunk(&mut stream)).await.unwrap();
    assert!(first.starts_with(b"event: message\ndata: "));
    drop(stream);
    assert!(!stage.ended().await, "the function ran to its end");
    within(serving).await.unwrap();
}

#[cfg(feature = "http2")]
#[tokio::test]
async fn resetting_an_http2_stream_cancels_its_stateless_call_alone() {
    use bytes::Bytes;
    use http_body_util::Full;
    use hyper_util::rt::{TokioExecutor, TokioIo};

    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let (stream, _serving) = connection(&service).await;
    let executor = TokioExecutor::new();
    let handshake = hyper::client::conn::http2::handshake::<_, _, Full<Bytes>>(executor, TokioIo::new(stream));
    let (mut client, driver) = within(handshake).await.unwrap();
    tokio::spawn(driver);
    let ask = |ask: Ask| ask.without("host").at("http://localhost/mcp").request();
    let held = tokio::spawn(client.send_request(ask(Ask::call(1, "hold", json!({})))));
    stage.started().await;
    held.abort();
    assert!(!stage.ended().await, "the function ran to its end");
    let reply = within(client.send_request(ask(Ask::call(1, "echo", json!({"text": "x"}))))).await.unwrap();
    assert_eq!(super::ask::Reply::read(reply).await.text(), "x");
}

#[tokio::test]
async fn closing_the_connection_cancels_nothing_of_a_session() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    for ask in [session.call(1, "hold", json!({})), session.watched_call(1, "hold", json!({}))] {
        let (mut stream, serving) = connection(&service).await;
        stream.write_all(&ask.bytes()).await.unwrap();
        stage.started().await;
        drop(stream);
        within(serving).await.unwrap();
        stage.go();
        assert!(stage.ended().await, "the function was dropped");
    }
    assert_eq!(session.call(1, "echo", json!({"text": "x"})).of(&service).await.text(), "x", "the id is free again");
}

#[tokio::test]
async fn a_cancelled_call_of_a_session_is_not_answered() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    for (accept, id) in [("application/json, text/event-stream", json!(1)), ("application/json", json!("a"))] {
        let call = session.call(id.clone(), "hold", json!({})).header("accept", accept);
        let call = tokio::spawn({
            let service = service.clone();
            async move { call.of(&service).await }
        });
        stage.started().await;
        assert_eq!(cancel(&session, "another").of(&service).await.status, 202);
        assert_eq!(cancel(&session, id).of(&service).await.status, 202);
        let reply = within(call).await.unwrap();
        assert!(!stage.ended().await, "the function ran to its end");
        assert_eq!(reply.body, "");
        assert_eq!(reply.status, if accept == "application/json" { 202 } else { 200 });
    }
}

#[tokio::test]
async fn a_call_that_streams_can_be_cancelled() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-06-18").await;
    let response = session.watched_call(5, "hold", json!({})).start(&service).await;
    cancel(&session, 5).of(&service).await;
    let events = within(super::ask::Reply::read(response)).await.events();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["method"], "notifications/progress");
    assert!(!stage.ended().await, "the function ran to its end");
}

#[tokio::test]
async fn a_session_cannot_cancel_the_calls_of_another() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let (one, other) = (Session::open(&service, "2025-11-25").await, Session::open(&service, "2025-11-25").await);
    let (mut stream, _serving) = connection(&service).await;
    stream.write_all(&one.call(1, "hold", json!({})).bytes()).await.unwrap();
    stage.started().await;
    assert_eq!(cancel(&other, 1).of(&service).await.status, 202);
    let again = exchange(&mut connection(&service).await.0, &one.call(1, "echo", json!({"text": "x"}))).await;
    assert_eq!(again.code(), -32600, "the id is in use");
    let same = exchange(&mut connection(&service).await.0, &other.call(1, "echo", json!({"text": "x"}))).await;
    assert_eq!(same.text(), "x");
    stage.go();
    assert_eq!(within(super::wire::read_response(&mut stream)).await.text(), "held");
}

#[tokio::test]
async fn the_end_of_a_session_ends_its_calls() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    let response = session.watched_call(1, "hold", json!({})).start(&service).await;
    assert_eq!(session.delete().of(&service).await.status, 204);
    assert!(!stage.ended().await, "the function ran to its end");
    assert_eq!(within(super::ask::Reply::read(response)).await.events().len(), 1);
}
