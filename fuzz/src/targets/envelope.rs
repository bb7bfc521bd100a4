//! The envelope: bytes as they come, taken for a message.
//!
//! What is JSON is what is JSON for `serde_json`; what is a request, a notification, a response, a batch or nothing of these
//! is what the specification says ([`oracle`]). A request gets exactly one answer with its id as it was written, a
//! notification and a response get none, everything else an error without an id or with the one that could be read, and
//! peers that could not read an error without an id get none. Whatever comes is one line of JSON.

use crate::oracle::{self, Message};
use crate::peer::{Peer, REVISIONS, Received, Response, run};
use crate::{fixture, web};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::sync::Once;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// See the module.
pub fn check(data: &[u8]) {
    static TRIED: Once = Once::new();
    TRIED.call_once(oracle::try_out);
    over_http(data);
    let Ok(text) = std::str::from_utf8(data) else { return };
    let message = oracle::read(text);
    for speaks in [None, Some(1), Some(3)] {
        let mut peer = match speaks {
            Some(age) => Peer::of(fixture::server(), REVISIONS[age]),
            None => Peer::fresh(fixture::server()),
        };
        let received = run(async {
            peer.send(text);
            peer.finish().await
        });
        judge(&message, speaks == Some(1), &received);
    }
}

/// Judges what came for a message. The second revision has batches, and no errors without an id.
fn judge(message: &Message, second: bool, received: &Received) {
    let refused = |code: i64| {
        let [response] = &received.responses[..] else { panic!("not one error: {received:?}") };
        assert!(response.id.is_none() && response.code() == Some(code), "{received:?}");
    };
    match message {
        Message::NotJson | Message::Refused(None) if second => assert!(received.responses.is_empty(), "{received:?}"),
        Message::NotJson => refused(PARSE_ERROR),
        Message::Refused(None) => refused(INVALID_REQUEST),
        Message::Refused(Some(id)) => assert_eq!(received.only(id).code(), Some(INVALID_REQUEST)),
        Message::Request(id) => drop(received.only(id)),
        Message::Notification(_) | Message::Response => assert!(received.responses.is_empty(), "{received:?}"),
        Message::Batch(elements) if second && (1..=1000).contains(&elements.len()) => batch(elements, received),
        Message::Batch(_) => refused(INVALID_REQUEST),
    }
    assert!(received.batches <= 1, "{received:?}");
}

/// Each element of a batch gets what it would get alone; errors without an id are left out. A cancellation in it may take
/// answers away.
fn batch(elements: &[Message], received: &Received) {
    let mut expected: Vec<&str> = Vec::new();
    let mut cancels = false;
    for element in elements {
        match element {
            Message::Request(id) | Message::Refused(Some(id)) => expected.push(id),
            Message::Notification(method) => cancels |= method == "notifications/cancelled",
            Message::Response | Message::NotJson | Message::Refused(None) | Message::Batch(_) => {}
        }
    }
    let id =
        |response: &'_ Response| response.id.clone().unwrap_or_else(|| panic!("an error without an id: {received:?}"));
    let mut got: Vec<String> = received.responses.iter().map(id).collect();
    if cancels {
        for id in got {
            let place = expected.iter().position(|expected| **expected == *id);
            expected.swap_remove(place.unwrap_or_else(|| panic!("an answer too many: {received:?}")));
        }
    } else {
        expected.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, expected, "{received:?}");
    }
}

/// The same as the body of a POST without a session.
fn over_http(data: &[u8]) {
    let mut headers = HeaderMap::new();
    for (name, value) in
        [("host", "localhost"), ("content-type", "application/json"), ("accept", "application/json, text/event-stream")]
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let reply = web::request(Method::POST, headers, data);
    let received = reply.judge(data);
    let message = std::str::from_utf8(data).map_or(Message::NotJson, oracle::read);
    match message {
        Message::NotJson => {
            assert_eq!(reply.status, StatusCode::BAD_REQUEST);
            assert_eq!(received.responses[0].code(), Some(PARSE_ERROR), "{received:?}");
        }
        Message::Refused(id) => {
            assert_eq!(reply.status, StatusCode::BAD_REQUEST);
            assert_eq!(received.responses[0].code(), Some(INVALID_REQUEST), "{received:?}");
            assert_eq!(received.responses[0].id, id);
        }
        Message::Batch(_) | Message::Response => assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{received:?}"),
        Message::Request(id) => drop(received.only(&id)),
        Message::Notification(_) => assert_eq!(reply.status, StatusCode::ACCEPTED),
    }
}
