//! Where schemas nest inside a schema (JSON Schema 2020-12, sections 10 and 11).

use serde_json::{Map, Value};

/// Keywords whose value is one schema.
const ONE: [&str; 12] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
    "additionalItems",
];

/// Keywords whose value is a list of schemas.
const LIST: [&str; 4] = ["prefixItems", "allOf", "anyOf", "oneOf"];

/// Keywords whose value is an object of schemas by name.
const NAMED: [&str; 5] = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/// Calls `visit` with every schema directly inside `schema` and the keyword that holds it.
pub(super) fn each_child<'a>(schema: &'a Map<String, Value>, mut visit: impl FnMut(&'a str, &'a Value)) {
    for (keyword, value) in schema {
        let name = keyword.as_str();
        match value {
            Value::Array(list) if LIST.contains(&name) => {
                list.iter().for_each(|child| visit(name, child));
            }
            Value::Object(named) if NAMED.contains(&name) => {
                named.values().for_each(|child| visit(name, child));
            }
            _ if ONE.contains(&name) => visit(name, value),
            _ => {}
        }
    }
}

/// As [`each_child`], for changing the children.
pub(super) fn each_child_mut(schema: &mut Map<String, Value>, mut visit: impl FnMut(&str, &mut Value)) {
    for (keyword, value) in schema {
        let name = keyword.as_str();
        match value {
            Value::Array(list) if LIST.contains(&name) => {
                list.iter_mut().for_each(|child| visit(name, child));
            }
            Value::Object(named) if NAMED.contains(&name) => {
                named.values_mut().for_each(|child| visit(name, child));
            }
            _ if ONE.contains(&name) => visit(name, value),
            _ => {}
        }
    }
}

/// The names in `type`; none when the schema does not restrict the type.
pub(super) fn types(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The names in `required`.
pub(super) fn required(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether values are scalars of one type, and none of a list. This takes one look at each keyword.
pub(super) fn is_one_scalar(schema: &Map<String, Value>) -> bool {
    let mut is_typed = false;
    schema.iter().all(|(keyword, value)| match keyword.as_str() {
        "type" => {
            is_typed = value.as_str().is_some_and(|name| name != "object" && name != "array");
            is_typed
        }
        "enum" | "const" | "$ref" | "anyOf" | "oneOf" | "allOf" => false,
        _ => true,
    }) && is_typed
}

/// Whether a keyword only describes and never refuses a value.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly" | "$comment"
    ) || keyword.starts_with("x-")
}
