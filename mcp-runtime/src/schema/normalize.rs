//! From what schemars writes to what every client takes.

use serde_json::{Map, Value};

use super::keywords::{each_child_mut, types};
use super::{Role, enums, nullable, numbers};

/// Brings a schema, and every schema inside it, into the published form.
pub(super) fn normalize(schema: &mut Value, role: Role) {
    visit(schema, role, true);
    as_object(schema);
}

/// `asserted` is false inside keywords such as `not` and `if`, where a narrower schema would
/// accept more values in the end.
fn visit(schema: &mut Value, role: Role, asserted: bool) {
    let Value::Object(map) = schema else { return };
    map.shift_remove("$schema");
    each_child_mut(map, |keyword, child| {
        let inside = asserted && !is_hypothetical(keyword);
        visit(child, role, inside);
        if !matches!(keyword, "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems") {
            as_object(child);
        }
    });
    enums::flatten_units(map);
    numbers::tidy(map);
    open_integer_keys(map);
    say_items(map);
    if role == Role::Input {
        drop_set_mark(map);
    }
    enums::fold(map);
    nullable::fold(map);
    if map.get("required").is_some_and(is_empty) {
        map.shift_remove("required");
    }
    if role == Role::Input && asserted {
        nullable::strip_optional(map);
    }
}

fn is_hypothetical(keyword: &str) -> bool {
    matches!(keyword, "not" | "if" | "then" | "else" | "contains" | "propertyNames" | "dependentSchemas")
}

/// Writes the schemas `true` and `false` as objects; many clients know no other kind.
fn as_object(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = Value::Object(Map::new()),
        Value::Bool(false) => *schema = serde_json::json!({ "not": {} }),
        _ => {}
    }
}

fn is_empty(list: &Value) -> bool {
    list.as_array().is_none_or(Vec::is_empty)
}

/// Whether the map is closed but for keys that are integers: a Rust map with integer keys.
pub(super) fn has_integer_keys(map: &Map<String, Value>) -> bool {
    map.get("additionalProperties") == Some(&Value::Bool(false))
        && !map.contains_key("properties")
        && map.get("patternProperties").and_then(Value::as_object).is_some_and(|patterns| {
            patterns.len() == 1 && patterns.keys().all(|key| key == r"^\d+$" || key == r"^-?\d+$")
        })
}

/// Maps with integer keys take any key in the schema: clients see nothing behind
/// `patternProperties`, and decoding refuses a key that is no integer.
fn open_integer_keys(map: &mut Map<String, Value>) {
    if !has_integer_keys(map) {
        return;
    }
    let values = match map.shift_remove("patternProperties") {
        Some(Value::Object(patterns)) => patterns.into_iter().next().map(|(_, values)| values),
        _ => None,
    };
    map.insert("additionalProperties".to_owned(), values.unwrap_or(Value::Bool(true)));
}

/// Every array says what its items are: some clients drop a tool over an array that does not.
///
/// A tuple of one type is an array of that type with a fixed length; in other tuples `items`
/// adds nothing, because `prefixItems` covers all places there are.
fn say_items(map: &mut Map<String, Value>) {
    if !types(map).contains(&"array") || map.contains_key("items") {
        return;
    }
    let items = if is_exact_tuple(map) {
        let mut distinct = distinct_places(map);
        if let [_] = distinct.as_slice() {
            map.shift_remove("prefixItems");
            distinct.remove(0)
        } else {
            serde_json::json!({ "anyOf": distinct })
        }
    } else {
        Value::Object(Map::new())
    };
    map.insert("items".to_owned(), items);
}

fn distinct_places(map: &Map<String, Value>) -> Vec<Value> {
    let mut distinct: Vec<Value> = Vec::new();
    for place in map.get("prefixItems").and_then(Value::as_array).into_iter().flatten() {
        if !distinct.contains(place) {
            distinct.push(place.clone());
        }
    }
    distinct
}

/// Whether the array has exactly as many places as it names.
pub(super) fn is_exact_tuple(map: &Map<String, Value>) -> bool {
    let places = map.get("prefixItems").and_then(Value::as_array).map(Vec::len);
    let count = |keyword| map.get(keyword).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    places.is_some() && count("minItems") == places && count("maxItems") == places
}

/// Whether `uniqueItems` comes from a Rust set, which writes it before `items`; an author's own
/// comes after.
pub(super) fn is_set(map: &Map<String, Value>) -> bool {
    let place = |wanted: &str| map.keys().position(|keyword| keyword == wanted);
    match (place("uniqueItems"), place("items")) {
        (Some(mark), Some(items)) => mark < items,
        _ => false,
    }
}

/// A Rust set takes the same item twice, so arguments do not claim otherwise.
fn drop_set_mark(map: &mut Map<String, Value>) {
    if is_set(map) {
        map.shift_remove("uniqueItems");
    }
}
