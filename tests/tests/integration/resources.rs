//! Reading resources.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::{Value, json};

async fn read(peer: &mut Peer, uri: &str) -> Value {
    peer.request("resources/read", json!({"uri": uri})).await
}

#[tokio::test]
async fn contents_come_with_the_uri_that_was_asked_for_and_a_type() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[1], HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open(transport, revision).await;
            let answer = read(&mut peer, "notes://index").await;
            let contents = json!([{"uri": "notes://index", "mimeType": "text/plain", "text": "the index"}]);
            assert_eq!(answer["result"]["contents"], contents);
            let answer = read(&mut peer, "notes://7").await;
            let contents = json!([{"uri": "notes://7", "mimeType": "text/markdown", "text": "note 7"}]);
            assert_eq!(answer["result"]["contents"], contents);
            let answer = read(&mut peer, "bin://all").await;
            let blob = answer["result"]["contents"][0]["blob"].as_str().expect("a blob").to_owned();
            assert!(blob.starts_with("AAECAwQF") && blob.ends_with("/P3+/w==") && blob.len() == 344, "{blob}");
        }
    }
}

#[tokio::test]
async fn what_does_not_exist_is_an_error_with_the_uri() {
    for revision in HANDSHAKE.into_iter().chain([STATELESS]) {
        let mut peer = Peer::open(Transport::Memory, revision).await;
        let code = if revision == STATELESS { -32602 } else { -32002 };
        for uri in [
            "notes://100",
            "notes://abc",
            "notes://",
            "notes://1/2",
            "nowhere://x",
            "",
            "notes://%",
            "tree://../x",
            "tree://a/%2e%2e/b",
            "tree:///etc/passwd",
        ] {
            let answer = read(&mut peer, uri).await;
            assert_eq!(answer["error"]["code"], code, "{revision} {uri}: {answer}");
            assert_eq!(answer["error"]["data"]["uri"], uri, "{answer}");
        }
        let answer = peer.request("resources/read", json!({})).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn query_parameters_are_optional_and_in_any_order() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (uri, found) in [
        ("s://find?limit=2&q=z", json!({"q": "z", "limit": 2})),
        ("s://find?q=a%20b", json!({"q": "a b", "limit": 5})),
        ("s://find", json!({"q": null, "limit": 5})),
    ] {
        let answer = read(&mut peer, uri).await;
        let text = answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), found);
        assert_eq!(answer["result"]["contents"][0]["mimeType"], "application/json");
    }
    assert_eq!(read(&mut peer, "s://find?limit=x").await["error"]["code"], -32602);
}

#[tokio::test]
async fn variables_are_decoded_once() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (uri, text) in [("kind://a%20b", "a b"), ("kind://a%252e", "a%2e"), ("tree://a/b%20c", "a/b c")] {
        assert_eq!(read(&mut peer, uri).await["result"]["contents"][0]["text"], text);
    }
}

#[tokio::test]
async fn a_session_subscribes_to_what_exists() {
    let mut peer = Peer::open(Transport::Memory, HANDSHAKE[3]).await;
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        assert_eq!(peer.request(method, json!({"uri": "notes://index"})).await["result"], json!({}));
    }
    for (subscribed, uri, told) in [(true, "notes://1", 1), (true, "notes://2", 0), (false, "notes://1", 0)] {
        let method = if subscribed { "resources/subscribe" } else { "resources/unsubscribe" };
        assert_eq!(peer.request(method, json!({"uri": "notes://1"})).await["result"], json!({}));
        peer.notifications.clear();
        peer.call("touch", json!({"uri": uri})).await;
        assert_eq!(peer.notifications.len(), told, "{:?}", peer.notifications);
        if told == 1 {
            assert_eq!(peer.notifications[0]["method"], "notifications/resources/updated");
            assert_eq!(peer.notifications[0]["params"], json!({"uri": uri}));
        }
    }
    let answer = peer.request("resources/subscribe", json!({"uri": "nowhere://x"})).await;
    assert_eq!(answer["error"]["code"], -32002);
}

#[tokio::test]
async fn a_hostile_uri_takes_no_time() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let uri = format!("tree://{}", "/a,a".repeat(25_000));
    assert_eq!(read(&mut peer, &uri).await["error"]["code"], -32602);
}
