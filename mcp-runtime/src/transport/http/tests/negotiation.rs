use super::ask::Ask;
use super::fixture::{Stage, server, service};
use serde_json::json;

#[tokio::test]
async fn what_the_client_accepts_decides_the_form_of_the_answer() {
    let service = service();
    for (accept, media_type) in [
        ("application/json, text/event-stream", "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("APPLICATION/JSON;charset=utf-8", "application/json"),
        ("application/*", "application/json"),
        ("text/event-stream;q=0.5, application/json", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("application/json;q=0, */*", "text/event-stream"),
        ("text/html, application/json;q=0.001", "application/json"),
        ("text/event-stream, application/json, application/json;q=0", "application/json"),
        ("", "application/json"),
        (" , ", "application/json"),
    ] {
        let reply = Ask::call(1, "echo", json!({"text": "x"})).header("accept", accept).of(&service).await;
        assert_eq!((reply.status, reply.media_type()), (200, media_type), "{accept}");
    }
    let reply = Ask::call(1, "echo", json!({"text": "x"})).without("accept").of(&service).await;
    assert_eq!((reply.status, reply.media_type()), (200, "application/json"));
    let lines =
        Ask::call(1, "echo", json!({"text": "x"})).header("accept", "text/html").also("accept", "text/event-stream");
    assert_eq!(lines.of(&service).await.events()[0]["result"]["content"][0]["text"], "x");
}

#[tokio::test]
async fn a_client_that_accepts_neither_form_is_told() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    for accept in ["text/html", "application/json;q=0", "image/*", "*/json", "*/*;q=0, text/html", "json"] {
        let reply = Ask::call(1, "bump", json!({})).header("accept", accept).of(&service).await;
        assert_eq!((reply.status, reply.code()), (406, -32600), "{accept}");
    }
    assert_eq!(stage.hits(), 0);
}

#[tokio::test]
async fn only_json_is_taken() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    for content_type in ["application/json", "application/json;charset=UTF-8", "Application/JSON ; a=b"] {
        let reply = Ask::call(1, "echo", json!({"text": "x"})).header("content-type", content_type).of(&service).await;
        assert_eq!(reply.status, 200, "{content_type}");
    }
    let wrong = ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application", "", "json"];
    for content_type in wrong {
        let reply = Ask::call(1, "bump", json!({})).header("content-type", content_type).of(&service).await;
        assert_eq!((reply.status, reply.code()), (415, -32600), "{content_type}");
    }
    let bump = || Ask::call(1, "bump", json!({}));
    assert_eq!(bump().without("content-type").of(&service).await.status, 415);
    assert_eq!(bump().also("content-type", "application/json").of(&service).await.status, 415);
    assert_eq!(bump().header("content-encoding", "gzip").of(&service).await.status, 415);
    assert_eq!(stage.hits(), 0);
    assert_eq!(bump().header("content-encoding", "identity").of(&service).await.status, 200);
}
