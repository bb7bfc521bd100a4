//! The root of a tool's `inputSchema`: always one object with all its members in `properties`.

use serde_json::{Map, Value};

use super::keywords::required;
use super::{Role, Schemas, nullable, words};

/// What [`root_object`] makes of a type.
#[derive(Debug)]
pub(crate) struct Root {
    /// The `inputSchema`.
    pub(crate) schema: Value,
    /// Whether it carries something that decoding cannot check, as [`Schemas::constrained`] says.
    pub(crate) constrained: bool,
    /// What is wrong with the options of fields, for their author.
    pub(crate) misfits: Vec<String>,
}

/// The `inputSchema` of a tool from the schemas of its arguments.
///
/// `properties` keep their order; those that are not `required` lose `null`. With `closed`, other
/// members are refused (server/tools, JSON Schema 2020-12 section 10.3.2.3). `definitions` are
/// what [`Schemas::take_definitions`] gives.
pub(crate) fn object(
    properties: Map<String, Value>,
    required: Vec<String>,
    definitions: Map<String, Value>,
    closed: bool,
) -> Value {
    let mut root = Map::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        root.insert("required".to_owned(), required.into());
    }
    if closed {
        root.insert("additionalProperties".to_owned(), false.into());
    }
    nullable::strip_optional(&mut root);
    with_definitions(Value::Object(root), definitions)
}

/// Finishes a root schema: puts the definitions of recursive types into it, and says one type at a time.
pub(crate) fn with_definitions(mut root: Value, definitions: Map<String, Value>) -> Value {
    if let Value::Object(map) = &mut root
        && !definitions.is_empty()
    {
        map.insert("$defs".to_owned(), definitions.into());
    }
    nullable::one_type_each(&mut root);
    root
}

/// The `inputSchema` of a tool whose arguments are all the members of one struct.
///
/// With `closed`, members that the type does not know are refused, unless the type itself collects
/// them (a flattened map). The alternatives of an enum, be it flattened or `T` itself, are united
/// into one set of members, because clients refuse `anyOf` and `oneOf` at the root; decoding still
/// tells them apart, and the description says which members go together.
///
/// # Errors
/// A text for the author when `T` does not decode from an object.
pub(crate) fn root_object<T: schemars::JsonSchema + ?Sized>(closed: bool) -> Result<Root, String> {
    let mut schemas = Schemas::new(Role::Input);
    let schema = schemas.of::<T>();
    let constrained = schemas.constrained();
    let misfits = schemas.take_misfits();
    let schema = root(schema, schemas.take_definitions(), closed)?;
    Ok(Root { schema, constrained, misfits })
}

fn root(schema: Value, definitions: Map<String, Value>, closed: bool) -> Result<Value, String> {
    let refusal = format!(
        "the arguments of a tool are a JSON object with named members, and this type decodes from {}; \
         use a struct with named fields",
        words::expectation(&schema)
    );
    let Value::Object(mut map) = schema else {
        return Err(refusal);
    };
    unite(&mut map).ok_or(refusal.clone())?;
    if map.get("type").and_then(Value::as_str) != Some("object") {
        return Err(refusal);
    }
    nullable::strip_optional(&mut map);
    let mut take = |keyword: &str| map.shift_remove(keyword);
    let description = take("description");
    let properties = take("properties").unwrap_or_else(|| Map::new().into());
    let required = take("required");
    let others = take("unevaluatedProperties").or(take("additionalProperties"));
    let mut root = Map::new();
    root.extend(description.map(|text| ("description".to_owned(), text)));
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), properties);
    root.extend(required.map(|names| ("required".to_owned(), names)));
    let others = others.or(closed.then_some(Value::Bool(false)));
    root.extend(others.map(|others| ("additionalProperties".to_owned(), others)));
    map.shift_remove("type");
    root.extend(map);
    Ok(with_definitions(Value::Object(root), definitions))
}

/// Replaces the alternatives of an object by the union of their members; nothing if one of them is
/// no object.
fn unite(map: &mut Map<String, Value>) -> Option<()> {
    if let Some(Value::Array(parts)) = map.shift_remove("allOf") {
        for part in parts {
            let Value::Object(mut part) = part else {
                continue;
            };
            unite(&mut part)?;
            let names = required(&part).into_iter().map(str::to_owned).collect();
            absorb(map, part);
            require(map, names);
        }
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(Value::Array(branches)) = map.shift_remove(keyword) {
            unite_branches(map, branches)?;
        }
    }
    if map.contains_key("properties") && !map.contains_key("type") {
        map.insert("type".to_owned(), "object".into());
    }
    Some(())
}

fn unite_branches(map: &mut Map<String, Value>, branches: Vec<Value>) -> Option<()> {
    let mut common: Option<Vec<String>> = None;
    let mut notes = Vec::new();
    for branch in branches {
        let Value::Object(mut branch) = branch else {
            return None;
        };
        let is_union = branch.contains_key("oneOf") || branch.contains_key("anyOf");
        unite(&mut branch)?;
        let is_anything = branch.is_empty();
        if !is_anything && branch.get("type").and_then(Value::as_str) != Some("object") {
            return None;
        }
        let names: Vec<String> = required(&branch).into_iter().map(str::to_owned).collect();
        notes.extend((!is_anything).then(|| note(&branch, is_union)));
        common = Some(match common {
            None => names,
            Some(common) => common.into_iter().filter(|name| names.contains(name)).collect(),
        });
        // Each branch closed itself against the members of the others.
        if branch.get("additionalProperties") == Some(&Value::Bool(false)) {
            branch.shift_remove("additionalProperties");
        }
        absorb(map, branch);
    }
    require(map, common.unwrap_or_default());
    let text = match notes.as_slice() {
        [] => return Some(()),
        // The other branch is "none of it": an optional flattened enum, united above.
        [only] => only.trim_start_matches("- ").to_owned(),
        _ => format!("One of:\n{}", notes.join("\n")),
    };
    let text = match map.get("description").and_then(Value::as_str) {
        Some(own) => format!("{own}\n\n{text}"),
        None => text,
    };
    map.insert("description".to_owned(), text.into());
    Some(())
}

/// Adds the members of `part`. A member that both have takes the values of either.
fn absorb(map: &mut Map<String, Value>, mut part: Map<String, Value>) {
    if let Some(Value::Object(members)) = part.shift_remove("properties") {
        let properties = map.entry("properties").or_insert_with(|| Map::new().into());
        if let Value::Object(properties) = properties {
            for (name, schema) in members {
                let either = match properties.get(&name) {
                    Some(known) => either(known, schema),
                    None => schema,
                };
                properties.insert(name, either);
            }
        }
    }
    for keyword in ["type", "additionalProperties", "unevaluatedProperties"] {
        if let Some(value) = part.shift_remove(keyword) {
            map.entry(keyword).or_insert(value);
        }
    }
}

fn require(map: &mut Map<String, Value>, names: Vec<String>) {
    let mut all: Vec<String> = required(map).into_iter().map(str::to_owned).collect();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    if !all.is_empty() {
        map.insert("required".to_owned(), all.into());
    }
}

fn either(known: &Value, other: Value) -> Value {
    if *known == other {
        return other;
    }
    if let (Some(mut names), Some(more)) = (names(known), names(&other)) {
        for name in more {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        return serde_json::json!({ "type": "string", "enum": names });
    }
    let mut branches = match known.get("anyOf").and_then(Value::as_array) {
        Some(branches) if known.as_object().is_some_and(|known| known.len() == 1) => branches.clone(),
        _ => vec![known.clone()],
    };
    if !branches.contains(&other) {
        branches.push(other);
    }
    serde_json::json!({ "anyOf": branches })
}

/// The values of a tag.
fn names(schema: &Value) -> Option<Vec<Value>> {
    if schema.get("type")?.as_str() != Some("string") {
        return None;
    }
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(vec![only.clone()]),
        (_, Some(Value::Array(names))) => Some(names.clone()),
        _ => None,
    }
}

/// One line about an alternative: its tag, its members, what its author says. A union has its
/// lines already.
fn note(branch: &Map<String, Value>, is_union: bool) -> String {
    if is_union && let Some(Value::String(text)) = branch.get("description") {
        return text.clone();
    }
    let required = required(branch);
    let properties = branch.get("properties").and_then(Value::as_object);
    let (mut tags, mut with) = (Vec::new(), Vec::new());
    for (name, schema) in properties.into_iter().flatten() {
        match schema.get("const") {
            Some(value) => tags.push(format!("`{name}` {value}")),
            None if required.contains(&name.as_str()) => with.push(format!("`{name}`")),
            None => with.push(format!("`{name}` (optional)")),
        }
    }
    let members = match (tags.is_empty(), with.is_empty()) {
        (false, false) => format!("{} with {}", tags.join(" and "), with.join(", ")),
        (false, true) => tags.join(" and "),
        (true, false) => with.join(", "),
        (true, true) => "nothing else".to_owned(),
    };
    let text = branch.get("description").and_then(Value::as_str);
    let text: Vec<&str> = text.into_iter().flat_map(str::split_whitespace).collect();
    if text.is_empty() { format!("- {members}") } else { format!("- {members}: {}", text.join(" ")) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::root;

    #[test]
    fn what_only_one_alternative_requires_is_optional_in_the_union() {
        let schema = json!({
            "oneOf": [
                {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]},
                {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
            ],
        });
        let schema = root(schema, Map::new(), false).expect("an object");
        let text = json!({"type": "string"});
        assert_eq!(schema["properties"], json!({"a": text, "b": text}));
        assert_eq!(schema.get("required"), None);
    }
}
