//! `null` in schemas: one spelling for it, and none where leaving a member out means the same.
//!
//! Inside of this crate that spelling is a second name in `type`, which is simple to add and to take away. Clients that know
//! one type a schema only get alternatives in the end: [`one_type_each`].

use serde_json::{Map, Value};

use super::keywords::{each_child_mut, is_annotation, required, types};
use super::refs::merge;

/// Keywords beside which `null` cannot simply be added to `type`.
const COMPOSED: [&str; 8] = ["$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if", "then", "else"];

/// Turns `anyOf: [X, null]` into X with `"null"` among its types, where X is plain enough.
pub(super) fn fold(schema: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = schema.get("anyOf") else {
        return;
    };
    let [first, second] = branches.as_slice() else {
        return;
    };
    let inner = match (is_null(first), is_null(second)) {
        (false, true) => first,
        (true, false) => second,
        _ => return,
    };
    let Value::Object(inner) = inner else { return };
    if !inner.contains_key("type") || COMPOSED.iter().any(|keyword| inner.contains_key(*keyword)) {
        return;
    }
    let mut inner = inner.clone();
    add_null(&mut inner);
    schema.shift_remove("anyOf");
    let beside = std::mem::take(schema);
    if let Value::Object(folded) = merge(Value::Object(inner), beside) {
        *schema = folded;
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
}

fn add_null(schema: &mut Map<String, Value>) {
    match schema.get_mut("type") {
        Some(Value::Array(names)) if !names.contains(&Value::from("null")) => {
            names.push("null".into());
        }
        Some(name @ Value::String(_)) => *name = Value::Array(vec![name.take(), "null".into()]),
        _ => {}
    }
    if let Some(only) = schema.get_mut("const") {
        let only = only.take();
        let members = schema
            .iter()
            .map(|(keyword, value)| match keyword.as_str() {
                "const" => ("enum".to_owned(), Value::Array(vec![only.clone(), Value::Null])),
                _ => (keyword.clone(), value.clone()),
            })
            .collect();
        *schema = members;
    } else if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
}

/// Takes `null` out of every property that may be left out.
///
/// Clients and model providers stumble over types such as `["string", "null"]`, and for an
/// argument `null` says nothing that leaving it out does not say. This holds for
/// `Option<Option<T>>` too: serde decodes `null` to the outer `None`.
pub(super) fn strip_optional(schema: &mut Map<String, Value>) {
    let required: Vec<String> = required(schema).into_iter().map(str::to_owned).collect();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            if !required.contains(name) {
                strip(property);
            }
        }
    }
}

/// Takes `null` out of the values that `schema` accepts, unless nothing else is left.
pub(super) fn strip(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    let accepted = accepts(map);
    strip_type(map);
    strip_values(map);
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = map.get_mut(keyword) else {
            continue;
        };
        if branches.iter().any(|branch| !is_null(branch)) {
            branches.retain(|branch| !is_null(branch));
        }
        branches.iter_mut().for_each(strip);
        if let [_] = branches.as_slice() {
            let only = branches.remove(0);
            map.shift_remove(keyword);
            let beside = std::mem::take(map);
            *schema = merge(only, beside);
            strip_default(schema);
            return;
        }
    }
    if accepted {
        strip_default(schema);
    }
}

fn strip_type(schema: &mut Map<String, Value>) {
    let Some(Value::Array(names)) = schema.get_mut("type") else {
        return;
    };
    if names.len() > 1 {
        names.retain(|name| name != "null");
    }
    if let [only] = names.as_mut_slice() {
        let only = only.take();
        schema.insert("type".to_owned(), only);
    }
}

fn strip_values(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
}

/// A default or example that is `null` would no longer fit the schema.
fn strip_default(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if accepts(map) {
        return;
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.shift_remove("default");
    }
    if let Some(Value::Array(examples)) = map.get_mut("examples") {
        examples.retain(|example| !example.is_null());
        if examples.is_empty() {
            map.shift_remove("examples");
        }
    }
}

/// Writes every list of types, here and below, as alternatives with one type each. What describes the whole stays outside.
pub(super) fn one_type_each(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    each_child_mut(map, |_, child| one_type_each(child));
    let Some(Value::Array(names)) = map.get("type") else { return };
    let names = names.clone();
    if names.len() < 2 || map.contains_key("anyOf") {
        return;
    }
    let (mut whole, asserted): (Map<_, _>, Map<_, _>) =
        std::mem::take(map).into_iter().partition(|(keyword, _)| is_annotation(keyword) || keyword == "$defs");
    let branches = names.iter().map(|name| branch(name, &asserted)).collect::<Vec<_>>();
    whole.insert("anyOf".to_owned(), branches.into());
    *map = whole;
}

/// What `asserted` says of values of one type; of `null` there is nothing to say.
fn branch(name: &Value, asserted: &Map<String, Value>) -> Value {
    if name == "null" {
        return serde_json::json!({ "type": "null" });
    }
    let mut branch = asserted.clone();
    branch.insert("type".to_owned(), name.clone());
    if let Some(Value::Array(values)) = branch.get_mut("enum") {
        values.retain(|value| match name.as_str() {
            Some("string") => value.is_string(),
            Some("integer" | "number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            _ => !value.is_null(),
        });
    }
    branch.into()
}

/// Whether `schema` says nothing against `null`. References are taken to refuse it.
pub(super) fn accepts(schema: &Map<String, Value>) -> bool {
    let types = types(schema);
    if !types.is_empty() && !types.contains(&"null") || schema.contains_key("$ref") {
        return false;
    }
    if schema.get("const").is_some_and(|only| !only.is_null()) {
        return false;
    }
    if let Some(Value::Array(values)) = schema.get("enum")
        && !values.contains(&Value::Null)
    {
        return false;
    }
    ["anyOf", "oneOf"].iter().all(|keyword| match schema.get(*keyword) {
        Some(Value::Array(branches)) => branches.iter().any(|branch| match branch {
            Value::Object(branch) => accepts(branch),
            other => other == &Value::Bool(true),
        }),
        _ => true,
    })
}
