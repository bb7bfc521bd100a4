//! The audit trail.

use crate::server::{INITIALIZE, call, post, server, stateless};
use crate::spans::{Fields, Noted};
use crate::watch;
use mcp_runtime::{Audit, AuditEvent, Principal};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A trail that keeps its events.
fn kept(audit: Audit) -> (Audit, Arc<Mutex<Vec<AuditEvent>>>) {
    let events = Arc::<Mutex<Vec<AuditEvent>>>::default();
    let sink = Arc::clone(&events);
    (audit.to(move |event| sink.lock().unwrap().push(event.clone())), events)
}

/// An event as its trail shows it, without what no two runs have in common.
fn shown(event: &AuditEvent) -> Value {
    let mut shown = serde_json::to_value(event).expect("JSON");
    let members = shown.as_object_mut().expect("an object");
    for time in ["at", "duration"] {
        assert!(members.remove(time).is_some_and(|time| time.as_f64().is_some_and(|seconds| seconds >= 0.0)));
    }
    let size = members.remove("response_bytes").and_then(|size| size.as_u64());
    assert_eq!(size == Some(0), members.get("error") == Some(&json!("cancelled")));
    shown
}

#[tokio::test]
async fn every_request_leaves_one_event() {
    let (_, _turn) = watch().await;
    let (audit, events) = kept(Audit::new());
    let mut client = server().audit(audit).build().expect("it builds").connect();
    let calls = [
        ("add", r#""a":2,"b":3"#),
        ("add_later", r#""a":2,"b":3"#),
        ("add_elsewhere", r#""a":2,"b":3"#),
        ("fail", ""),
        ("panic", ""),
        ("panic_later", ""),
        ("made_up", ""),
        ("add", r#""a":"two""#),
    ];
    for (name, arguments) in calls {
        client.send(&stateless("tools/call", &format!(r#","name":"{name}","arguments":{{{arguments}}}"#)));
        client.receive().await.expect("an answer");
    }
    client.send(&stateless("tools/call", r#","name":"wait""#));
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"seven"}}"#);
    client.finish().await;
    let events: Vec<Value> = events.lock().unwrap().iter().map(shown).collect();
    let event = |function: Option<&str>, size: usize, error: Option<&str>| {
        let mut event = json!({
            "method": "tools/call", "request_id": "\"seven\"", "transport": "pipe", "argument_bytes": size,
        });
        [("function", function), ("error", error)]
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .for_each(|(name, value)| event[name] = value.into());
        event
    };
    let expected = [
        event(Some("add"), 13, None),
        event(Some("add_later"), 13, None),
        event(Some("add_elsewhere"), 13, None),
        event(Some("fail"), 2, Some("tool_error")),
        event(Some("panic"), 2, Some("-32603")),
        event(Some("panic_later"), 2, Some("-32603")),
        event(None, 2, Some("-32602")),
        event(Some("add"), 11, Some("tool_error")),
        event(Some("wait"), 0, Some("cancelled")),
    ];
    assert_eq!(events, expected);
}

#[tokio::test]
async fn arguments_are_shown_when_asked_for_and_secrets_never() {
    let (_, _turn) = watch().await;
    let (audit, events) = kept(Audit::new().arguments(true).redact(["Street"]));
    let client = server().audit(audit).build().expect("it builds").connect();
    let arguments = r#"{"a":[{"PassWord":"hunter2","street":["x"],"city":"Rome"}],"token":{"deep":1},"streets":2}"#;
    client.send(&stateless("tools/call", &format!(r#","name":"add","arguments":{arguments}"#)));
    client.send(&stateless("resources/read", r#","uri":"page://7""#));
    let large = "x".repeat(64 * 1024);
    client.send(&stateless("tools/call", &format!(r#","name":"add","arguments":{{"text":"{large}"}}"#)));
    client.finish().await;
    let events = events.lock().unwrap();
    let expected = json!({
        "a": [{"PassWord": "[redacted]", "street": "[redacted]", "city": "Rome"}],
        "token": "[redacted]",
        "streets": 2,
    });
    assert_eq!(events[0].arguments, Some(expected));
    assert_eq!((events[1].function, &events[1].arguments), (Some("page"), &Some(json!({"uri": "page://7"}))));
    assert_eq!((events[2].argument_bytes > large.len(), &events[2].arguments), (true, &None));
    let (audit, events) = kept(Audit::new());
    server()
        .audit(audit)
        .build()
        .expect("it builds")
        .connect()
        .send(&stateless("tools/call", &format!(r#","name":"add","arguments":{arguments}"#)));
    assert_eq!(events.lock().unwrap()[0].arguments, None, "nobody asked for them");
}

#[tokio::test]
async fn over_http_an_event_tells_on_whose_behalf() {
    let (_, _turn) = watch().await;
    let (audit, events) = kept(Audit::new());
    let service = server().audit(audit).into_service().expect("it builds");
    let ada = Principal::new("ada");
    let (session, _) = post(&service, Some(&ada), None, INITIALIZE).await;
    post(&service, Some(&ada), session.as_deref(), &call(r#""name":"add","arguments":{"a":2,"b":3}"#)).await;
    post(&service, None, None, &stateless("tools/list", "")).await;
    let events: Vec<Value> = events.lock().unwrap().iter().map(shown).collect();
    let expected = json!([
        {"method": "initialize", "principal": "ada", "request_id": "1", "transport": "tcp", "argument_bytes": 0},
        {"method": "tools/call", "function": "add", "principal": "ada", "request_id": "7", "transport": "tcp",
         "argument_bytes": 13},
        {"method": "tools/list", "request_id": "\"seven\"", "transport": "tcp", "argument_bytes": 0},
    ]);
    assert_eq!(Value::from(events), expected);
}

#[tokio::test]
async fn without_a_function_of_its_own_the_trail_is_in_the_log_inside_of_the_span() {
    let (seen, _turn) = watch().await;
    let mut client = server().audit(Audit::new()).build().expect("it builds").connect();
    client.send(&stateless("tools/call", r#","name":"fail""#));
    client.receive().await.expect("an answer");
    let seen = seen.take();
    let Noted::Event(target, within, fields) = &seen[0] else { panic!("{seen:?}") };
    assert_eq!((&**target, within.as_deref()), ("mcp::audit", Some("tools/call fail")));
    let told = |name: &str| fields.get(name).map(String::as_str);
    assert_eq!((told("function"), told("error")), (Some("fail"), Some("tool_error")));
    assert_eq!((told("arguments"), told("principal")), (None, None));
    let is_span = |noted: &Noted| matches!(noted, Noted::Span(Fields { .. }));
    assert!(seen.len() == 2 && is_span(&seen[1]), "{seen:?}");
}

#[tokio::test]
async fn a_trail_that_panics_costs_no_answer() {
    let (_, _turn) = watch().await;
    let audit = Audit::new().to(|_| panic!("the disk is full"));
    let mut client = server().audit(audit).build().expect("it builds").connect();
    client.send(&stateless("tools/call", r#","name":"add","arguments":{"a":2,"b":3}"#));
    assert!(client.receive().await.is_some_and(|answer| answer.contains(r#""text":"5""#)));
}

#[tokio::test]
async fn what_is_no_message_is_noted_without_anything_of_it() {
    let (seen, _turn) = watch().await;
    let (audit, events) = kept(Audit::new().arguments(true));
    let mut client = server().audit(audit).build().expect("it builds").connect();
    let texts = [r#"{"confidential":"#, r#"{"jsonrpc":"2.0","id":"seven","method":{"confidential":1}}"#];
    for text in texts {
        client.send(text);
        client.receive().await.expect("an error");
    }
    let expected = [("null", "-32700"), ("\"seven\"", "-32600")].iter().zip(texts).map(|((id, code), text)| {
        json!({
            "method": "_OTHER", "request_id": id, "transport": "pipe", "argument_bytes": text.len(), "error": code,
        })
    });
    let events: Vec<Value> = events.lock().unwrap().iter().map(shown_without_answer).collect();
    assert_eq!(events, expected.collect::<Vec<_>>());
    let spans = seen.spans();
    let codes: Vec<_> = spans.iter().map(|span| (&*span["otel.name"], &*span["rpc.response.status_code"])).collect();
    assert_eq!(codes, [("_OTHER", "-32700"), ("_OTHER", "-32600")]);
    assert!(!format!("{spans:?}").contains("confidential"), "{spans:?}");
}

/// An event of something that had no answer of its own to be measured.
fn shown_without_answer(event: &AuditEvent) -> Value {
    assert_eq!(event.response_bytes, 0);
    let mut shown = serde_json::to_value(event).expect("JSON");
    let members = shown.as_object_mut().expect("an object");
    for name in ["at", "duration", "response_bytes"] {
        members.remove(name);
    }
    shown
}
