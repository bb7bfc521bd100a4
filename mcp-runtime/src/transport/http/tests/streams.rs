use super::ask::{Ask, Reply, Session, events};
use super::fixture::{Stage, server, service, within};
use super::wire::{connection, read_chunk, read_head};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

fn progress(events: &[Value]) -> Vec<u64> {
    let reports = events.iter().filter(|event| event["method"] == "notifications/progress");
    reports.map(|event| event["params"]["progress"].as_f64().expect("a number") as u64).collect()
}

#[tokio::test]
async fn notifications_come_as_events_and_the_answer_is_the_last() {
    let service = service();
    let session = Session::open(&service, "2025-06-18").await;
    for ask in [Ask::watched_call(1, "steps", json!({"k": 3})), session.watched_call(1, "steps", json!({"k": 3}))] {
        let reply = ask.of(&service).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("x-accel-buffering"), Some("no"));
        assert_eq!(reply.header("cache-control"), Some("no-cache"));
        let events = reply.events();
        assert_eq!((events.len(), progress(&events)), (4, vec![1, 2, 3]));
        assert_eq!(events[3]["result"]["content"][0]["text"], "walked");
        assert_eq!(events[3]["id"], 1);
    }
}

#[tokio::test]
async fn an_answer_that_nothing_precedes_is_json() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for ask in [
        Ask::call(1, "steps", json!({"k": 3})),
        session.call(1, "steps", json!({"k": 3})),
        Ask::call(1, "nap", json!({"ms": 1})),
        session.call(1, "nap", json!({"ms": 1})),
    ] {
        assert_eq!(ask.of(&service).await.json()["id"], 1);
    }
}

#[tokio::test]
async fn a_client_that_reads_json_alone_gets_no_notifications() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for ask in [Ask::watched_call(1, "steps", json!({"k": 3})), session.watched_call(1, "steps", json!({"k": 3}))] {
        assert_eq!(ask.header("accept", "application/json").of(&service).await.text(), "walked");
    }
}

#[tokio::test]
async fn a_client_that_reads_events_alone_gets_its_answer_as_one() {
    let service = service();
    for tool in ["echo", "nap"] {
        let arguments = if tool == "echo" { json!({"text": "x"}) } else { json!({"ms": 1}) };
        let events = Ask::call(1, tool, arguments).header("accept", "text/event-stream").of(&service).await.events();
        assert_eq!((events.len(), &events[0]["id"]), (1, &json!(1)));
    }
    let unknown = Ask::stateless(1, "foo/bar", json!({})).header("accept", "text/event-stream").of(&service).await;
    assert_eq!((unknown.status, unknown.code()), (404, -32601), "an error of HTTP is read as one");
}

#[tokio::test]
async fn the_first_event_is_sent_while_the_function_runs() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    for ask in [Ask::watched_call(1, "hold", json!({})), session.watched_call(1, "hold", json!({}))] {
        let (mut stream, _serving) = connection(&service).await;
        stream.write_all(&ask.bytes()).await.unwrap();
        within(read_head(&mut stream)).await;
        let first = String::from_utf8(within(read_chunk(&mut stream)).await.unwrap()).unwrap();
        assert_eq!(progress(&events(&first)), [1]);
        stage.go();
        let last = String::from_utf8(within(read_chunk(&mut stream)).await.unwrap()).unwrap();
        assert_eq!(events(&last)[0]["result"]["content"][0]["text"], "held");
        assert_eq!(within(read_chunk(&mut stream)).await, None, "the stream ends");
    }
}

#[tokio::test(start_paused = true)]
async fn every_event_is_sent_when_it_happens() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    for ask in [Ask::watched_call(1, "pace", json!({"k": 2})), session.watched_call(1, "pace", json!({"k": 2}))] {
        let begin = Instant::now();
        let response = tokio::spawn({
            let service = service.clone();
            async move { ask.start(&service).await }
        });
        stage.started().await;
        stage.go();
        let mut body = response.await.unwrap().into_body();
        let mut next = async || {
            let frame = body.frame().await?.unwrap().into_data().unwrap();
            Some(events(std::str::from_utf8(&frame).unwrap()))
        };
        assert_eq!(progress(&next().await.unwrap()), [1]);
        stage.started().await;
        let (second, ()) = tokio::join!(next(), async { stage.go() });
        assert_eq!(progress(&second.unwrap()), [2]);
        let (last, ()) = tokio::join!(next(), async { stage.go() });
        assert_eq!(last.unwrap()[0]["result"]["content"][0]["text"], "paced");
        assert_eq!(next().await, None);
        assert_eq!(Instant::now(), begin, "nothing had to wait for the next sign of life");
    }
}

#[tokio::test]
async fn every_message_is_one_line() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    let reply = session.call(1, "pretty", json!({"log": false})).of(&service).await;
    assert_eq!((reply.json()["result"]["structuredContent"].clone(), reply.body.lines().count()), (json!({"a": 1}), 1));
    let events = session.call(1, "pretty", json!({"log": true})).of(&service).await.events();
    assert_eq!(events[0]["params"]["data"], json!({"a": 1}));
    assert_eq!(events[1]["result"]["structuredContent"], json!({"a": 1}));
}

#[tokio::test(start_paused = true)]
async fn only_a_quiet_stream_says_that_it_is_alive() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let call = Ask::watched_call(1, "pace", json!({"k": 2}));
    let response = tokio::spawn(async move { call.start(&service).await });
    stage.started().await;
    stage.go();
    let mut body = response.await.unwrap().into_body();
    body.frame().await.unwrap().unwrap();
    stage.started().await;
    let (frame, ()) = tokio::join!(body.frame(), async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        stage.go();
    });
    assert_eq!(progress(&events(std::str::from_utf8(frame.unwrap().unwrap().data_ref().unwrap()).unwrap())), [2]);
    let event = Instant::now();
    assert!(body.frame().await.unwrap().unwrap().data_ref().unwrap().starts_with(b":"));
    assert_eq!(event.elapsed().as_secs(), 15, "of time that nobody has to wait");
}

#[tokio::test(start_paused = true)]
async fn a_quiet_stream_says_that_it_is_alive() {
    let stage = Stage::new();
    let service = server(&stage).into_service().unwrap();
    let session = Session::open(&service, "2025-06-18").await;
    for ask in [Ask::call(1, "hold", json!({})), session.call(1, "hold", json!({}))] {
        // Nothing comes for a while: then the answer is not waited for any longer.
        let response = ask.start(&service).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut body = response.into_body();
        for _ in 0..3 {
            let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
            assert!(frame.starts_with(b":") && frame.ends_with(b"\n\n"), "{frame:?}");
            assert!(!frame.windows(5).any(|window| window == b"data:"), "{frame:?}");
        }
        stage.go();
        let rest = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        assert_eq!(events(&rest)[0]["result"]["content"][0]["text"], "held");
    }
}

#[tokio::test]
async fn a_client_that_does_not_keep_up_loses_notifications_and_never_the_answer() {
    let service = service();
    let session = Session::open(&service, "2025-11-25").await;
    for ask in [Ask::watched_call(1, "steps", json!({"k": 1000})), session.watched_call(1, "steps", json!({"k": 1000}))]
    {
        let events = ask.of(&service).await.events();
        let steps = progress(&events);
        assert!(steps.len() < 1000, "the queue has a bound");
        assert!(steps.is_sorted(), "{steps:?}");
        assert_eq!(steps.last(), Some(&1000), "what is newest stays");
        assert_eq!(events.last().unwrap()["result"]["content"][0]["text"], "walked");
    }
}

#[tokio::test]
async fn a_batch_is_answered_as_one() {
    let service = service();
    let session = Session::open(&service, "2025-03-26").await;
    let call = |id: u32, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let ids = |answers: &Value| {
        let mut ids: Vec<_> = answers.as_array().expect("a batch").iter().map(|a| a["id"].as_u64().unwrap()).collect();
        ids.sort_unstable();
        ids
    };
    let batch = json!([
        call(1, "echo", json!({"text": "x"})),
        {"jsonrpc": "2.0", "method": "notifications/x"},
        call(2, "nap", json!({"ms": 1})),
    ]);
    assert_eq!(ids(&session.post(batch).of(&service).await.json()), [1, 2]);

    let batch = json!([call(1, "steps", json!({"k": 2})), call(2, "nap", json!({"ms": 1}))]);
    let events = session.post(batch).of(&service).await.events();
    assert_eq!((progress(&events), ids(events.last().unwrap())), (vec![1, 2], vec![1, 2]));

    let silent = session.post(json!([{"jsonrpc": "2.0", "method": "notifications/x"}])).of(&service).await;
    assert_eq!((silent.status, silent.body.as_str()), (202, ""));
    for (body, code) in [("[]", -32600), ("[{]", -32700)] {
        let reply: Reply = session.post(body).of(&service).await;
        assert_eq!((reply.status, reply.code()), (400, code));
    }
    let newer = Session::open(&service, "2025-06-18").await;
    let reply = newer.post(json!([call(1, "echo", json!({"text": "x"}))])).of(&service).await;
    assert_eq!((reply.status, reply.code()), (400, -32600));
    let unknown = Session { id: "0".repeat(32), ..session };
    assert_eq!(unknown.post(json!([call(1, "echo", json!({"text": "x"}))])).of(&service).await.status, 404);
}
