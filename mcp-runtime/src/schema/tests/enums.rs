use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{describe, is_object_root, is_scalar};
use super::{input, output};

/// How far it is done.
#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Open,
    /// Waits for
    /// someone.
    Blocked,
    /** Done.

    For good. */
    Done,
    #[deprecated]
    #[schemars(title = "Lost")]
    Lost,
}

#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) enum Plain {
    A,
    B,
}

/// An enum with all kinds of variants.
#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) enum Mixed {
    Unit,
    /// Has words.
    Other,
    Number(u64),
    Members {
        text: Option<String>,
    },
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Shape {
    /// A round one.
    Circle {
        radius: f64,
        label: Option<String>,
    },
    Square {
        side: f64,
    },
    Dot,
}

#[test]
fn an_enum_without_data_is_a_list_of_names() {
    let schema = json!({
        "type": "string",
        "enum": ["open", "blocked", "done", "lost"],
        "description": "How far it is done.\n\n- `blocked`: Waits for someone.\n- `done`: Done. For good.\
                        \n- `lost`: Lost (deprecated)",
    });
    assert_eq!(input::<Status>(), schema);
    assert_eq!(output::<Status>(), schema);
    assert_eq!(input::<Plain>(), json!({"type": "string", "enum": ["A", "B"]}));
}

#[test]
fn a_nullable_enum_has_null_among_its_names() {
    for schema in [input::<Option<Status>>(), output::<Option<Status>>()] {
        assert_eq!(schema["type"], json!(["string", "null"]));
        assert_eq!(schema["enum"], json!(["open", "blocked", "done", "lost", null]));
        assert!(schema["description"].as_str().is_some_and(|text| text.contains("- `done`: Done.")));
        assert_eq!(schema.get("anyOf"), None);
    }
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Holder {
    /// Which status.
    status: Option<Status>,
    plain: Option<Plain>,
    shape: Option<Shape>,
    both: Vec<Option<Plain>>,
}

#[test]
fn an_enum_that_may_be_left_out_has_no_null() {
    let schema = input::<Holder>();
    let properties = &schema["properties"];
    assert_eq!(
        properties["status"],
        json!({
            "type": "string",
            "enum": ["open", "blocked", "done", "lost"],
            "description": "Which status.\n\n- `blocked`: Waits for someone.\n- `done`: Done. For good.\
                            \n- `lost`: Lost (deprecated)",
        })
    );
    assert_eq!(properties["plain"], json!({"type": "string", "enum": ["A", "B"]}));
    assert_eq!(properties["shape"], input::<Shape>());
    assert_eq!(properties["both"]["items"], json!({"type": ["string", "null"], "enum": ["A", "B", null]}));
}

#[test]
fn describing_a_place_keeps_the_list_of_variants() {
    for (mut schema, text) in [
        (input::<Status>(), "New.\n\n- `blocked`: Waits for someone.\n- `done`: Done."),
        (input::<Option<Status>>(), "New.\n\n- `blocked`: Waits for someone.\n- `done`: Done."),
        (input::<Plain>(), "New."),
        (json!({"description": "Old.\n\n- `a`: list"}), "New."),
        (json!({"enum": ["a"], "description": "Old.\n\nMore."}), "New."),
    ] {
        describe(&mut schema, "New.");
        let described = schema["description"].as_str().expect("words");
        assert!(described.starts_with(text) && !described.contains("Old"), "{described}");
    }
}

#[test]
fn variants_with_data_stay_alternatives() {
    assert_eq!(
        input::<Mixed>(),
        json!({
            "oneOf": [
                {"type": "string", "enum": ["Unit", "Other"], "description": "- `Other`: Has words."},
                {
                    "type": "object",
                    "properties": {"Number": {"type": "integer", "minimum": 0}},
                    "required": ["Number"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {
                        "Members": {"type": "object", "properties": {"text": {"type": "string"}}},
                    },
                    "required": ["Members"],
                    "additionalProperties": false,
                },
            ],
            "description": "An enum with all kinds of variants.",
        })
    );
    let shape = input::<Shape>();
    assert_eq!(shape["oneOf"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        shape["oneOf"][0],
        json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string", "const": "circle"},
                "radius": {"type": "number"},
                "label": {"type": "string"},
            },
            "required": ["kind", "radius"],
            "description": "A round one.",
        })
    );
}

#[test]
fn a_result_whose_forms_are_all_objects_says_so() {
    assert!(is_object_root(&output::<Shape>()));
    assert!(!is_object_root(&output::<Mixed>()));
    assert!(!is_object_root(&output::<Option<Shape>>()));
    assert!(is_object_root(&output::<std::time::Duration>()));
    assert!(!is_object_root(&output::<Vec<u8>>()) && !is_object_root(&json!({})));
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Flattened {
    id: u64,
    #[serde(flatten)]
    mixed: Mixed,
}

#[test]
fn a_flattened_variant_without_data_is_a_member() {
    let value = json!({"id": 1, "Other": null});
    assert!(serde_json::from_value::<Flattened>(value).is_ok());
    let schema = input::<Flattened>();
    let branches = schema["oneOf"].as_array().expect("alternatives");
    assert!(branches.contains(&json!({
        "type": "object",
        "properties": {"Other": {"type": "null"}},
        "required": ["Other"],
        "description": "Has words.",
    })));
    assert!(branches.iter().all(|branch| branch["type"] == "object"));
}

#[test]
fn null_stands_beside_a_type_with_alternatives() {
    for schema in [output::<Option<Flattened>>(), output::<Option<Shape>>()] {
        assert_eq!(schema["anyOf"][1], json!({"type": "null"}), "{schema}");
        assert_eq!(schema["anyOf"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn scalars_are_told_from_structures() {
    for schema in [
        output::<String>(),
        output::<f64>(),
        output::<bool>(),
        output::<()>(),
        output::<char>(),
        output::<Option<u8>>(),
        output::<Status>(),
        output::<Option<Plain>>(),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"const": 1}),
        json!({"enum": ["a", 1]}),
    ] {
        assert!(is_scalar(&schema), "{schema}");
    }
    for schema in [
        output::<Vec<u8>>(),
        output::<Option<Vec<u8>>>(),
        output::<Shape>(),
        output::<Mixed>(),
        output::<Value>(),
        json!({"$ref": "#/$defs/A"}),
        json!({"enum": [[]]}),
        json!(true),
    ] {
        assert!(!is_scalar(&schema), "{schema}");
    }
}
