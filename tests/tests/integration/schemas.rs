//! Schemas as clients see them.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::{Value, json};

async fn tools(revision: &'static str) -> Vec<Value> {
    let mut peer = Peer::open(Transport::Memory, revision).await;
    let answer = peer.request("tools/list", json!({})).await;
    answer["result"]["tools"].as_array().expect("tools").clone()
}

async fn input(name: &str) -> Value {
    let tools = tools(STATELESS).await;
    tools.iter().find(|tool| tool["name"] == name).expect("it is listed")["inputSchema"].clone()
}

/// Calls `look` with every schema inside of a schema.
fn walk(schema: &Value, look: &mut impl FnMut(&Value)) {
    look(schema);
    match schema {
        Value::Object(members) => members.values().for_each(|value| walk(value, look)),
        Value::Array(items) => items.iter().for_each(|value| walk(value, look)),
        _ => {}
    }
}

#[tokio::test]
async fn every_schema_is_valid_and_in_the_form_that_clients_take() {
    for revision in HANDSHAKE.into_iter().chain([STATELESS]) {
        for tool in tools(revision).await {
            let schema = &tool["inputSchema"];
            assert_eq!(schema["type"], "object", "{tool}");
            assert!(schema["properties"].is_object(), "{tool}");
            assert!(jsonschema::meta::is_valid(schema), "{tool}");
            assert!(jsonschema::validator_for(schema).is_ok(), "{tool}");
            walk(schema, &mut |part| {
                let format = part.get("format").and_then(Value::as_str).unwrap_or("");
                assert!(!["int", "uint", "float", "double"].iter().any(|bad| format.starts_with(bad)), "{tool}");
                assert!(part.get("required").is_none_or(|required| required.is_array()), "{tool}");
                if let Some(number) = part.as_f64() {
                    assert!(number.abs() <= 9_007_199_254_740_991.0, "{tool}");
                }
                if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
                    let pointer = reference.strip_prefix('#').expect("a local reference");
                    assert!(pointer.starts_with("/$defs/") && schema.pointer(pointer).is_some(), "{tool}");
                }
            });
            if revision != STATELESS {
                let properties = schema["properties"].as_object().expect("an object");
                assert!(properties.values().all(Value::is_object), "{tool}");
            }
        }
    }
}

#[tokio::test]
async fn a_tool_without_parameters_has_a_closed_empty_schema() {
    assert_eq!(input("bump").await, json!({"type": "object", "properties": {}, "additionalProperties": false}));
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    for params in [
        json!({"name": "nothing"}),
        json!({"name": "nothing", "arguments": {}}),
        json!({"name": "nothing", "arguments": null}),
    ] {
        let answer = peer.request("tools/call", params).await;
        assert!(answer["result"].get("isError").is_none(), "{answer}");
    }
}

#[tokio::test]
async fn optional_arguments_have_their_plain_schema() {
    let schema = input("options").await;
    let mut text = String::new();
    walk(&schema, &mut |part| text.push_str(&part.to_string()));
    assert!(!text.contains("null") && !text.contains("anyOf"), "{schema}");
    assert!(schema.get("required").is_none(), "{schema}");
    let mut colours = schema["properties"]["b"]["enum"].as_array().expect("an enum").clone();
    colours.sort_by_key(Value::to_string);
    assert_eq!(colours, ["green", "red"]);
    assert_eq!(schema["properties"]["b"]["type"], "string");
}

#[tokio::test]
async fn required_and_default_say_what_the_function_takes() {
    let schema = input("page").await;
    assert_eq!(schema["required"], json!(["q"]));
    assert_eq!(schema["properties"]["limit"]["default"], 10);
    assert_eq!(schema["properties"]["limit"]["minimum"], 1);
    assert_eq!(schema["properties"]["limit"]["maximum"], 100);
    let names: Vec<&String> = schema["properties"].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["q", "limit", "tag"]);
}

#[tokio::test]
async fn integers_carry_bounds_instead_of_formats() {
    let properties = input("numbers").await["properties"].clone();
    let bounds = |name: &str| (properties[name]["minimum"].clone(), properties[name]["maximum"].clone());
    assert_eq!(bounds("a"), (json!(0), json!(255)));
    assert_eq!(bounds("b"), (json!(0), json!(65_535)));
    assert_eq!(bounds("c"), (json!(0), json!(4_294_967_295_u64)));
    assert_eq!(bounds("d"), (json!(0), Value::Null));
    assert_eq!(bounds("f"), (Value::Null, Value::Null));
    assert_eq!(properties["h"]["type"], "number");
}

#[tokio::test]
async fn maps_are_open_objects() {
    let properties = input("maps").await["properties"].clone();
    assert_eq!(properties["by_name"]["additionalProperties"]["type"], "integer");
    assert_eq!(properties["by_number"]["additionalProperties"]["type"], "string");
    assert!(properties["by_number"].get("patternProperties").is_none());
}

#[tokio::test]
async fn only_recursive_types_are_referred_to() {
    assert!(input("depth").await.get("$defs").is_some());
    for tool in tools(STATELESS).await.iter().filter(|tool| tool["name"] != "depth") {
        assert!(!tool["inputSchema"].to_string().contains("$ref"), "{tool}");
    }
}

#[tokio::test]
async fn headers_and_hints_and_descriptions_are_published() {
    assert_eq!(input("routed").await["properties"]["region"]["x-mcp-header"], "Region");
    let tools = tools(STATELESS).await;
    let motto = tools.iter().find(|tool| tool["name"] == "motto").expect("it is listed");
    assert_eq!(motto["title"], "The motto");
    assert_eq!(motto["description"], "Tells the motto.");
    let hints = json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
    assert_eq!(motto["annotations"], hints);
    let properties = motto["inputSchema"]["properties"].as_object().expect("an object");
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["excited"], "injected parameters are not listed");
    assert_eq!(input("whole").await["properties"]["tags"]["description"], "Tags that must all be there.");
}

#[tokio::test]
async fn no_schema_has_a_title_from_a_type() {
    for tool in tools(STATELESS).await {
        walk(&tool["inputSchema"], &mut |part| {
            assert!(part.get("title").is_none_or(|title| !title.is_string()), "{tool}");
        });
    }
}

#[tokio::test]
async fn the_list_is_the_same_in_every_process() {
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..3 {
        let mut peer = Peer::open(Transport::Stdio, STATELESS).await;
        seen.push(peer.request("tools/list", json!({})).await.to_string());
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    let names: Vec<Value> = tools(STATELESS).await.iter().map(|tool| tool["name"].clone()).collect();
    assert!(names.is_sorted_by_key(|name| name.as_str().map(str::to_owned)), "{names:?}");
}
