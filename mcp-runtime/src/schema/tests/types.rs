use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::num::{NonZeroI32, NonZeroU8, NonZeroU64};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::{Role, Schemas};
use super::{each_object, input, output};

#[test]
fn integers_have_the_bounds_of_their_type() {
    for (schema, expected) in [
        (input::<u8>(), json!({"type": "integer", "minimum": 0, "maximum": 255})),
        (input::<i8>(), json!({"type": "integer", "minimum": -128, "maximum": 127})),
        (input::<u16>(), json!({"type": "integer", "minimum": 0, "maximum": 65_535})),
        (input::<i16>(), json!({"type": "integer", "minimum": -32_768, "maximum": 32_767})),
        (input::<u32>(), json!({"type": "integer", "minimum": 0, "maximum": u32::MAX})),
        (input::<i32>(), json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX})),
        (input::<u64>(), json!({"type": "integer", "minimum": 0})),
        (input::<usize>(), json!({"type": "integer", "minimum": 0})),
        (input::<u128>(), json!({"type": "integer", "minimum": 0})),
        (input::<i64>(), json!({"type": "integer"})),
        (input::<isize>(), json!({"type": "integer"})),
        (input::<i128>(), json!({"type": "integer"})),
        (input::<f32>(), json!({"type": "number"})),
        (input::<f64>(), json!({"type": "number"})),
        (input::<NonZeroU8>(), json!({"type": "integer", "minimum": 1, "maximum": 255})),
        (input::<NonZeroU64>(), json!({"type": "integer", "minimum": 1})),
        (
            input::<NonZeroI32>(),
            json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX, "not": {"const": 0}}),
        ),
    ] {
        assert_eq!(schema, expected);
    }
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Bounded {
    #[schemars(range(min = 1, max = 10))]
    small: u64,
    #[schemars(range(min = -5, max = 1000))]
    wider_than_the_type: u8,
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_i64))]
    safe: i64,
    #[schemars(range(min = -9_007_199_254_740_992_i64, max = 9_007_199_254_740_992_i64))]
    unsafe_: i64,
    #[schemars(range(min = 0.5, max = 1e300))]
    real: f64,
    #[schemars(extend("multipleOf" = 5))]
    step: u32,
}

#[test]
fn an_authors_bounds_stay_where_they_are_tighter_and_safe() {
    assert_eq!(
        input::<Bounded>()["properties"],
        json!({
            "small": {"type": "integer", "minimum": 1, "maximum": 10},
            "wider_than_the_type": {"type": "integer", "minimum": 0, "maximum": 255},
            "safe": {"type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991_i64},
            "unsafe_": {"type": "integer"},
            "real": {"type": "number", "minimum": 0.5},
            "step": {"type": "integer", "minimum": 0, "maximum": u32::MAX, "multipleOf": 5},
        })
    );
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(default)]
struct Defaults {
    most: u64,
    some: u64,
    list: Vec<u64>,
    note: Option<String>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { most: u64::MAX, some: 10, list: vec![u64::MAX], note: None }
    }
}

#[test]
fn defaults_stay_unless_they_are_too_large_or_null() {
    assert_eq!(
        input::<Defaults>(),
        json!({
            "type": "object",
            "properties": {
                "most": {"type": "integer", "minimum": 0},
                "some": {"type": "integer", "minimum": 0, "default": 10},
                "list": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                "note": {"type": "string"},
            },
        })
    );
}

#[derive(JsonSchema)]
#[schemars(title = "Formats")]
#[expect(dead_code, reason = "only its schema counts")]
struct Formats {
    #[schemars(extend("format" = "date-time"))]
    when: String,
    #[schemars(extend("format" = "partial-date-time"))]
    local: String,
    #[schemars(url)]
    link: String,
    address: std::net::IpAddr,
    v4: std::net::Ipv4Addr,
}

#[test]
fn only_standard_formats_stay() {
    assert_eq!(
        input::<Formats>()["properties"],
        json!({
            "when": {"type": "string", "format": "date-time"},
            "local": {"type": "string"},
            "link": {"type": "string", "format": "uri"},
            "address": {"type": "string"},
            "v4": {"type": "string", "format": "ipv4"},
        })
    );
}

/// What to look for.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Described {
    /// First paragraph,
    /// on two lines.
    ///
    /// - a list
    text: String,
    #[schemars(title = "A title", example = &"abc")]
    titled: String,
}

#[test]
fn descriptions_and_own_titles_stay_and_type_names_do_not() {
    assert_eq!(
        input::<Described>(),
        json!({
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "description": "First paragraph,\non two lines.\n\n- a list",
                },
                "titled": {"type": "string", "title": "A title", "examples": ["abc"]},
            },
            "required": ["text", "titled"],
            "description": "What to look for.",
        })
    );
    assert_eq!(input::<Formats>().get("title"), None);
    assert_eq!(output::<Formats>().get("title"), None);
}

#[test]
fn maps_name_the_schema_of_their_values() {
    let strings = json!({"type": "object", "additionalProperties": {"type": "string"}});
    assert_eq!(input::<HashMap<String, String>>(), strings);
    assert_eq!(input::<HashMap<u32, String>>(), strings);
    assert_eq!(input::<BTreeMap<i64, String>>(), strings);
    assert_eq!(output::<BTreeMap<i64, String>>(), strings);
    assert_eq!(
        input::<HashMap<String, Option<u8>>>()["additionalProperties"],
        json!({"type": ["integer", "null"], "minimum": 0, "maximum": 255})
    );
    let anything = json!({"type": "object", "additionalProperties": true});
    assert_eq!(input::<Map<String, Value>>(), anything);
}

#[test]
fn sets_take_duplicates_as_arguments_and_have_none_as_results() {
    let plain = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(input::<HashSet<String>>(), plain);
    assert_eq!(input::<BTreeSet<String>>(), plain);
    assert_eq!(output::<BTreeSet<String>>()["uniqueItems"], json!(true));
}

#[test]
fn every_array_says_what_its_items_are() {
    assert_eq!(
        input::<(f64, f64)>(),
        json!({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}})
    );
    assert_eq!(
        input::<(u64, String)>(),
        json!({
            "type": "array",
            "prefixItems": [{"type": "integer", "minimum": 0}, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
            "items": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]},
        })
    );
    assert_eq!(input::<[u64; 0]>(), json!({"type": "array", "maxItems": 0, "items": {}}));
    assert_eq!(input::<Vec<Value>>(), json!({"type": "array", "items": {}}));
}

#[test]
fn other_types_of_the_standard_library() {
    for (schema, expected) in [
        (input::<Value>(), json!({})),
        (input::<()>(), json!({"type": "null"})),
        (input::<char>(), json!({"type": "string", "minLength": 1, "maxLength": 1})),
        (input::<str>(), json!({"type": "string"})),
        (input::<Box<Arc<u64>>>(), json!({"type": "integer", "minimum": 0})),
        (input::<Cow<'static, str>>(), json!({"type": "string"})),
        (input::<Option<bool>>(), json!({"type": ["boolean", "null"]})),
    ] {
        assert_eq!(schema, expected);
    }
    let required = |schema: Value| schema["required"].clone();
    assert_eq!(required(input::<Duration>()), json!(["secs", "nanos"]));
    assert_eq!(required(input::<SystemTime>()), json!(["secs_since_epoch", "nanos_since_epoch"]));
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Nested<T> {
    value: Option<T>,
    list: Vec<Option<T>>,
    deep: Option<Vec<Option<T>>>,
    double: Option<Option<T>>,
    #[schemars(required)]
    demanded: Option<T>,
    #[serde(rename = "type")]
    kind: Option<Box<Nested2>>,
    nothing: Option<()>,
    any: Option<Value>,
    text_or_number: Option<TextOrNumber>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Nested2 {
    value: Option<u64>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema counts")]
enum TextOrNumber {
    Text(String),
    Number(f64),
}

#[test]
fn an_argument_that_may_be_left_out_has_no_null() {
    let text = json!({"type": "string"});
    let nullable = json!({"type": ["string", "null"]});
    assert_eq!(
        input::<Nested<String>>(),
        json!({
            "type": "object",
            "properties": {
                "value": text,
                "list": {"type": "array", "items": nullable},
                "deep": {"type": "array", "items": nullable},
                // serde decodes null to the outer None, so it means what absence means.
                "double": text,
                "demanded": text,
                "type": {
                    "type": "object",
                    "properties": {"value": {"type": "integer", "minimum": 0}},
                },
                "nothing": {"type": "null"},
                "any": {},
                "text_or_number": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            },
            "required": ["list", "demanded"],
        })
    );
}

#[test]
fn a_result_keeps_its_null() {
    let schema = output::<Nested<u64>>();
    let nullable = json!({"type": ["integer", "null"], "minimum": 0});
    assert_eq!(schema["properties"]["value"], nullable);
    assert_eq!(schema["properties"]["double"], nullable);
    assert_eq!(schema["properties"]["type"]["type"], json!(["object", "null"]));
    let required = schema["required"].as_array().expect("a list");
    assert!(required.contains(&json!("value")) && required.contains(&json!("double")));
}

/// A type whose schema is written by hand.
struct Manual;

impl JsonSchema for Manual {
    fn schema_name() -> Cow<'static, str> {
        "Manual".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Manual",
            "type": "object",
            "properties": {"all": true, "none": false, "part": {"$ref": "#/$defs/Part"}},
            "required": [],
            "not": {"properties": {"all": {"type": ["string", "null"]}}},
            "if": {"properties": {"all": {"type": ["string", "null"]}}},
            "$defs": {"Part": {"type": ["string", "null"], "title": "Part of it"}},
        })
    }
}

#[test]
fn a_hand_written_schema_is_normalised_where_that_changes_nothing() {
    let mut schemas = Schemas::new(Role::Input);
    assert_eq!(
        schemas.of::<Manual>(),
        json!({
            "type": "object",
            "properties": {
                "all": {},
                "none": {"not": {}},
                "part": {"type": "string", "title": "Part of it"},
            },
            "not": {"properties": {"all": {"type": ["string", "null"]}}},
            "if": {"properties": {"all": {"type": ["string", "null"]}}},
        })
    );
    assert!(schemas.take_definitions().is_empty());
}

#[test]
fn no_schema_carries_what_only_rust_knows() {
    for schema in [input::<Bounded>(), output::<Bounded>(), input::<Nested<u128>>(), input::<Duration>()] {
        each_object(&schema, &mut |map| {
            assert!(!map.contains_key("format") && !map.contains_key("title"), "{map:?}");
            assert!(!map.contains_key("$schema") && map.get("required") != Some(&Value::Null));
        });
    }
}

#[test]
fn the_order_is_that_of_the_declaration_every_time() {
    let text = || input::<Nested<String>>().to_string();
    let first = text();
    assert!((0..5).all(|_| text() == first));
    let place = |name: &str| first.find(&format!("\"{name}\":")).expect("is there");
    assert!(place("value") < place("list") && place("list") < place("demanded"));
}
