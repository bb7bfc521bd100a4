//! What published schemas must be like for every real client to take them, one named rule each.

use serde_json::{Map, Value};

/// A rule over one root schema; the answer is what breaks it.
pub type Rule = fn(&Value) -> Result<(), String>;

/// For inputs and outputs.
pub const BOTH: [(&str, Rule); 9] = [
    ("it is valid under the 2020-12 meta-schema", valid),
    ("it says nothing of its dialect", without_dialect),
    ("its formats are those of JSON Schema", standard_formats),
    ("its numbers can be read by every client", safe_numbers),
    ("its references are local, resolve, and lead to recursive types only", references),
    ("no title is a name from the program", without_titles),
    ("its lists of required members name their own", required_lists),
    ("each part has one type at most", one_type),
    ("maps are open, without patterns of names", open_maps),
];

/// For inputs alone.
pub const INPUTS: [(&str, Rule); 5] = [
    ("its root is one object with properties", object_root),
    ("what may be left out has no null", no_optional_null),
    ("names without data are a list of strings", names_are_enums),
    ("there are no alternatives at the root", plain_root),
    ("arrays say what their items are", items_said),
];

const SAFE: f64 = 9_007_199_254_740_991.0;

const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Calls `look` with every schema in a schema, itself among them; data such as defaults and examples is none.
pub fn each_schema(schema: &Value, look: &mut dyn FnMut(&Map<String, Value>)) {
    let Value::Object(map) = schema else { return };
    look(map);
    for (keyword, value) in map {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(named)) => {
                named.values().for_each(|schema| each_schema(schema, look));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                list.iter().for_each(|schema| each_schema(schema, look));
            }
            ("items" | "additionalProperties" | "not" | "if" | "then" | "else" | "contains" | "propertyNames", one) => {
                each_schema(one, look);
            }
            _ => {}
        }
    }
}

/// Refuses the first part for which `broken` has something to say.
fn no_part(schema: &Value, broken: impl Fn(&Map<String, Value>) -> bool) -> Result<(), String> {
    let mut found = None;
    each_schema(schema, &mut |part| {
        if found.is_none() && broken(part) {
            found = Some(Value::from(part.clone()).to_string());
        }
    });
    found.map_or(Ok(()), Err)
}

fn valid(schema: &Value) -> Result<(), String> {
    jsonschema::draft202012::meta::validate(schema).map_err(|error| error.to_string())?;
    jsonschema::draft202012::new(schema).map(drop).map_err(|error| error.to_string())
}

fn without_dialect(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| part.contains_key("$schema") || part.contains_key("$id"))
}

fn standard_formats(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| part.get("format").is_some_and(|format| !FORMATS.iter().any(|known| format == known)))
}

fn safe_numbers(schema: &Value) -> Result<(), String> {
    fn is_safe(value: &Value) -> bool {
        match value {
            Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() <= SAFE),
            Value::Array(items) => items.iter().all(is_safe),
            Value::Object(members) => members.values().all(is_safe),
            _ => true,
        }
    }
    if is_safe(schema) { Ok(()) } else { Err(schema.to_string()) }
}

fn references(schema: &Value) -> Result<(), String> {
    let target = |part: &Map<String, Value>| part.get("$ref").and_then(Value::as_str).map(str::to_owned);
    let mut problem = Ok(());
    each_schema(schema, &mut |part| {
        let Some(reference) = target(part) else { return };
        let pointer = reference.strip_prefix('#').filter(|pointer| pointer.starts_with("/$defs/"));
        match pointer.and_then(|pointer| schema.pointer(pointer)) {
            None => problem = Err(format!("{reference} leads nowhere")),
            Some(definition) if !reaches(schema, definition, &reference, &mut Vec::new()) => {
                problem = Err(format!("{reference} is not recursive"));
            }
            Some(_) => {}
        }
    });
    let used = schema.to_string();
    for name in schema.get("$defs").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name) {
        if !used.contains(&format!("\"#/$defs/{name}\"")) {
            problem = Err(format!("nothing refers to {name}"));
        }
    }
    problem
}

/// Does a part of the schema refer to `reference`, perhaps by way of other definitions?
fn reaches(root: &Value, part: &Value, reference: &str, seen: &mut Vec<String>) -> bool {
    let mut found = Vec::new();
    each_schema(part, &mut |part| {
        found.extend(part.get("$ref").and_then(Value::as_str).map(str::to_owned));
    });
    found.into_iter().any(|next| {
        if next == reference {
            return true;
        }
        if seen.contains(&next) {
            return false;
        }
        seen.push(next.clone());
        root.pointer(&next[1..]).is_some_and(|definition| reaches(root, definition, reference, seen))
    })
}

fn without_titles(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| part.get("title").is_some_and(Value::is_string))
}

fn required_lists(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| match part.get("required") {
        None => false,
        Some(Value::Array(names)) => {
            let properties = part.get("properties").and_then(Value::as_object);
            let known = |name: &Value| properties.zip(name.as_str()).is_some_and(|(all, name)| all.contains_key(name));
            names.is_empty() || !names.iter().all(known)
        }
        Some(_) => true,
    })
}

/// Clients that translate schemas into a dialect with one type a schema drop a tool over two.
fn one_type(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| part.get("type").is_some_and(|kind| !kind.is_string()))
}

fn open_maps(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| {
        let is_map = part.get("type").is_some_and(|kind| kind == "object") && !part.contains_key("properties");
        let closed = part.get("additionalProperties") == Some(&Value::Bool(false));
        part.contains_key("patternProperties") || is_map && closed
    })
}

fn object_root(schema: &Value) -> Result<(), String> {
    let is_object = schema["type"] == "object" && schema["properties"].is_object();
    if is_object { Ok(()) } else { Err(schema.to_string()) }
}

fn has_null(schema: &Value) -> bool {
    let Value::Object(map) = schema else { return false };
    let among = |keyword: &str| match map.get(keyword) {
        Some(Value::Array(all)) => all.iter().any(|one| one == "null" || one.is_null() || has_null(one)),
        Some(one) => one == "null",
        None => false,
    };
    among("type") || among("enum") || among("anyOf") || among("oneOf")
}

fn no_optional_null(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| {
        let required = part.get("required").and_then(Value::as_array);
        let is_optional = |name: &str| !required.is_some_and(|names| names.iter().any(|one| one == name));
        let mut properties = part.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties.any(|(name, property)| is_optional(name) && has_null(property))
    })
}

fn names_are_enums(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| {
        let branches = ["oneOf", "anyOf"].into_iter().filter_map(|keyword| part.get(keyword)?.as_array());
        let name = |branch: &&Value| branch.get("const").is_some_and(Value::is_string);
        let listed = |names: &Value| names.as_array().is_some_and(|names| names.iter().all(Value::is_string));
        let typed = part.get("type").is_some_and(|kind| kind == "string" || kind.is_array());
        branches.into_iter().any(|branches| branches.iter().filter(name).count() > 1)
            || part.get("enum").is_some_and(listed) && !typed
    })
}

fn plain_root(schema: &Value) -> Result<(), String> {
    let composed =
        ["anyOf", "oneOf", "allOf", "$ref", "not", "if"].iter().find(|keyword| schema.get(**keyword).is_some());
    composed.map_or(Ok(()), |keyword| Err(format!("{keyword} in {schema}")))
}

fn items_said(schema: &Value) -> Result<(), String> {
    no_part(schema, |part| part.get("type").is_some_and(|kind| kind == "array") && !part.contains_key("items"))
}
