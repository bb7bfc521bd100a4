//! Arguments in odd shapes.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::json;

#[tokio::test]
async fn wrong_arguments_are_named_in_every_revision_over_every_transport() {
    for transport in Transport::ALL {
        for revision in HANDSHAKE.into_iter().chain([STATELESS]) {
            // Streamable HTTP begins with the second revision.
            if transport == Transport::Http && revision == HANDSHAKE[0] {
                continue;
            }
            let mut peer = Peer::open(transport, revision).await;
            let text = peer.refusal("count", json!({"n": -1})).await;
            assert_eq!(
                text, "Invalid arguments for `count`:\n`n`: expected an integer from 0 to 4294967295, got -1",
                "{transport:?} {revision}"
            );
        }
    }
}

#[tokio::test]
async fn every_wrong_field_is_listed_with_its_path() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let text = peer.refusal("page", json!({"limit": 500, "tg": 7, "Q": 1})).await;
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 4, "{text}");
    for expected in [
        "`q`: missing, expected a string",
        "`limit`: expected an integer from 1 to 100, got 500",
        "`tg`: not known, did you mean `tag`?",
        "`Q`: not known, did you mean `q`?",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let text = peer.refusal("options", json!({"c": {"tags": ["a", 1, 2], "colour": "blue", "depth": 10}})).await;
    for expected in ["`c.tags[1]`", "`c.tags[2]`", "`c.colour`: expected one of", "`c.depth`"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

#[tokio::test]
async fn a_long_wrong_value_gives_a_short_answer() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let text = peer.refusal("count", json!({"n": "x".repeat(1_000_000)})).await;
    assert!(text.len() <= 1024 && text.contains("`n`"), "{} bytes", text.len());
    let many: serde_json::Map<_, _> = (0..10_000).map(|n| (format!("unknown{n}"), json!(n))).collect();
    let text = peer.refusal("count", many.into()).await;
    assert!(text.len() <= 1100, "{} bytes", text.len());
}

#[tokio::test]
async fn a_string_is_taken_exactly_and_nothing_is_made_of_a_string() {
    for transport in Transport::ALL {
        let mut peer = Peer::open(transport, STATELESS).await;
        for text in ["{\"a\":1}", "[1]", "5", "true", "null", "", " x ", "\u{0}", "e\u{301}", "a\nb\r\u{2028}"] {
            assert_eq!(peer.text("echo", json!({"text": text})).await, text);
        }
    }
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (tool, arguments) in [
        ("count", json!({"n": "5"})),
        ("count", json!({"n": 4_294_967_296_u64})),
        ("count", json!({"n": 1.5})),
        ("count", json!({"n": null})),
        ("count", json!({})),
        ("options", json!({"c": "{\"tags\":[]}"})),
        ("motto", json!({"excited": "true"})),
        ("echo", json!({"text": 5})),
    ] {
        peer.refusal(tool, arguments).await;
    }
}

#[tokio::test]
async fn absent_null_and_malformed_are_three_things() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (arguments, expected) in [
        (json!({"q": "x"}), "x 10 None"),
        (json!({"q": "x", "tag": null, "limit": null}), "x 10 None"),
        (json!({"q": "x", "tag": "t", "limit": 1}), "x 1 Some(\"t\")"),
    ] {
        assert_eq!(peer.text("page", arguments).await, expected);
    }
    peer.refusal("page", json!({"q": "x", "tag": 3})).await;
    for arguments in [json!({}), json!({"a": null, "b": null, "c": null}), json!(null)] {
        assert_eq!(peer.text("options", arguments).await, "None None false");
    }
    let arguments = json!({"a": "A", "b": "red", "c": {"tags": [], "colour": null}});
    assert_eq!(peer.text("options", arguments).await, "Some(\"A\") Some(Red) true");
}

#[tokio::test]
async fn published_bounds_are_enforced_inside_of_structs_too() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    assert_eq!(peer.text("whole", json!({"tags": ["a"]})).await, "[\"a\"] None 3");
    let text = peer.refusal("whole", json!({"tags": ["a"], "depth": 10})).await;
    assert!(text.contains("`depth`: expected an integer from 0 to 9, got 10"), "{text}");
    let text = peer.refusal("whole", json!({"tags": [], "dpth": 1})).await;
    assert!(text.contains("did you mean `depth`?"), "{text}");
}

#[tokio::test]
async fn unknown_arguments_are_refused_or_ignored_as_the_schema_says() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let text = peer.refusal("echo", json!({"txet": "b"})).await;
    assert!(text.contains("`txet`: not known, did you mean `text`?"), "{text}");
    let text = peer.refusal("echo", json!({"text": "a", "txet": "b"})).await;
    assert!(text.contains("`txet`: not known"), "{text}");
    assert_eq!(peer.text("lenient", json!({"text": "a", "txet": "b"})).await, "a");
    let params = json!({"name": "echo", "arguments": {"text": "a"}, "futureField": 1});
    let answer = peer.request("tools/call", params).await;
    assert_eq!(answer["result"]["content"][0]["text"], "a");
}

#[tokio::test]
async fn names_in_the_schema_are_the_names_that_are_decoded() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    assert_eq!(peer.text("match", json!({"type": "t", "fileName": "f"})).await, "t f");
    peer.refusal("match", json!({"type": "t", "file_name": "f"})).await;
}

#[tokio::test]
async fn maps_take_keys_of_any_type() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let arguments = json!({"by_name": {"a": 1}, "by_number": {"7": "x", "8": "y"}});
    assert_eq!(peer.text("maps", arguments).await, "1 2");
    peer.refusal("maps", json!({"by_name": {}, "by_number": {"x": "y"}})).await;
}

#[tokio::test]
async fn a_recursive_value_goes_in() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let tree = json!({"name": "a", "kids": [{"name": "b", "kids": [{"name": "c", "kids": []}]}]});
    assert_eq!(peer.text("depth", json!({"tree": tree})).await, "3");
    let mut deep = json!({"name": "x", "kids": []});
    for _ in 0..40 {
        deep = json!({"name": "x", "kids": [deep]});
    }
    assert_eq!(peer.text("depth", json!({"tree": deep})).await, "41");
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for arguments in [json!([1]), json!("x"), json!(5), json!(true)] {
        peer.refusal("echo", arguments.clone()).await;
        peer.refusal("page", arguments).await;
    }
}

#[tokio::test]
async fn injected_parameters_are_no_arguments() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    assert_eq!(peer.text("injected", json!({"text": "t"})).await, "t 2026-07-28 false");
    peer.meta = json!({"progressToken": 1});
    assert_eq!(peer.text("injected", json!({"text": "t"})).await, "t 2026-07-28 true");
    peer.refusal("injected", json!({"text": "t", "weird": 1})).await;
}
