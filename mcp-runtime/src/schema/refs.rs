//! `$ref`s: most clients follow none, so they stay only where a type contains itself.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::enums;
use super::keywords::{each_child, each_child_mut, is_annotation};

/// The name of the definition that a local reference points at.
pub(super) fn target(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("#/$defs/")?;
    let name = unescape(name);
    (!name.is_empty()).then_some(name)
}

/// One segment of a JSON Pointer in a URI fragment (RFC 6901, section 6) as plain text.
pub(super) fn unescape(segment: &str) -> String {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex = |byte: u8| char::from(byte).to_digit(16);
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                let value = hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0);
                bytes.push(u8::try_from(value).unwrap_or(b'%'));
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    text.replace("~1", "/").replace("~0", "~")
}

/// A JSON Pointer in a URI fragment as a plain JSON Pointer.
#[cfg(feature = "validate")]
pub(super) fn unescape_pointer(fragment: &str) -> String {
    let segments: Vec<String> =
        fragment.split('/').map(|segment| unescape(segment).replace('~', "~0").replace('/', "~1")).collect();
    segments.join("/")
}

/// Adds the names of all definitions that `schema` refers to.
pub(super) fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::String(reference)) = map.get("$ref") {
        names.extend(target(reference));
    }
    each_child(map, |_, child| collect(child, names));
}

/// Replaces every reference to a definition that does not contain itself by what it points at.
pub(super) fn inline(schema: &mut Value, definitions: &Map<String, Value>) {
    let recursive = definitions.keys().filter(|name| reaches_itself(name, definitions)).map(String::as_str).collect();
    inline_except(schema, definitions, &recursive);
}

fn reaches_itself(name: &str, definitions: &Map<String, Value>) -> bool {
    let mut reached = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        let mut names = BTreeSet::new();
        if let Some(definition) = definitions.get(&next) {
            collect(definition, &mut names);
        }
        for found in names {
            if found == name {
                return true;
            }
            if reached.insert(found.clone()) {
                open.push(found);
            }
        }
    }
    false
}

fn inline_except(schema: &mut Value, definitions: &Map<String, Value>, recursive: &BTreeSet<&str>) {
    let Value::Object(map) = schema else { return };
    let name = map.get("$ref").and_then(Value::as_str).and_then(target);
    if let Some(name) = name.filter(|name| !recursive.contains(name.as_str()))
        && let Some(definition) = definitions.get(&name)
    {
        map.shift_remove("$ref");
        let beside = std::mem::take(map);
        *schema = merge(definition.clone(), beside);
        // What came in may itself refer to others; no cycle leads back here.
        return inline_except(schema, definitions, recursive);
    }
    each_child_mut(map, |_, child| inline_except(child, definitions, recursive));
}

/// The schema that a reference and the keywords beside it stand for together. The description of
/// the place wins over that of the type; the list of an enum's variants stays.
pub(super) fn merge(target: Value, beside: Map<String, Value>) -> Value {
    let Value::Object(mut merged) = target else {
        return if beside.is_empty() || target == Value::Bool(false) { target } else { Value::Object(beside) };
    };
    let clash = beside
        .iter()
        .any(|(keyword, value)| !is_annotation(keyword) && merged.get(keyword).is_some_and(|is| is != value));
    if clash {
        let (notes, asserted): (Map<_, _>, Map<_, _>) =
            beside.into_iter().partition(|(keyword, _)| is_annotation(keyword));
        let mut both = Map::new();
        both.insert("allOf".to_owned(), Value::Array(vec![merged.into(), asserted.into()]));
        both.extend(notes);
        return Value::Object(both);
    }
    let notes = beside.contains_key("description").then(|| enums::notes(&merged)).flatten();
    merged.extend(beside);
    enums::append_notes(&mut merged, notes);
    Value::Object(merged)
}
