use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::with_definitions as finished;
use super::super::{Role, Schemas, object, root_object};
use super::enums::{Mixed, Plain, Shape};
use super::refs::Tree;

fn properties(members: Value) -> Map<String, Value> {
    members.as_object().expect("an object").clone()
}

#[test]
fn a_tool_without_arguments_has_an_empty_closed_object() {
    assert_eq!(
        object(Map::new(), Vec::new(), Map::new(), true),
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
    assert_eq!(object(Map::new(), Vec::new(), Map::new(), false).to_string(), r#"{"type":"object","properties":{}}"#);
}

#[test]
fn arguments_keep_their_order_and_lose_null_where_they_are_optional() {
    let mut schemas = Schemas::new(Role::Input);
    let members = properties(json!({
        "z": schemas.of::<Option<String>>(),
        "a": schemas.of::<Option<Plain>>(),
        "tree": schemas.of::<Option<Tree>>(),
        "must": schemas.of::<Option<u64>>(),
    }));
    let root = object(members, vec!["must".to_owned()], schemas.take_definitions(), true);
    let keys: Vec<&String> = root.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["type", "properties", "required", "additionalProperties", "$defs"]);
    let text = root["properties"].to_string();
    assert!(
        text.starts_with(r#"{"z":{"type":"string"},"a":{"type":"string","enum":["A","B"]},"tree":{"type":"object","#)
    );
    assert!(text.ends_with(r#""must":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}}"#), "{text}");
    assert_eq!(root["required"], json!(["must"]));
    assert_eq!(root["$defs"].as_object().map(Map::len), Some(1));
}

#[test]
fn a_part_has_one_type_in_the_end() {
    let schema = json!({
        "type": ["string", "integer", "null"],
        "enum": ["a", 1, null],
        "description": "Any.",
        "items": {"type": ["integer"]},
    });
    let text = json!({"type": "string", "enum": ["a"], "items": {"type": ["integer"]}});
    let number = json!({"type": "integer", "enum": [1], "items": {"type": ["integer"]}});
    let expected = json!({"description": "Any.", "anyOf": [text, number, {"type": "null"}]});
    assert_eq!(finished(schema, Map::new()), expected);
}

#[test]
fn types_shared_by_arguments_share_their_definition() {
    let mut schemas = Schemas::new(Role::Input);
    let first = schemas.of::<Vec<Tree>>();
    let second = schemas.of::<Vec<Tree>>();
    assert_eq!(first, second);
    assert_eq!(schemas.take_definitions().len(), 1);
}

/// What to look for.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Search {
    /// The text.
    text: String,
    limit: Option<u8>,
}

#[test]
fn a_struct_gives_its_members() {
    let root = root_object::<Search>(true).expect("an object");
    assert_eq!(
        root.schema.to_string(),
        concat!(
            r#"{"description":"What to look for.","type":"object","properties":{"#,
            r#""text":{"type":"string","description":"The text."},"#,
            r#""limit":{"type":"integer","minimum":0,"maximum":255}},"#,
            r#""required":["text"],"additionalProperties":false}"#
        )
    );
    assert!(!root.constrained);
    let open = root_object::<Search>(false).expect("an object").schema;
    assert_eq!(open.get("additionalProperties"), None);
}

#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema counts")]
struct Strict {
    #[schemars(length(min = 1))]
    name: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Collecting {
    id: u64,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

#[derive(JsonSchema)]
struct Empty {}

#[test]
fn a_type_may_say_itself_whether_it_is_closed() {
    let strict = root_object::<Strict>(false).expect("an object");
    assert_eq!(strict.schema["additionalProperties"], json!(false));
    assert!(strict.constrained);
    let collecting = root_object::<Collecting>(true).expect("an object").schema;
    assert_eq!(collecting["additionalProperties"], json!({"type": "string"}));
    let any = root_object::<Map<String, Value>>(true).expect("an object").schema;
    assert_eq!(any, json!({"type": "object", "properties": {}, "additionalProperties": true}));
    let empty = root_object::<Empty>(true).expect("an object").schema;
    assert_eq!(empty, json!({"type": "object", "properties": {}, "additionalProperties": false}));
}

#[test]
fn a_recursive_struct_brings_its_definition() {
    let schema = root_object::<Tree>(true).expect("an object").schema;
    assert_eq!(schema["properties"]["kids"]["items"], json!({"$ref": "#/$defs/Tree"}));
    assert_eq!(schema["$defs"]["Tree"].get("additionalProperties"), None);
}

#[test]
fn alternatives_at_the_root_are_united() {
    let root = root_object::<Shape>(true).expect("an object");
    assert_eq!(
        root.schema,
        json!({
            "description": "One of:\n- `kind` \"circle\" with `radius`, `label` (optional): A round one.\
                            \n- `kind` \"square\" with `side`\n- `kind` \"dot\"",
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": ["circle", "square", "dot"]},
                "radius": {"type": "number"},
                "label": {"type": "string"},
                "side": {"type": "number"},
            },
            "required": ["kind"],
            "additionalProperties": false,
        })
    );
    assert!(!root.constrained);
}

/// Puts something somewhere.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Put {
    id: u64,
    #[serde(flatten)]
    shape: Shape,
    #[serde(flatten)]
    extra: Option<Extra>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Extra {
    Number { extra: u64 },
    Text { extra: String, note: String },
}

#[test]
fn flattened_alternatives_are_united_with_the_members() {
    let schema = root_object::<Put>(true).expect("an object").schema;
    assert_eq!(schema["required"], json!(["id", "kind"]));
    assert_eq!(
        schema["properties"]["extra"],
        json!({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]})
    );
    let names: Vec<&String> = schema["properties"].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["id", "kind", "radius", "label", "side", "extra", "note"]);
    let text = schema["description"].as_str().expect("words");
    assert!(text.starts_with("Puts something somewhere.\n\nOne of:\n- `kind` \"circle\""), "{text}");
    for keyword in ["oneOf", "anyOf", "allOf", "unevaluatedProperties"] {
        assert_eq!(schema.get(keyword), None);
    }
    let value = json!({"id": 1, "kind": "dot", "extra": "x", "note": "y"});
    assert!(serde_json::from_value::<Put>(value).is_ok());
}

#[test]
fn what_is_no_object_is_refused_with_a_reason() {
    for (refused, reason) in [
        (root_object::<u8>(true), "an integer from 0 to 255"),
        (root_object::<Vec<String>>(true), "an array of strings"),
        (root_object::<Plain>(true), "one of \"A\", \"B\""),
        (root_object::<Mixed>(true), "one of \"Unit\", \"Other\""),
        (root_object::<Option<Search>>(true), "an object with `text` or null"),
        (root_object::<Value>(true), "a value"),
    ] {
        let text = refused.expect_err("is no object");
        assert!(text.contains(reason) && text.contains("struct"), "{text}");
    }
}
