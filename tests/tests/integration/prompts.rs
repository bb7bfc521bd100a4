//! Prompts and completion.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::{Value, json};

async fn greet(peer: &mut Peer, arguments: Value) -> Value {
    peer.request("prompts/get", json!({"name": "greet", "arguments": arguments})).await
}

#[tokio::test]
async fn arguments_are_strings_and_become_what_the_function_takes() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[1], HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open(transport, revision).await;
            let answer = greet(&mut peer, json!({"name": "5", "times": "2", "mood": "red"})).await;
            let message = json!({"role": "user", "content": {"type": "text", "text": "Hello, 5! Hello, 5! Some(Red)"}});
            assert_eq!(answer["result"]["messages"], json!([message]), "{answer}");
            assert_eq!(answer["result"]["description"], "Greets somebody several times.");
        }
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (arguments, name) in [
        (json!({"name": "a", "times": "x"}), "times"),
        (json!({"name": "a"}), "times"),
        (json!({"times": "1"}), "name"),
        (json!({"name": "a", "times": "1", "mood": "blue"}), "mood"),
        (json!({"name": "a", "times": "1", "nmae": "b"}), "nmae"),
    ] {
        let answer = greet(&mut peer, arguments).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains(name)), "{answer}");
    }
    let answer = greet(&mut peer, json!({"name": "a", "times": 1})).await;
    assert!(answer["result"]["messages"].is_array(), "{answer}");
}

#[tokio::test]
async fn published_bounds_hold_for_prompts_and_resources() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (arguments, wrong) in [
        (json!({"times": "2", "word": "ab"}), None),
        (json!({"times": "10", "word": "ab"}), Some("`times`: expected an integer from 1 to 9, got 10")),
        (json!({"times": "2", "word": "A B"}), Some("`word`")),
    ] {
        let answer = peer.request("prompts/get", json!({"name": "repeat", "arguments": arguments})).await;
        match wrong {
            None => assert_eq!(answer["result"]["messages"][0]["content"]["text"], "abab"),
            Some(text) => {
                assert_eq!(answer["error"]["code"], -32602, "{answer}");
                assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains(text)), "{answer}");
            }
        }
    }
    for (uri, found) in [("item://9", true), ("item://10", false), ("item://x", false)] {
        let answer = peer.request("resources/read", json!({"uri": uri})).await;
        assert_eq!(answer.get("result").is_some(), found, "{answer}");
        assert!(found || answer["error"]["data"]["uri"] == uri, "{answer}");
    }
}

#[tokio::test]
async fn the_list_tells_arguments_and_how_they_are_read() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let answer = peer.request("prompts/list", json!({})).await;
    let prompts = answer["result"]["prompts"].as_array().expect("prompts");
    let greet = prompts.iter().find(|prompt| prompt["name"] == "greet").expect("it is listed");
    let arguments = greet["arguments"].as_array().expect("arguments");
    assert_eq!(arguments[0], json!({"name": "name", "description": "Who is greeted.", "required": true}));
    assert_eq!((&arguments[1]["name"], &arguments[1]["required"]), (&json!("times"), &json!(true)));
    assert!(arguments[1]["description"].as_str().is_some_and(|text| text.starts_with("How often. (an integer")));
    assert_eq!((&arguments[2]["name"], &arguments[2]["required"]), (&json!("mood"), &json!(false)));
}

async fn complete(peer: &mut Peer, reference: Value, name: &str, value: &str, context: Value) -> Value {
    let mut params = json!({"ref": reference, "argument": {"name": name, "value": value}});
    if !context.is_null() {
        params["context"] = context;
    }
    peer.request("completion/complete", params).await
}

#[tokio::test]
async fn completion_gives_at_most_a_hundred_values_and_knows_the_other_arguments() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[1], HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open(transport, revision).await;
            let template = json!({"type": "ref/resource", "uri": "notes://{id}"});
            let answer = complete(&mut peer, template, "id", "", Value::Null).await;
            let completion = &answer["result"]["completion"];
            assert_eq!(completion["values"].as_array().map(Vec::len), Some(100), "{answer}");
            assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(150), &json!(true)));
            let prompt = json!({"type": "ref/prompt", "name": "greet"});
            let chosen = json!({"arguments": {"times": "3"}});
            let answer = complete(&mut peer, prompt.clone(), "name", "A", chosen).await;
            assert_eq!(answer["result"]["completion"]["values"], json!(["A3"]));
            let answer = complete(&mut peer, prompt, "times", "1", Value::Null).await;
            assert_eq!(answer["result"]["completion"]["values"], json!([]), "no completer: no values");
        }
    }
}

#[tokio::test]
async fn completion_of_what_does_not_exist_is_refused() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for (reference, name) in [
        (json!({"type": "ref/prompt", "name": "no_such"}), "name"),
        (json!({"type": "ref/prompt", "name": "greet"}), "no_such"),
        (json!({"type": "ref/resource", "uri": "no://such"}), "id"),
        (json!({"type": "ref/tool", "name": "echo"}), "text"),
        (json!("greet"), "name"),
    ] {
        let answer = complete(&mut peer, reference, name, "", Value::Null).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}
