//! What `#[arg(...)]` adds to a schema: whether it can be said of the type, and how it is written down.

use schemars::Schema;
use schemars::transform::Transform;
use serde::Serialize;
use serde_json::{Map, Value};

use super::keywords::{each_child_mut, types};
use super::normalize::is_set;
use super::numbers::SAFE;

/// The keyword under which the schema of a field carries what is wrong with its options, until
/// [`take_misfits`] finds it. No sound schema has it.
const MISFIT: &str = "x-mcp-misfit";

/// Options of `#[arg(...)]`: the keyword of JSON Schema, the option, the JSON types that the
/// keyword speaks of, and how these are called.
const OPTIONS: [(&str, &str, &[&str], &str); 11] = [
    ("minimum", "min", &["integer", "number"], "numbers"),
    ("maximum", "max", &["integer", "number"], "numbers"),
    ("minLength", "min_length", &["string"], "texts"),
    ("maxLength", "max_length", &["string"], "texts"),
    ("pattern", "pattern", &["string"], "texts"),
    ("format", "format", &["string"], "texts"),
    ("minItems", "min_items", &["array"], "lists, sets and maps"),
    ("maxItems", "max_items", &["array"], "lists, sets and maps"),
    ("minProperties", "min_items", &["object"], "lists, sets and maps"),
    ("maxProperties", "max_items", &["object"], "lists, sets and maps"),
    ("enum", "enum", &["string", "integer", "number"], "texts and integers"),
];

/// Adds a constraint to the schema of an argument or a field. The answer is what is wrong with it:
/// validators would pass over the keyword, or no value fits, or the type does not hold what the
/// keyword allows.
pub(crate) fn constrain(schema: &mut Value, keyword: &str, value: impl Serialize) -> Option<String> {
    let value = serde_json::to_value(value).unwrap_or_default();
    // The items of a map are its members.
    let keyword = match keyword {
        "minItems" if is_map(schema) => "minProperties",
        "maxItems" if is_map(schema) => "maxProperties",
        keyword => keyword,
    };
    let misfit = misfit(schema, keyword, &value);
    if misfit.is_none() {
        if keyword == "minItems" && schema.as_object().is_some_and(is_set) {
            count_distinct(schema);
        }
        set(schema, keyword, value);
    }
    misfit
}

/// Says that items differ, so that a set has as many as were counted. Behind `items`, where the mark of a Rust set does
/// not stand, it is published and enforced.
pub(crate) fn count_distinct(schema: &mut Value) {
    if let Value::Object(map) = schema {
        map.shift_remove("uniqueItems");
        map.insert("uniqueItems".to_owned(), true.into());
    }
}

/// Adds an example value.
pub(crate) fn exemplify(schema: &mut Value, example: impl Serialize) {
    let example = serde_json::to_value(example).unwrap_or(Value::Null);
    set(
        schema,
        "examples",
        match schema.get("examples") {
            Some(Value::Array(before)) => [before.as_slice(), &[example]].concat(),
            _ => vec![example],
        },
    );
}

/// Sets a member of a schema; a schema that is not an object (`true`) becomes one first.
pub(crate) fn set(schema: &mut Value, keyword: &str, value: impl Serialize) {
    if !schema.is_object() {
        *schema = Value::Object(Map::new());
    }
    if let (Value::Object(schema), Ok(value)) = (schema, serde_json::to_value(value)) {
        schema.insert(keyword.to_owned(), value);
    }
}

fn is_map(schema: &Value) -> bool {
    let map = schema.as_object().filter(|map| types(map).contains(&"object"));
    map.is_some_and(|map| !map.contains_key("properties"))
}

fn misfit(schema: &Value, keyword: &str, value: &Value) -> Option<String> {
    let (_, option, wanted, called) = OPTIONS.iter().find(|(known, ..)| *known == keyword)?;
    if !may_be(schema, wanted) {
        return Some(format!("`{option}` is for {called}"));
    }
    match value {
        Value::Array(values) => values.iter().find_map(|value| unlisted(schema, value)),
        _ => unbounded(schema, keyword, option, value),
    }
}

/// Whether values of one of these JSON types are among those of the schema. References, and
/// schemas that say nothing of the form, may be anything.
fn may_be(schema: &Value, wanted: &[&str]) -> bool {
    let Value::Object(map) = schema else { return true };
    let types = types(map);
    if !types.is_empty() {
        return types.iter().any(|name| wanted.contains(name));
    }
    ["anyOf", "oneOf"].iter().all(|keyword| match map.get(*keyword) {
        Some(Value::Array(branches)) => branches.iter().any(|branch| may_be(branch, wanted)),
        _ => true,
    })
}

/// Whether the type cannot hold a value of `enum`.
fn unlisted(schema: &Value, value: &Value) -> Option<String> {
    let wanted: &[&str] = if value.is_string() { &["string"] } else { &["integer", "number"] };
    if !may_be(schema, wanted) {
        return Some(format!("the type holds no such value as {value} of `enum`"));
    }
    let own = schema.get("enum").and_then(Value::as_array);
    let beyond = |keyword: &str, more: fn(f64, f64) -> bool| {
        schema.get(keyword).and_then(Value::as_f64).zip(value.as_f64()).is_some_and(|(own, new)| more(new, own))
    };
    let is_out = own.is_some_and(|own| !own.contains(value))
        || beyond("minimum", |new, own| new < own)
        || beyond("maximum", |new, own| new > own);
    is_out.then(|| format!("the type holds no such value as {value} of `enum`"))
}

/// Whether a bound is beyond what the type holds, or leaves nothing of it, or cannot be published.
fn unbounded(schema: &Value, keyword: &str, option: &str, value: &Value) -> Option<String> {
    let new = value.as_f64()?;
    #[expect(clippy::cast_precision_loss, reason = "exact, that is its point")]
    if new.abs() > SAFE as f64 {
        return Some(format!("`{option} = {value}` is beyond {SAFE}, the last integer that every client can read"));
    }
    let is_least = keyword.starts_with("min");
    let opposite = if is_least { keyword.replacen("min", "max", 1) } else { keyword.replacen("max", "min", 1) };
    let own = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let beyond = |new: f64, own: f64| if is_least { new < own } else { new > own };
    if own(keyword).is_some_and(|own| beyond(new, own)) {
        return Some(format!("`{option} = {value}` is beyond what its type holds, {}", schema[keyword]));
    }
    if own(&opposite).is_some_and(|other| beyond(other, new)) {
        return Some(format!("no value fits `{option} = {value}`: its {opposite} is {}", schema[&opposite]));
    }
    None
}

/// The options of a field of an `#[mcp_type]`: expansions hand them to schemars, which applies them
/// to the schema of the field's type.
#[derive(Debug, Default)]
pub struct FieldOptions {
    constraints: Vec<(&'static str, Value)>,
    examples: Vec<Value>,
}

impl FieldOptions {
    /// No options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a constraint: a keyword of JSON Schema and its value.
    #[must_use]
    pub fn set(mut self, keyword: &'static str, value: impl Serialize) -> Self {
        self.constraints.push((keyword, serde_json::to_value(value).unwrap_or_default()));
        self
    }

    /// Adds an example value.
    #[must_use]
    pub fn example(mut self, example: impl Serialize) -> Self {
        self.examples.push(serde_json::to_value(example).unwrap_or_default());
        self
    }
}

impl Transform for FieldOptions {
    fn transform(&mut self, schema: &mut Schema) {
        let mut changed = schema.as_value().clone();
        let constraints = self.constraints.iter();
        let misfits: Vec<String> =
            constraints.filter_map(|(keyword, value)| constrain(&mut changed, keyword, value)).collect();
        for example in &self.examples {
            exemplify(&mut changed, example);
        }
        if !misfits.is_empty() {
            set(&mut changed, MISFIT, misfits);
        }
        if let Ok(changed) = Schema::try_from(changed) {
            *schema = changed;
        }
    }
}

/// Takes what is wrong with the options of fields out of a schema, each with the field's path.
pub(super) fn take_misfits(schema: &mut Value, misfits: &mut Vec<String>) {
    take_below(schema, "", misfits);
}

fn take_below(schema: &mut Value, path: &str, misfits: &mut Vec<String>) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::Array(found)) = map.shift_remove(MISFIT) {
        let texts = found.iter().filter_map(Value::as_str).map(|text| match path {
            "" => text.to_owned(),
            _ => format!("`{path}`: {text}"),
        });
        misfits.extend(texts);
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for (name, property) in properties {
            take_below(property, &super::member(path, name), misfits);
        }
    }
    each_child_mut(map, |keyword, child| {
        if keyword != "properties" {
            take_below(child, path, misfits);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn misfit(schema: &Value, keyword: &str, value: &Value) -> Option<String> {
        constrain(&mut schema.clone(), keyword, value)
    }

    #[test]
    fn keywords_are_for_types() {
        let text = json!({"type": "string"});
        let number = json!({"type": ["integer", "null"]});
        let list = json!({"type": "array", "items": {}});
        let map = json!({"type": "object", "additionalProperties": {}});
        let either = json!({"anyOf": [{"type": "null"}, {"type": "number"}]});
        for (schema, keyword, fits) in [
            (&text, "minimum", false),
            (&text, "minItems", false),
            (&text, "maxLength", true),
            (&number, "maximum", true),
            (&number, "pattern", false),
            (&list, "maxItems", true),
            (&list, "minLength", false),
            (&map, "minItems", true),
            (&json!({"type": "object", "properties": {}}), "minItems", false),
            (&either, "minimum", true),
            (&either, "pattern", false),
            (&json!({"$ref": "#/$defs/A"}), "pattern", true),
            (&json!({}), "minimum", true),
            (&json!(true), "minimum", true),
            (&text, "x-anything", true),
        ] {
            assert_eq!(misfit(schema, keyword, &json!(1)).is_none(), fits, "{keyword} of {schema}");
        }
        assert_eq!(misfit(&text, "minimum", &json!(1)).as_deref(), Some("`min` is for numbers"));
    }

    #[test]
    fn the_items_of_a_map_are_its_members() {
        let mut map = json!({"type": "object", "additionalProperties": {}});
        assert_eq!(constrain(&mut map, "minItems", 1), None);
        assert_eq!(constrain(&mut map, "maxItems", 2), None);
        assert_eq!(map, json!({"type": "object", "additionalProperties": {}, "minProperties": 1, "maxProperties": 2}));
    }

    #[test]
    fn bounds_are_within_the_type_and_leave_something_of_it() {
        let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
        for (keyword, value, wanted) in [
            ("maximum", json!(100), None),
            ("minimum", json!(0), None),
            ("maximum", json!(300), Some("`max = 300` is beyond what its type holds, 255")),
            ("minimum", json!(-1), Some("`min = -1` is beyond what its type holds, 0")),
            ("minimum", json!(256), Some("no value fits `min = 256`: its maximum is 255")),
            ("enum", json!([0, 255]), None),
            ("enum", json!([0, 256]), Some("the type holds no such value as 256 of `enum`")),
            ("enum", json!(["a"]), Some("the type holds no such value as \"a\" of `enum`")),
        ] {
            assert_eq!(misfit(&byte, keyword, &value).as_deref(), wanted, "{keyword} {value}");
        }
        let long = misfit(&json!({"type": "integer"}), "maximum", &json!(u64::MAX));
        assert!(long.is_some_and(|text| text.contains("beyond 9007199254740991")));
        let names = json!({"type": "string", "enum": ["a", "b"]});
        assert_eq!(misfit(&names, "enum", &json!(["a"])), None);
        assert!(misfit(&names, "enum", &json!(["c"])).is_some());
    }

    #[test]
    fn misfits_of_fields_are_found_with_their_paths() {
        let mut schema = json!({"type": "object", "properties": {
            "a": {"type": "array", "items": {"type": "object", "properties": {
                "b": {"type": "string", MISFIT: ["`min` is for numbers"]},
            }}},
        }});
        let mut misfits = Vec::new();
        take_misfits(&mut schema, &mut misfits);
        assert_eq!(misfits, ["`a.b`: `min` is for numbers"]);
        assert!(!schema.to_string().contains(MISFIT));
    }
}
