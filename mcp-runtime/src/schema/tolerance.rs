//! `null` for an argument that may be left out.
//!
//! The published schema does not offer it, clients send it all the same, and decoding takes it as
//! left out. So a validator looks at the arguments without such members.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::keywords::required;
use super::nullable::accepts;

/// How many references may follow each other without a step into the value.
const HOPS: usize = 16;

/// `instance` without the members that are `null`, may be left out and accept no `null`.
pub(super) fn without_nulls<'a>(root: &Value, instance: &'a Value) -> Cow<'a, Value> {
    if !holds_null(instance) {
        return Cow::Borrowed(instance);
    }
    let mut pruned = instance.clone();
    prune(root, &mut pruned, &[root]);
    Cow::Owned(pruned)
}

fn holds_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(holds_null),
        Value::Object(members) => members.values().any(holds_null),
        _ => false,
    }
}

/// `schemas` are all that may apply to `value`; a member goes only if none of them wants it.
fn prune(root: &Value, value: &mut Value, schemas: &[&Value]) {
    let mut applying = Vec::new();
    for schema in schemas {
        expand(root, schema, HOPS, &mut applying);
    }
    match value {
        Value::Object(members) => {
            members.retain(|name, member| !(member.is_null() && is_left_out(root, name, &applying)));
            for (name, member) in members {
                prune(root, member, &of_member(name, &applying));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                prune(root, item, &of_item(index, &applying));
            }
        }
        _ => {}
    }
}

/// The schema and all that it applies to the same value.
fn expand<'a>(root: &'a Value, schema: &'a Value, hops: usize, applying: &mut Vec<&'a Map<String, Value>>) {
    let (Value::Object(map), Some(hops)) = (schema, hops.checked_sub(1)) else {
        return;
    };
    // The alternatives of a recursive type lead to the same schemas over and over.
    if applying.iter().any(|known| std::ptr::eq(*known, map)) {
        return;
    }
    applying.push(map);
    if let Some(target) = resolve(root, map) {
        expand(root, target, hops, applying);
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.get(keyword) {
            for branch in branches {
                expand(root, branch, hops, applying);
            }
        }
    }
    for keyword in ["if", "then", "else"] {
        if let Some(part) = map.get(keyword) {
            expand(root, part, hops, applying);
        }
    }
}

/// What a local reference points at.
pub(super) fn resolve<'a>(root: &'a Value, schema: &Map<String, Value>) -> Option<&'a Value> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    root.pointer(&super::refs::unescape_pointer(pointer))
}

fn is_left_out(root: &Value, name: &str, schemas: &[&Map<String, Value>]) -> bool {
    let mut known = false;
    for schema in schemas {
        if required(schema).contains(&name) {
            return false;
        }
        let Some(property) = schema.get("properties").and_then(|all| all.get(name)) else {
            continue;
        };
        known = true;
        let target = property.as_object().and_then(|map| resolve(root, map));
        if target.unwrap_or(property).as_object().is_none_or(accepts) {
            return false;
        }
    }
    known
}

fn of_member<'a>(name: &str, schemas: &[&'a Map<String, Value>]) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for schema in schemas {
        let own = schema.get("properties").and_then(|all| all.get(name));
        found.extend(own.or_else(|| schema.get("additionalProperties")));
    }
    found
}

fn of_item<'a>(index: usize, schemas: &[&'a Map<String, Value>]) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for schema in schemas {
        let places = schema.get("prefixItems").and_then(Value::as_array);
        let own = places.and_then(|places| places.get(index));
        found.extend(own.or_else(|| schema.get("items")));
    }
    found
}
