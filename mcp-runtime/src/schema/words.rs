//! Schemas in plain words.

use serde_json::{Map, Value};

use super::keywords::{required, types};
use super::show::cut;

/// How many values, members or alternatives are named one by one.
const NAMED: usize = 8;
/// The longest a list in words may get before it is summed up, in characters.
const LONGEST: usize = 200;

/// What a schema accepts, in plain words: "an integer from 0 to 255", "one of "a", "b"", "an
/// array of strings", "an object with `x` and `y`".
pub(crate) fn expectation(schema: &Value) -> String {
    words(schema, 0)
}

/// `depth` bounds how far alternatives inside alternatives are spelled out.
fn words(schema: &Value, depth: usize) -> String {
    let map = match schema {
        Value::Object(map) if depth < 4 => map,
        Value::Bool(false) => return "no value at all".to_owned(),
        _ => return "a value".to_owned(),
    };
    if let Some(text) = listed(map) {
        return text;
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.get(keyword)
            && !branches.is_empty()
            && !map.contains_key("properties")
        {
            return alternatives(branches, depth);
        }
    }
    if !map.contains_key("type")
        && let Some(Value::Array(parts)) = map.get("allOf")
        && let Some(first) = parts.first()
    {
        return words(first, depth + 1);
    }
    let mut kinds: Vec<String> = types(map).into_iter().map(|kind| typed(kind, map, depth)).collect();
    if kinds.is_empty() {
        kinds.push(untyped(map, depth));
    }
    join(&kinds, "or")
}

fn typed(kind: &str, map: &Map<String, Value>, depth: usize) -> String {
    match kind {
        "string" => string(map),
        "integer" | "number" => number(kind, map),
        "boolean" => "true or false".to_owned(),
        "array" => array(map, depth),
        "object" => object(map),
        "null" => "null".to_owned(),
        _ => "a value".to_owned(),
    }
}

/// A schema without `type` says what it is about by its other keywords.
fn untyped(map: &Map<String, Value>, depth: usize) -> String {
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| map.contains_key(*keyword));
    if has(&["properties", "required", "additionalProperties"]) {
        object(map)
    } else if has(&["items", "prefixItems", "minItems", "maxItems"]) {
        array(map, depth)
    } else if has(&["pattern", "minLength", "maxLength", "format"]) {
        string(map)
    } else if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
        number("number", map)
    } else if map.get("not").is_some_and(|not| not == &Value::Object(Map::new())) {
        "no value at all".to_owned()
    } else {
        "a value".to_owned()
    }
}

/// The values of `const` and `enum`.
fn listed(map: &Map<String, Value>) -> Option<String> {
    if let Some(only) = map.get("const") {
        return Some(cut(&only.to_string(), LONGEST));
    }
    let values = map.get("enum")?.as_array()?;
    let texts: Vec<String> = values.iter().map(|value| cut(&value.to_string(), 40)).collect();
    if let [only] = texts.as_slice() {
        return Some(only.clone());
    }
    Some(format!("one of {}", some(&texts, ", ")))
}

/// The first of `texts`, and how many there are if these are not all.
fn some(texts: &[String], between: &str) -> String {
    let mut shown = String::new();
    for (index, text) in texts.iter().enumerate() {
        let fits = shown.chars().count() + text.chars().count() <= LONGEST;
        if index > 0 && (index >= NAMED && texts.len() > NAMED + 2 || !fits) {
            return format!("{shown}{between}… ({} in all)", texts.len());
        }
        if index > 0 {
            shown.push_str(between);
        }
        shown.push_str(text);
    }
    shown
}

fn alternatives(branches: &[Value], depth: usize) -> String {
    let mut texts: Vec<String> = Vec::new();
    for branch in branches {
        let text = words(branch, depth + 1);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let all = join(&texts, "or");
    if all.chars().count() <= LONGEST {
        return all;
    }
    format!("one of {} forms: {}", texts.len(), some(&texts, "; "))
}

/// "a", "a or b", "a, b or c".
fn join(texts: &[String], word: &str) -> String {
    match texts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

fn string(map: &Map<String, Value>) -> String {
    let mut text = match map.get("format").and_then(Value::as_str) {
        Some(format) => formatted(format),
        None => "a string".to_owned(),
    };
    if let Some(size) = size(map, "minLength", "maxLength", "character", "characters") {
        text = format!("{text} of {size}");
    }
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
        text = format!("{text} matching `{}`", cut(pattern, 80));
    }
    text
}

fn formatted(format: &str) -> String {
    let text = match format {
        "date-time" => "a date and time such as \"2026-01-31T12:00:00Z\"",
        "date" => "a date such as \"2026-01-31\"",
        "time" => "a time such as \"12:00:00Z\"",
        "duration" => "a duration such as \"PT1H30M\"",
        "email" | "idn-email" => "an e-mail address",
        "hostname" | "idn-hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" | "iri" => "an absolute URI",
        "uri-reference" | "iri-reference" => "a URI or relative reference",
        "uri-template" => "a URI template",
        "uuid" => "a UUID",
        "json-pointer" => "a JSON Pointer",
        "relative-json-pointer" => "a relative JSON Pointer",
        "regex" => "a regular expression",
        other => return format!("a string in the format `{}`", cut(other, 40)),
    };
    text.to_owned()
}

fn number(kind: &str, map: &Map<String, Value>) -> String {
    let mut text = if kind == "integer" { "an integer" } else { "a number" }.to_owned();
    let bound = |keyword| map.get(keyword).filter(|bound| bound.is_number());
    match (bound("minimum"), bound("maximum")) {
        (Some(low), Some(high)) => text = format!("{text} from {low} to {high}"),
        (Some(low), None) => text = format!("{text} of at least {low}"),
        (None, Some(high)) => text = format!("{text} of at most {high}"),
        (None, None) => {}
    }
    let more = [
        bound("exclusiveMinimum").map(|low| format!("greater than {low}")),
        bound("exclusiveMaximum").map(|high| format!("less than {high}")),
        bound("multipleOf").map(|step| format!("divisible by {step}")),
        map.get("not").and_then(|not| not.get("const")).map(|not| format!("other than {not}")),
    ];
    let more: Vec<String> = more.into_iter().flatten().collect();
    if more.is_empty() {
        return text;
    }
    format!("{text} {}", join(&more, "and"))
}

/// "exactly 2 items", "1 to 5 items", "at least 1 item".
fn size(map: &Map<String, Value>, low: &str, high: &str, one: &str, many: &str) -> Option<String> {
    let low = map.get(low).and_then(Value::as_u64).filter(|low| *low > 0);
    let high = map.get(high).and_then(Value::as_u64);
    let unit = |count| if count == 1 { one } else { many };
    Some(match (low, high) {
        (Some(low), Some(high)) if low == high => format!("exactly {low} {}", unit(low)),
        (Some(low), Some(high)) => format!("{low} to {high} {}", unit(high)),
        (Some(low), None) => format!("at least {low} {}", unit(low)),
        (None, Some(high)) => format!("at most {high} {}", unit(high)),
        (None, None) => return None,
    })
}

fn array(map: &Map<String, Value>, depth: usize) -> String {
    if let Some(Value::Array(places)) = map.get("prefixItems") {
        let places: Vec<String> = places.iter().map(|place| words(place, depth + 1)).collect();
        let all = join(&places, "and");
        if all.chars().count() <= LONGEST {
            return format!("an array of {all}");
        }
        return format!("an array of {} items", places.len());
    }
    let (one, many) = map.get("items").map_or(("item", "items"), plural);
    let mut text = match size(map, "minItems", "maxItems", one, many) {
        Some(size) => format!("an array of {size}"),
        None if many == "items" => "an array".to_owned(),
        None => format!("an array of {many}"),
    };
    if map.get("uniqueItems") == Some(&Value::Bool(true)) {
        text.push_str(" without duplicates");
    }
    text
}

/// A name for one and for many values of a schema.
fn plural(schema: &Value) -> (&'static str, &'static str) {
    let Value::Object(map) = schema else {
        return ("item", "items");
    };
    match types(map).as_slice() {
        ["string"] if !map.contains_key("enum") => ("string", "strings"),
        ["integer"] => ("integer", "integers"),
        ["number"] => ("number", "numbers"),
        ["boolean"] => ("boolean", "booleans"),
        ["object"] => ("object", "objects"),
        ["array"] => ("array", "arrays"),
        _ => ("item", "items"),
    }
}

fn object(map: &Map<String, Value>) -> String {
    let required = required(map);
    let properties = map.get("properties").and_then(Value::as_object);
    let member = |name: &&str| {
        let name = cut(name, 40);
        let fixed =
            properties.and_then(|properties| properties.get(name.as_str())).and_then(|property| property.get("const"));
        match fixed {
            Some(value) => format!("`{name}` {}", cut(&value.to_string(), 40)),
            None => format!("`{name}`"),
        }
    };
    let names: Vec<String> = required.iter().map(member).collect();
    let values = map.get("additionalProperties").map(plural);
    let size = size(map, "minProperties", "maxProperties", "member", "members");
    let counted = size.map_or_else(|| "an object".to_owned(), |size| format!("an object of {size}"));
    match (names.len(), values) {
        (0, Some((_, many))) if many != "items" => format!("{counted} whose values are {many}"),
        (0, _) => counted,
        (1..=NAMED, _) => format!("{counted} with {}", join(&names, "and")),
        _ => format!("{counted} with {}", some(&names, ", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::expectation;

    fn check(cases: &[(Value, &str)]) {
        for (schema, text) in cases {
            assert_eq!(&expectation(schema), text, "{schema}");
        }
    }

    #[test]
    fn scalars() {
        check(&[
            (json!({}), "a value"),
            (json!(true), "a value"),
            (json!({"not": {}}), "no value at all"),
            (json!({"type": "boolean"}), "true or false"),
            (json!({"type": "null"}), "null"),
            (json!({"type": ["string", "null"]}), "a string or null"),
            (json!({"type": "integer", "minimum": 0, "maximum": 255}), "an integer from 0 to 255"),
            (json!({"type": "integer", "minimum": 0}), "an integer of at least 0"),
            (json!({"type": "integer", "not": {"const": 0}}), "an integer other than 0"),
            (
                json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "multipleOf": 0.1}),
                "a number greater than 0, less than 1 and divisible by 0.1",
            ),
        ]);
    }

    #[test]
    fn strings() {
        check(&[
            (json!({"type": "string"}), "a string"),
            (json!({"type": "string", "minLength": 1, "maxLength": 1}), "a string of exactly 1 character"),
            (json!({"type": "string", "minLength": 3}), "a string of at least 3 characters"),
            (
                json!({"type": "string", "minLength": 0, "maxLength": 9, "pattern": "^a"}),
                "a string of at most 9 characters matching `^a`",
            ),
            (json!({"type": "string", "format": "ipv4"}), "an IPv4 address"),
        ]);
    }

    #[test]
    fn lists_of_values() {
        check(&[
            (json!({"type": "string", "enum": ["a", "b"]}), "one of \"a\", \"b\""),
            (json!({"const": 5}), "5"),
            (json!({"enum": ["a", null]}), "one of \"a\", null"),
            (json!({"enum": (0..50).collect::<Vec<_>>()}), "one of 0, 1, 2, 3, 4, 5, 6, 7, … (50 in all)"),
        ]);
    }

    #[test]
    fn arrays() {
        check(&[
            (json!({"type": "array", "items": {"type": "string"}}), "an array of strings"),
            (json!({"type": "array", "items": {}}), "an array"),
            (
                json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
                "an array of exactly 2 numbers",
            ),
            (
                json!({"type": "array", "items": {}, "minItems": 1, "uniqueItems": true}),
                "an array of at least 1 item without duplicates",
            ),
            (
                json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}),
                "an array of a string and an integer",
            ),
        ]);
    }

    #[test]
    fn objects() {
        let wide: Vec<String> = (0..30).map(|n| format!("m{n}")).collect();
        check(&[
            (json!({"type": "object", "properties": {"a": {}}}), "an object"),
            (json!({"type": "object", "required": ["x", "y"]}), "an object with `x` and `y`"),
            (json!({"properties": {"x": {}}, "required": ["x"]}), "an object with `x`"),
            (
                json!({"type": "object", "additionalProperties": {"type": "string"}}),
                "an object whose values are strings",
            ),
            (
                json!({"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1}),
                "an object of at least 1 member whose values are strings",
            ),
            (
                json!({"type": "object", "properties": {"kind": {"const": "dot"}}, "required": ["kind"]}),
                "an object with `kind` \"dot\"",
            ),
            (
                json!({"type": "object", "required": wide}),
                "an object with `m0`, `m1`, `m2`, `m3`, `m4`, `m5`, `m6`, `m7`, … (30 in all)",
            ),
        ]);
    }

    #[test]
    fn alternatives() {
        check(&[
            (json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "string"}]}), "a string or an integer"),
            (
                json!({"oneOf": [{"type": "object", "required": ["a"]}, {"enum": ["x", "y"]}]}),
                "an object with `a` or one of \"x\", \"y\"",
            ),
            (json!({"allOf": [{"type": "string"}]}), "a string"),
        ]);
    }

    #[test]
    fn words_stay_bounded() {
        let mut nested = json!({"type": "string"});
        for n in 0..20 {
            let wide: Vec<Value> = (0..9)
                .map(|m| json!({"type": "object", "required": [format!("a{n}_{m}_{}", "x".repeat(99))]}))
                .chain([nested])
                .collect();
            nested = json!({"anyOf": wide});
        }
        for schema in [
            nested,
            json!({"enum": (0..999).map(|n| format!("{n}{}", "y".repeat(999))).collect::<Vec<_>>()}),
            json!({"type": "string", "pattern": "z".repeat(9999)}),
            json!({"const": "c".repeat(9999)}),
        ] {
            let text = expectation(&schema);
            assert!(text.chars().count() < 600, "{text}");
        }
    }
}
