//! What is published is what is enforced: for types without constraints of their own, a value fits
//! the published schema exactly if it decodes, and what encodes fits.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::{NonZeroI32, NonZeroU8};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{Role, Schemas, Validator, object, with_definitions};
use super::enums::{Mixed, Plain, Shape, Status};
use super::refs::Tree;

/// Values of all kinds, each near to what some of the types take.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(255),
        json!(256),
        json!(-128),
        json!(-129),
        json!(65_536),
        json!(4_294_967_295_u64),
        json!(4_294_967_296_u64),
        json!(-2_147_483_649_i64),
        json!(1.5),
        json!(""),
        json!("a"),
        json!("é"),
        json!("ab"),
        json!("A"),
        json!("Unit"),
        json!("open"),
        json!([]),
        json!([1]),
        json!([1, 1]),
        json!([1, "a"]),
        json!([1, "a", 1]),
        json!([null]),
        json!(["A", "B"]),
        json!({}),
        json!({"a": 1}),
        json!({"1": "A"}),
        json!({"A": 1}),
        json!({"Number": 1}),
        json!({"Number": 1, "Unit": 1}),
        json!({"Members": {"text": "a"}}),
        json!({"Members": {"text": null}}),
        json!({"Members": {"text": 1}}),
        json!({"kind": "circle", "radius": 1.5}),
        json!({"kind": "circle", "radius": 1.5, "label": null}),
        json!({"kind": "circle"}),
        json!({"kind": "dot", "more": 1}),
        json!({"kind": "cube"}),
        json!({"name": "a", "kids": [{"name": "b", "kids": [], "next": null}]}),
        json!({"name": "a", "kids": [null]}),
        json!({"id": 1, "kind": "square", "side": 1}),
        json!({"id": 1, "extra": [1, 2]}),
        json!({"id": 1, "extra": null, "unknown": 1}),
        json!({"secs": 1, "nanos": 1}),
        json!({"Ok": 1}),
        json!({"Err": "a"}),
        json!({"t": "One", "c": "A"}),
        json!({"t": "Two"}),
    ]
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    id: u8,
    extra: Option<(u8, i8)>,
    #[serde(default)]
    more: BTreeSet<u8>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(Plain),
    Two,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Number(u8),
    Members { a: u8 },
}

/// Checks a type as an argument that may be left out and as one that may not.
fn agrees<T: JsonSchema + DeserializeOwned + Serialize>() {
    let name = std::any::type_name::<T>();
    let mut schemas = Schemas::new(Role::Input);
    let schema = schemas.of::<T>();
    assert!(!schemas.constrained(), "{name}");
    let members = [("v".to_owned(), schema)].into_iter().collect();
    let root = object(members, vec!["v".to_owned()], schemas.take_definitions(), true);
    let arguments = Validator::new(&root).expect("a usable schema");

    let mut schemas = Schemas::new(Role::Output);
    let result = schemas.of::<T>();
    let result = with_definitions(result, schemas.take_definitions());
    let result = Validator::new(&result).expect("a usable schema");

    for value in values() {
        let decoded = serde_json::from_value::<T>(value.clone());
        let published = arguments.is_valid(&json!({ "v": value }));
        assert_eq!(published, decoded.is_ok(), "{name}: {value} against {root}");
        let problems = arguments.problems(&json!({ "v": value }));
        assert_eq!(problems.is_empty(), published, "{name}: {value} {problems:?}");
        if let Ok(decoded) = decoded {
            let encoded = serde_json::to_value(&decoded).expect("encodes");
            assert!(result.is_valid(&encoded), "{name}: {encoded}");
        }
    }
}

#[test]
fn numbers() {
    agrees::<u8>();
    agrees::<i8>();
    agrees::<u16>();
    agrees::<u32>();
    agrees::<i32>();
    agrees::<u64>();
    agrees::<i64>();
    agrees::<f64>();
    agrees::<NonZeroU8>();
    agrees::<NonZeroI32>();
    agrees::<Option<u8>>();
}

#[test]
fn texts_and_names() {
    agrees::<String>();
    agrees::<char>();
    agrees::<Option<char>>();
    agrees::<bool>();
    agrees::<()>();
    agrees::<Plain>();
    agrees::<Option<Plain>>();
    agrees::<Status>();
    agrees::<Value>();
}

#[test]
fn collections() {
    agrees::<Vec<u8>>();
    agrees::<Vec<Option<u8>>>();
    agrees::<BTreeSet<u8>>();
    agrees::<(u8, u8)>();
    agrees::<(u8, String)>();
    agrees::<[u8; 2]>();
    agrees::<HashMap<String, u8>>();
    agrees::<BTreeMap<Plain2, u8>>();
}

#[derive(JsonSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Plain2 {
    A,
    B,
}

#[test]
fn types_of_an_author() {
    agrees::<Mixed>();
    agrees::<Option<Mixed>>();
    agrees::<Shape>();
    agrees::<Adjacent>();
    agrees::<Untagged>();
    agrees::<Tree>();
    agrees::<Flat>();
    agrees::<Closed>();
    agrees::<Result<u8, String>>();
}

#[test]
fn every_format_that_is_published_is_enforced() {
    for (format, wrong) in [
        ("date-time", "2026-01-31"),
        ("date", "31.01.2026"),
        ("time", "noon"),
        ("duration", "1h"),
        ("email", "a"),
        ("idn-email", "a"),
        ("hostname", "a b"),
        ("idn-hostname", "a b"),
        ("ipv4", "1.2.3"),
        ("ipv6", "1.2.3.4"),
        ("uri", "a"),
        ("uri-reference", "a b"),
        ("iri", "a"),
        ("iri-reference", "a b"),
        ("uuid", "1"),
        ("uri-template", "{"),
        ("json-pointer", "a"),
        ("relative-json-pointer", "a"),
        ("regex", "("),
    ] {
        assert!(super::super::numbers::is_standard(format), "{format}");
        let validator = Validator::new(&json!({"type": "string", "format": format})).expect("a usable schema");
        assert!(!validator.is_valid(&json!(wrong)), "{format}: {wrong}");
    }
}
