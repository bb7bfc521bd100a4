//! The types of arguments in a few characters, for tables: `integer`, `string[]`, `red|green`.

use super::schemas::{Root, branches, listed, types};
use serde_json::{Map, Value};

/// How many values or alternatives are named.
const NAMED: usize = 4;
/// The longest list of values that is spelled out, in characters.
const LONGEST: usize = 32;
/// How deep types inside of types are spelled out.
const DEEPEST: usize = 3;

/// The arguments of a tool, one text each: `a: integer`, `limit: integer = 20`, `tag?: string`.
pub(super) fn arguments(input_schema: &Value) -> Vec<String> {
    let root = Root(input_schema);
    let required = input_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|required| required == name));
    let argument = |(name, schema): (&String, &Value)| {
        let kind = brief(root, schema, 0);
        match schema.get("default") {
            Some(default) => format!("{name}: {kind} = {}", literal(default)),
            None if is_required(name) => format!("{name}: {kind}"),
            None => format!("{name}?: {kind}"),
        }
    };
    let properties = input_schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(argument).collect()
}

fn brief<'s>(root: Root<'s>, schema: &'s Value, depth: usize) -> String {
    let map = match root.resolve(schema) {
        Value::Object(map) if depth <= DEEPEST => map,
        _ => return "any".to_owned(),
    };
    if let Some(values) = listed(map) {
        return values_of(values);
    }
    let kinds: Vec<String> = match (types(map), branches(map)) {
        (kinds, []) if kinds.is_empty() => {
            let first = map.get("allOf").and_then(Value::as_array).and_then(|parts| parts.first());
            return first.map_or_else(|| "any".to_owned(), |first| brief(root, first, depth + 1));
        }
        (kinds, branches) if kinds.is_empty() => branches.iter().map(|branch| brief(root, branch, depth + 1)).collect(),
        (kinds, _) => kinds.into_iter().map(|kind| typed(root, kind, map, depth)).collect(),
    };
    alternatives(kinds)
}

fn typed<'s>(root: Root<'s>, kind: &str, map: &'s Map<String, Value>, depth: usize) -> String {
    match (kind, map.get("items")) {
        ("array", Some(items)) => match brief(root, items, depth + 1) {
            item if item.contains('|') => format!("({item})[]"),
            item => format!("{item}[]"),
        },
        _ => kind.to_owned(),
    }
}

fn alternatives(mut kinds: Vec<String>) -> String {
    let mut seen = Vec::new();
    kinds.retain(|kind| {
        let new = !seen.contains(kind);
        seen.push(kind.clone());
        new
    });
    if kinds.len() > NAMED {
        kinds.truncate(NAMED);
        kinds.push("…".to_owned());
    }
    kinds.join("|")
}

fn values_of(values: &[Value]) -> String {
    let texts = values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let mut shown = String::new();
    for (index, text) in texts.enumerate() {
        if index >= NAMED || shown.chars().count() + text.chars().count() > LONGEST {
            shown.push_str(if index == 0 { "…" } else { "|…" });
            break;
        }
        if index > 0 {
            shown.push('|');
        }
        shown.push_str(&text);
    }
    shown
}

/// A default, unless it is too long for a table.
fn literal(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > LONGEST { "…".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_show_whether_they_are_needed() {
        let schema = json!({
            "properties": {
                "directory": {"type": "string"},
                "limit": {"type": "integer", "default": 20},
                "tag": {"type": "string"},
                "long": {"type": "string", "default": "x".repeat(40)},
            },
            "required": ["directory"],
        });
        let expected = ["directory: string", "limit: integer = 20", "tag?: string", "long: string = …"];
        assert_eq!(arguments(&schema), expected);
        assert!(arguments(&json!({"type": "object", "properties": {}})).is_empty());
    }

    #[test]
    fn types_are_short() {
        let root = json!({"$defs": {"Tree": {"type": "object", "properties": {"sub": {"$ref": "#/$defs/Tree"}}}}});
        for (schema, text) in [
            (json!(true), "any"),
            (json!({}), "any"),
            (json!({"type": "array", "items": {"type": "string"}}), "string[]"),
            (json!({"type": "array", "items": {"type": ["string", "null"]}}), "(string|null)[]"),
            (json!({"type": "array"}), "array"),
            (json!({"$ref": "#/$defs/Tree"}), "object"),
            (json!({"enum": ["red", "green"]}), "red|green"),
            (json!({"enum": ["a", "b", "c", "d", "e"]}), "a|b|c|d|…"),
            (json!({"enum": ["x".repeat(99)]}), "…"),
            (json!({"const": 1}), "1"),
            (json!({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "integer"}]}), "integer|string"),
            (json!({"allOf": [{"type": "integer"}, {"minimum": 1}]}), "integer"),
        ] {
            let root = json!({"$defs": root["$defs"], "properties": {"x": schema}, "required": ["x"]});
            assert_eq!(arguments(&root), [format!("x: {text}")]);
        }
    }

    #[test]
    fn types_in_types_come_to_an_end() {
        let mut schema = json!({"type": "integer"});
        for _ in 0..50 {
            schema = json!({"type": "array", "items": schema});
        }
        let root = json!({"properties": {"x": schema}, "required": ["x"]});
        assert_eq!(arguments(&root), ["x: any[][][][]"]);
    }
}
