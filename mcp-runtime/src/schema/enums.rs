//! Enums without data: one list of strings instead of one branch a variant.

use serde_json::{Map, Value, json};

/// A branch that stands for variants without data.
struct Units {
    names: Vec<Value>,
    /// What is said about the only name, on one line.
    note: Option<String>,
}

/// Turns the branches of `oneOf` that are strings by name into one string type with `enum`; the
/// words about the variants move to the description as a list.
///
/// A documented variant is otherwise a `oneOf` branch with `const`, which several clients and
/// model providers refuse.
pub(super) fn fold(schema: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = schema.get("oneOf") else {
        return;
    };
    let found: Vec<Option<Units>> = branches.iter().map(units).collect();
    let all = found.iter().all(Option::is_some);
    if all && !branches.is_empty() && !schema.contains_key("type") && !schema.contains_key("enum") {
        schema.shift_remove("oneOf");
        let beside = std::mem::take(schema);
        *schema = list(found.into_iter().flatten());
        let notes = notes(schema);
        schema.shift_remove("description");
        schema.extend(beside);
        append_notes(schema, notes);
    } else if found.iter().flatten().count() > 1 {
        let mut rest: Vec<Value> = branches
            .iter()
            .zip(&found)
            .filter(|(_, units)| units.is_none())
            .map(|(branch, _)| branch.clone())
            .collect();
        rest.insert(0, list(found.into_iter().flatten()).into());
        schema.insert("oneOf".to_owned(), rest.into());
    }
}

/// In an object, a variant without data that was flattened into it is a member of its name with
/// `null`; schemars leaves a documented one as a string, which no object could be.
pub(super) fn flatten_units(schema: &mut Map<String, Value>) {
    if schema.get("type").and_then(Value::as_str) == Some("object") {
        units_as_members(schema);
    }
}

fn units_as_members(schema: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(keyword) else {
            continue;
        };
        let mut members = Vec::with_capacity(branches.len());
        for mut branch in std::mem::take(branches) {
            if let Some(units) = units(&branch) {
                let names = units.names.iter().filter_map(Value::as_str);
                members.extend(names.map(|name| null_member(name, units.note.as_deref())));
                continue;
            }
            if let Value::Object(branch) = &mut branch {
                units_as_members(branch);
            }
            members.push(branch);
        }
        *branches = members;
    }
}

fn null_member(name: &str, note: Option<&str>) -> Value {
    let mut member = json!({
        "type": "object",
        "properties": { name: { "type": "null" } },
        "required": [name],
    });
    if let Some(note) = note {
        member["description"] = note.into();
    }
    member
}

/// Describes a place where a type is used: `text` takes the place of the type's own description,
/// and the list of an enum's variants stays.
pub(crate) fn describe(schema: &mut Value, text: &str) {
    if let Value::Object(schema) = schema {
        let notes = notes(schema);
        schema.insert("description".to_owned(), text.into());
        append_notes(schema, notes);
    }
}

/// The list of variants at the end of an enum's description.
pub(super) fn notes(schema: &Map<String, Value>) -> Option<String> {
    let names = schema.get("enum")?.as_array()?;
    let text = schema.get("description")?.as_str()?;
    let last = text.rsplit_once("\n\n").map_or(text, |(_, last)| last);
    let is_note = |line: &str| {
        let named = line.strip_prefix("- `").and_then(|line| line.split_once("`: "));
        named.is_some_and(|(name, _)| names.iter().any(|known| known == name))
    };
    last.lines().all(is_note).then(|| last.to_owned())
}

pub(super) fn append_notes(schema: &mut Map<String, Value>, notes: Option<String>) {
    let Some(notes) = notes else {
        return;
    };
    let text = match schema.get("description").and_then(Value::as_str) {
        Some(own) if !own.is_empty() => format!("{own}\n\n{notes}"),
        _ => notes,
    };
    schema.insert("description".to_owned(), text.into());
}

fn list(found: impl Iterator<Item = Units>) -> Map<String, Value> {
    let mut names = Vec::new();
    let mut notes = Vec::new();
    for units in found {
        if let (Some(note), [Value::String(name)]) = (units.note, units.names.as_slice()) {
            notes.push(format!("- `{name}`: {note}"));
        }
        names.extend(units.names);
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), names.into());
    if !notes.is_empty() {
        schema.insert("description".to_owned(), notes.join("\n").into());
    }
    schema
}

fn units(branch: &Value) -> Option<Units> {
    let branch = branch.as_object()?;
    let foldable = branch
        .keys()
        .all(|keyword| matches!(keyword.as_str(), "type" | "enum" | "const" | "title" | "description" | "deprecated"));
    if !foldable || branch.get("type")?.as_str() != Some("string") {
        return None;
    }
    let names = match (branch.get("const"), branch.get("enum")) {
        (Some(name), None) => vec![name.clone()],
        (None, Some(Value::Array(names))) => names.clone(),
        _ => return None,
    };
    let note = note(branch);
    let shared = note.is_some() && names.len() != 1;
    (!shared && names.iter().all(Value::is_string)).then_some(Units { names, note })
}

fn note(branch: &Map<String, Value>) -> Option<String> {
    let text = |keyword| branch.get(keyword).and_then(Value::as_str);
    let deprecated = branch.get("deprecated") == Some(&Value::Bool(true));
    let parts = [text("title"), text("description"), deprecated.then_some("(deprecated)")];
    let words: Vec<&str> = parts.into_iter().flatten().flat_map(str::split_whitespace).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
