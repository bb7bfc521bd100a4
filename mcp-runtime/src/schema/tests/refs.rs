use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{Role, Schemas, refs};
use super::{each_object, output, with_definitions};

#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) struct Tree {
    pub(super) name: String,
    pub(super) kids: Vec<Tree>,
    pub(super) next: Option<Box<Tree>>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Point {
    x: f64,
    y: f64,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Line {
    /// Where it begins.
    from: Point,
    to: Point,
    through: Vec<Point>,
}

#[test]
fn a_type_used_twice_is_written_out_twice() {
    let (schema, definitions) = with_definitions::<Line>();
    assert!(definitions.is_empty());
    each_object(&schema, &mut |map| assert!(!map.contains_key("$ref"), "{map:?}"));
    assert_eq!(schema["properties"]["from"]["description"], "Where it begins.");
    assert_eq!(schema["properties"]["to"], schema["properties"]["through"]["items"]);
}

#[test]
fn a_type_that_contains_itself_refers_to_its_definition() {
    let (schema, definitions) = with_definitions::<Tree>();
    let reference = json!({"$ref": "#/$defs/Tree"});
    let tree = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "kids": {"type": "array", "items": reference},
            "next": reference,
        },
        "required": ["name", "kids"],
    });
    assert_eq!(schema, tree);
    assert_eq!(Value::Object(definitions), json!({"Tree": tree}));
    let kept = json!({"anyOf": [reference, {"type": "null"}]});
    assert_eq!(output::<Tree>()["properties"]["next"], kept);
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Expression<T> {
    value: T,
    operands: Vec<Operand<T>>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
enum Operand<T> {
    Value(T),
    Expression(Box<Expression<T>>),
}

#[test]
fn every_reference_leads_to_a_definition_and_every_definition_is_referred_to() {
    let mut schemas = Schemas::new(Role::Input);
    let mut all = vec![
        schemas.of::<Option<Expression<Point>>>(),
        schemas.of::<Vec<Tree>>(),
        schemas.of::<Expression<u8>>(),
        schemas.of::<Tree>(),
    ];
    let definitions = schemas.take_definitions();
    assert!(definitions.len() >= 3, "{definitions:?}");
    all.extend(definitions.values().cloned());
    let mut referred = Vec::new();
    for schema in &all {
        each_object(schema, &mut |map| {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                referred.push(refs::target(reference).expect("a local reference"));
            }
        });
    }
    assert!(referred.iter().all(|name| definitions.contains_key(name)), "{referred:?}");
    assert!(definitions.keys().all(|name| referred.contains(name)), "{referred:?}");
}

#[test]
fn a_definition_that_nothing_refers_to_is_dropped() {
    let mut schemas = Schemas::new(Role::Input);
    schemas.of::<Line>();
    schemas.of::<Tree>();
    let names: Vec<String> = schemas.take_definitions().keys().cloned().collect();
    assert_eq!(names, ["Tree"]);
}

#[test]
fn names_in_references_are_decoded() {
    assert_eq!(refs::target("#/$defs/Tree%3Cu8%3E").as_deref(), Some("Tree<u8>"));
    assert_eq!(refs::target("#/$defs/a~1b~0c").as_deref(), Some("a/b~c"));
    assert_eq!(refs::target("#/$defs/100%").as_deref(), Some("100%"));
    assert_eq!(refs::target("https://example.com/s.json"), None);
    assert_eq!(refs::target("#"), None);
}

#[test]
fn references_keep_what_stands_beside_them() {
    let definitions = json!({
        "Size": {"type": "integer", "minimum": 1, "description": "of the type"},
        "Outer": {"$ref": "#/$defs/Size"},
        "Loop": {"items": {"$ref": "#/$defs/Loop"}},
    });
    let definitions = definitions.as_object().expect("an object");
    for (mut schema, inlined) in [
        (
            json!({"$ref": "#/$defs/Outer", "description": "of the place"}),
            json!({"type": "integer", "minimum": 1, "description": "of the place"}),
        ),
        (
            json!({"$ref": "#/$defs/Size", "minimum": 5, "title": "T"}),
            json!({
                "allOf": [
                    {"type": "integer", "minimum": 1, "description": "of the type"},
                    {"minimum": 5},
                ],
                "title": "T",
            }),
        ),
        (json!({"$ref": "#/$defs/Loop"}), json!({"$ref": "#/$defs/Loop"})),
        (json!({"$ref": "#/$defs/Absent"}), json!({"$ref": "#/$defs/Absent"})),
    ] {
        refs::inline(&mut schema, definitions);
        assert_eq!(schema, inlined);
    }
}
