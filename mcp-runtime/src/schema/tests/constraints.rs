use std::collections::{BTreeSet, HashMap};
use std::num::{NonZeroI64, NonZeroU8};

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::super::{Role, Schemas, carries_constraints};
use super::enums::{Mixed, Plain, Shape, Status};
use super::refs::Tree;

fn constrained<T: JsonSchema + ?Sized>() -> bool {
    let mut schemas = Schemas::new(Role::Input);
    schemas.of::<T>();
    schemas.constrained()
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Everyday {
    small: u8,
    large: Option<i128>,
    list: Vec<Status>,
    map: HashMap<u16, Plain>,
    by_name: HashMap<Plain, Mixed>,
    pair: (u8, String),
    place: (f64, f64),
    set: BTreeSet<String>,
    #[serde(flatten)]
    shape: Shape,
    tree: Option<Tree>,
    any: Value,
    time: std::time::Duration,
}

#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema counts")]
struct Closed {
    tagged: Option<Adjacent>,
    result: Result<u8, String>,
}

#[derive(JsonSchema)]
#[serde(tag = "t", content = "c")]
#[expect(dead_code, reason = "only its schema counts")]
enum Adjacent {
    One(Plain),
    Two { a: Option<u8> },
    Three,
}

#[test]
fn what_decoding_checks_is_no_constraint() {
    for (is, name) in [
        (constrained::<Everyday>(), "Everyday"),
        (constrained::<Closed>(), "Closed"),
        (constrained::<Vec<Adjacent>>(), "Adjacent"),
        (constrained::<Option<Tree>>(), "Tree"),
        (constrained::<char>(), "char"),
        (constrained::<Option<Vec<char>>>(), "chars"),
        (constrained::<NonZeroU8>(), "NonZeroU8"),
        (constrained::<Option<NonZeroI64>>(), "NonZeroI64"),
        (constrained::<[f64; 3]>(), "[f64; 3]"),
        (constrained::<[[char; 2]; 3]>(), "[[char; 2]; 3]"),
        (constrained::<[u8; 0]>(), "[u8; 0]"),
        (constrained::<std::net::IpAddr>(), "IpAddr"),
    ] {
        assert!(!is, "{name}");
    }
}

macro_rules! with_attribute {
    ($($name:ident: $type:ty, $attribute:meta;)*) => {
        $(
            #[derive(JsonSchema)]
            #[expect(dead_code, reason = "only its schema counts")]
            struct $name {
                #[$attribute]
                member: $type,
            }
        )*

        #[test]
        fn what_an_author_adds_is_a_constraint() {
            $(
                assert!(constrained::<$name>(), stringify!($name));
                assert!(constrained::<Vec<Option<$name>>>(), stringify!($name));
            )*
        }
    };
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Age(u32);

with_attribute! {
    Minimum: u32, schemars(range(min = 1));
    OtherTypesRange: u32, schemars(range(min = 0, max = 255));
    OnSigned: i64, schemars(range(min = 0));
    OnNewtype: Age, schemars(range(max = 150));
    OnFloat: f64, schemars(range(min = 0.0));
    OnOption: Option<u8>, schemars(range(max = 9));
    Length: String, schemars(length(max = 5));
    One: String, schemars(length(equal = 1));
    Count: Vec<u8>, schemars(length(min = 1));
    ItemLength: Vec<String>, schemars(inner(length(min = 1)));
    Pattern: String, schemars(regex(pattern = "^a"));
    Format: String, schemars(email);
    Unique: Vec<u8>, schemars(extend("uniqueItems" = true));
    Multiple: u8, schemars(extend("multipleOf" = 2));
    Listed: String, schemars(extend("enum" = ["a", "b"]));
    ListedNumbers: u8, schemars(extend("enum" = [1, 2]));
    Constant: String, schemars(extend("const" = "a"));
    Narrowed: Plain, schemars(extend("enum" = ["A"]));
    Exclusive: i8, schemars(extend("exclusiveMinimum" = 0));
    Not: String, schemars(extend("not" = {"const": ""}));
    Conditional: Shape, schemars(extend("if" = {"required": ["label"]}));
    OneOfTwo: Tree, schemars(extend("anyOf" = [{"required": ["x"]}, {"required": ["y"]}]));
    Elsewhere: Value, schemars(extend("$ref" = "https://example.com/a.json"));
    Keys: HashMap<String, u8>, schemars(extend("propertyNames" = {"pattern": "^a"}));
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema counts")]
struct Deep {
    kids: Vec<Deep>,
    #[schemars(length(min = 1))]
    name: String,
}

#[test]
fn constraints_inside_definitions_count() {
    assert!(constrained::<Deep>());
}

#[test]
fn a_published_schema_is_judged_by_what_it_says() {
    for schema in [
        json!({}),
        json!(true),
        json!({"type": "string", "description": "d", "default": "x", "x-mcp-header": "Region"}),
        json!({"type": "integer", "minimum": 0, "maximum": 255}),
        json!({"type": "integer", "minimum": 0}),
        json!({"type": ["integer", "null"], "minimum": i32::MIN, "maximum": i32::MAX}),
        json!({"type": "string", "enum": ["a", "b"]}),
        json!({"type": ["string", "null"], "enum": ["a", null]}),
        json!({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false}),
        json!({"type": "array", "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2}),
        json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "null"}}}),
        json!({"type": "string", "minLength": 0}),
    ] {
        assert!(!carries_constraints(&schema), "{schema}");
    }
    for schema in [
        json!({"type": "integer", "minimum": 1}),
        json!({"type": "integer", "maximum": 255}),
        json!({"type": "number", "minimum": 0}),
        json!({"type": "integer", "enum": [1]}),
        json!({"enum": ["a"]}),
        json!({"type": "string", "format": "date"}),
        json!({"type": "array", "uniqueItems": true}),
        json!({"type": "array", "minItems": 1}),
        json!({"type": "array", "maxItems": 5}),
        json!({"type": "object", "required": ["a"]}),
        json!({"properties": {"a": {"items": {"minLength": 1}}}}),
        json!({"$defs": {"A": {"pattern": "a"}}}),
        json!({"anyOf": [{"type": "string"}, {"type": "string", "maxLength": 3}]}),
        json!({"patternProperties": {"^a": {}}}),
        json!({"unevaluatedProperties": false}),
        json!({"$ref": "other.json"}),
        json!({"dependentRequired": {"a": ["b"]}}),
    ] {
        assert!(carries_constraints(&schema), "{schema}");
    }
}
