//! Clients that lose a stream and come back for the rest.

use super::ask::{Ask, Reply, Session, events};
use super::fixture::{Stage, server, within};
use crate::prelude::*;
use crate::transport::http::{HttpBody, HttpService};
use crate::{Elicited, MemoryEvents, mcp_type};
use http_body_util::BodyExt;
use serde_json::{Value, json};

/// A form.
#[mcp_type]
struct Name {
    name: String,
}

/// Lets the connection go, and waits until the test lets it end.
#[mcp_tool]
async fn leave(cx: Context, stage: State<Stage>) -> &'static str {
    cx.close_stream();
    stage.entered();
    stage.leave().await;
    "left"
}

/// Asks, and makes much noise meanwhile.
#[mcp_tool]
async fn greet(cx: Context, noise: u32) -> Result<String, ToolError> {
    let (answer, ()) = tokio::join!(cx.elicit::<Name>("Who are you?"), async {
        (1..=noise).for_each(|step| cx.progress(step, noise));
    });
    match answer? {
        Elicited::Accepted(Name { name }) => Ok(format!("Hello {name}")),
        _ => Ok("Hello nobody".to_owned()),
    }
}

fn service(stage: &Stage) -> HttpService {
    server(stage).tools(tools![leave, greet]).into_service().unwrap()
}

/// The next piece of a stream; `None` at its end.
async fn next(body: &mut HttpBody) -> Option<String> {
    let frame = within(body.frame()).await?.unwrap().into_data().unwrap();
    Some(String::from_utf8(frame.to_vec()).unwrap())
}

/// Reads a stream until it holds so many messages.
async fn read(body: &mut HttpBody, messages: usize) -> String {
    let mut text = String::new();
    while events(&text).len() < messages {
        text.push_str(&next(body).await.expect("the stream goes on"));
    }
    text
}

/// The ids of the events in a piece of a stream.
fn ids(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("id: ")).collect()
}

fn last_id(text: &str) -> &str {
    ids(text).last().expect("an id")
}

fn back(session: &Session, id: &str) -> Ask {
    session.get().header("last-event-id", id)
}

/// What the messages of a stream are, in short.
fn shapes(text: &str) -> Vec<String> {
    let shape = |message: &Value| match message["method"].as_str() {
        Some("notifications/progress") => format!("progress {}", message["params"]["progress"]),
        Some(method) => method.to_owned(),
        None => message["result"]["content"][0]["text"].as_str().expect("text").to_owned(),
    };
    events(text).iter().map(shape).collect()
}

#[tokio::test]
async fn only_the_newest_handshake_revision_sees_an_empty_event() {
    let stage = Stage::new();
    let service = service(&stage);
    for (version, primed) in [("2025-11-25", true), ("2025-06-18", false), ("2025-03-26", false)] {
        let session = Session::open(&service, version).await;
        let mut stream = session.watched_call(1, "hold", json!({})).start(&service).await.into_body();
        let mut text = read(&mut stream, 1).await;
        stage.started().await;
        stage.go();
        while let Some(piece) = next(&mut stream).await {
            text.push_str(&piece);
        }
        assert_eq!(shapes(&text), ["progress 1", "held"], "{version}");
        let first = text.split("\n\n").next().unwrap();
        let lines: Vec<&str> = first.lines().collect();
        assert_eq!(matches!(lines[..], [id, "retry: 1000", "data: "] if id.starts_with("id: ")), primed, "{text}");
        assert_eq!(text.matches("retry:").count(), usize::from(primed), "{text}");
        assert_eq!(text.lines().filter(|line| line.trim_end() == "data:").count(), usize::from(primed), "{text}");
        assert_eq!(ids(&text).len(), 2 + usize::from(primed));

        let mut standing = session.get().start(&service).await.into_body();
        let greeting = next(&mut standing).await.unwrap();
        assert_eq!((greeting.contains("retry:"), greeting.contains("data:")), (primed, primed), "{greeting}");
    }
}

#[tokio::test]
async fn the_stateless_era_has_no_ids_and_ignores_theirs() {
    let service = service(&Stage::new());
    let reply = Ask::watched_call(1, "steps", json!({"k": 2})).header("last-event-id", "x").of(&service).await;
    assert_eq!((shapes(&reply.body).len(), ids(&reply.body).len()), (3, 0));
    let get = Ask::new(http::Method::GET).header("accept", "text/event-stream").header("last-event-id", "x");
    assert_eq!(get.header("mcp-protocol-version", "2026-07-28").of(&service).await.status, 405);
}

#[tokio::test]
async fn a_client_that_vanishes_in_the_middle_of_a_call_comes_back_for_the_rest() {
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        for while_it_runs in [true, false] {
            let stage = Stage::new();
            let service = service(&stage);
            let session = Session::open(&service, version).await;
            let call = session.watched_call(1, "pace", json!({"k": 2}));
            let response = tokio::spawn({
                let service = service.clone();
                async move { call.start(&service).await }
            });
            stage.started().await;
            stage.go();
            let mut body = within(response).await.unwrap().into_body();
            let seen = read(&mut body, 1).await;
            drop(body);
            stage.started().await;
            let again = back(&session, last_id(&seen));
            let rest = if while_it_runs {
                let mut body = again.start(&service).await.into_body();
                assert!(next(&mut body).await.unwrap().starts_with(':'), "the stream begins at once");
                stage.go();
                let mut text = read(&mut body, 1).await;
                stage.go();
                text.push_str(&read(&mut body, 1).await);
                assert_eq!(next(&mut body).await, None, "it ends with the answer");
                text
            } else {
                stage.go();
                stage.go();
                while session.call(1, "echo", json!({"text": "x"})).of(&service).await.code_if_error() == Some(-32600) {
                    tokio::task::yield_now().await;
                }
                within(again.of(&service)).await.body
            };
            assert_eq!(shapes(&rest), ["progress 2", "paced"], "{version}");
            let all: std::collections::HashSet<&str> = ids(&seen).into_iter().chain(ids(&rest)).collect();
            assert_eq!(all.len(), ids(&seen).len() + 2, "every event has an id of its own");

            // Once more from an earlier place, and from the very end.
            let whole = within(back(&session, ids(&seen)[0]).of(&service)).await;
            assert!(shapes(&whole.body).ends_with(&["progress 2".to_owned(), "paced".to_owned()]));
            let nothing = within(back(&session, last_id(&rest)).of(&service)).await;
            assert_eq!((nothing.status, events(&nothing.body).len()), (200, 0));
        }
    }
}

#[tokio::test]
async fn a_function_can_let_the_connection_go() {
    let stage = Stage::new();
    let service = service(&stage);
    let session = Session::open(&service, "2025-11-25").await;
    let mut standing = session.get().start(&service).await.into_body();
    next(&mut standing).await.unwrap();
    let begun = within(session.call(1, "leave", json!({})).of(&service)).await;
    stage.started().await;
    assert_eq!(begun.media_type(), "text/event-stream");
    assert_eq!((events(&begun.body).len(), ids(&begun.body).len()), (0, 1), "{}", begun.body);

    let mut resumed = back(&session, last_id(&begun.body)).start(&service).await.into_body();
    next(&mut resumed).await.unwrap();
    stage.go();
    assert_eq!(shapes(&read(&mut resumed, 1).await), ["left"]);
    assert_eq!(next(&mut resumed).await, None);
    session.delete().of(&service).await;
    assert_eq!(next(&mut standing).await, None, "nothing of it came on the standing stream");

    // Others would not come back.
    let older = Session::open(&service, "2025-06-18").await;
    for call in [older.call(1, "leave", json!({})), Ask::call(1, "leave", json!({}))] {
        stage.go();
        assert_eq!(within(call.of(&service)).await.text(), "left");
    }
}

#[tokio::test]
async fn nobody_sees_the_events_of_another_session_or_stream() {
    let stage = Stage::new();
    let service = service(&stage);
    let (one, other) = (Session::open(&service, "2025-11-25").await, Session::open(&service, "2025-11-25").await);
    let first = one.watched_call(1, "steps", json!({"k": 2})).of(&service).await;
    let second = one.watched_call(2, "steps", json!({"k": 3})).of(&service).await;
    let same = other.watched_call(1, "steps", json!({"k": 2})).of(&service).await;
    for id in ids(&first.body).into_iter().chain(ids(&second.body)) {
        let reply = back(&other, id).of(&service).await;
        assert_eq!((reply.status, reply.code()), (400, -32600), "{id}");
    }
    assert_eq!(
        shapes(&back(&one, ids(&first.body)[0]).of(&service).await.body),
        ["progress 1", "progress 2", "walked"]
    );
    assert_eq!(shapes(&back(&one, ids(&second.body)[2]).of(&service).await.body), ["progress 3", "walked"]);
    assert_eq!(shapes(&back(&other, ids(&same.body)[2]).of(&service).await.body), ["walked"]);

    let (tag, _) = ids(&first.body)[0].split_once('-').unwrap();
    for id in ["x", "1", "0-0-0", "-", &format!("{tag}-0-1"), &format!("{tag}-9-0"), &format!("{tag}-1-9")] {
        let reply = back(&one, id).of(&service).await;
        assert_eq!((reply.status, reply.code()), (400, -32600), "{id}");
    }
    let twice = back(&one, ids(&first.body)[0]).also("last-event-id", ids(&first.body)[0]);
    assert_eq!(twice.of(&service).await.status, 400);
    one.delete().of(&service).await;
    assert_eq!(back(&one, ids(&first.body)[0]).of(&service).await.status, 404);
}

#[tokio::test]
async fn the_oldest_events_give_way_and_the_answer_last() {
    let server = server(&Stage::new()).event_store(MemoryEvents::new(4, 10_000));
    let service = server.into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    let whole = session.watched_call(1, "steps", json!({"k": 10})).of(&service).await;
    let begin = ids(&whole.body)[0];
    let rest = back(&session, begin).of(&service).await;
    assert_eq!(shapes(&rest.body), ["progress 8", "progress 9", "progress 10", "walked"]);
    // A second call drives out the notifications of the first, not its answer; many drive out everything.
    session.watched_call(2, "steps", json!({"k": 10})).of(&service).await;
    assert_eq!(shapes(&back(&session, begin).of(&service).await.body), ["walked"]);
    for id in 3..=6 {
        session.watched_call(id, "steps", json!({"k": 1})).of(&service).await;
    }
    let gone = back(&session, begin).of(&service).await;
    assert_eq!((gone.status, gone.code()), (400, -32600));
}

#[tokio::test]
async fn the_standing_stream_goes_on_where_it_broke() {
    let service = service(&Stage::new());
    let session = Session::open(&service, "2025-06-18").await;
    session.ask("s", "resources/subscribe", json!({"uri": "notes://index"})).of(&service).await;
    let touch = async || session.call("t", "touch", json!({})).of(&service).await;
    let mut body = session.get().start(&service).await.into_body();
    touch().await;
    let first = read(&mut body, 1).await;
    touch().await;
    let lost = read(&mut body, 1).await;
    drop(body);
    touch().await;
    let mut body = back(&session, last_id(&first)).start(&service).await.into_body();
    let text = read(&mut body, 2).await;
    assert_eq!(shapes(&text), ["notifications/resources/updated"; 2]);
    assert_eq!(ids(&text)[0], last_id(&lost), "the same event has the same id");
}

/// A session whose client can be asked.
async fn open_able(service: &HttpService) -> Session {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "t", "version": "0"},
    });
    let body = json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params});
    let reply = Ask::post(body).of(service).await;
    Session { id: reply.session(), version: "2025-11-25".to_owned() }
}

/// The question among the messages of a stream.
fn question(text: &str) -> Value {
    let mut messages = events(text).into_iter();
    messages.find(|message| message["method"] == "elicitation/create").expect("a question")["id"].clone()
}

#[tokio::test]
async fn a_client_that_vanishes_in_the_middle_of_a_question_finds_it_again() {
    // So much noise that every bound on notifications is passed.
    for noise in [0, 2_000] {
        let service = service(&Stage::new());
        let session = open_able(&service).await;
        let response = within(session.watched_call(1, "greet", json!({"noise": noise})).start(&service)).await;
        let mut body = response.into_body();
        let seen = next(&mut body).await.unwrap();
        drop(body);
        let mut body = back(&session, ids(&seen)[0]).start(&service).await.into_body();
        let text = read(&mut body, 1).await;
        let answer = json!({"action": "accept", "content": {"name": "Ada"}});
        let response = session.post(json!({"jsonrpc": "2.0", "id": question(&text), "result": answer}));
        assert_eq!(response.of(&service).await.status, 202);
        let end = read(&mut body, 1).await;
        assert_eq!(shapes(&end).last().unwrap(), "Hello Ada");
        assert_eq!(next(&mut body).await, None);
    }
}

#[tokio::test]
async fn the_end_of_a_session_ends_its_questions_and_streams() {
    let stage = Stage::new();
    let service = service(&stage);
    let session = open_able(&service).await;
    let asking = within(session.watched_call(1, "greet", json!({"noise": 0})).start(&service)).await.into_body();
    let mut holding = within(session.watched_call(2, "hold", json!({})).start(&service)).await.into_body();
    let seen = read(&mut holding, 1).await;
    stage.started().await;
    let mut resumed = back(&session, last_id(&seen)).start(&service).await.into_body();
    assert_eq!(next(&mut holding).await, None, "the stream has another reader now");
    next(&mut resumed).await.unwrap();
    assert_eq!(session.delete().of(&service).await.status, 204);
    assert!(!stage.ended().await, "the function ran to its end");
    assert_eq!(next(&mut resumed).await, None);
    let asked = within(Reply::read(http::Response::new(asking))).await;
    assert_eq!(events(&asked.body).len(), 1, "the question, and no answer: {}", asked.body);
    let late = session.post(json!({"jsonrpc": "2.0", "id": question(&asked.body), "result": {"action": "decline"}}));
    assert_eq!(late.of(&service).await.status, 404);
}
