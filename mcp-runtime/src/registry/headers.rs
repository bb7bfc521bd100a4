//! Arguments that clients repeat in headers (`x-mcp-header`).
//!
//! Source: server/tools and basic/transports/streamable-http of 2026-07-28.

use serde_json::Value;

/// An annotated argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeaderParam {
    /// The header's full name, in lower case.
    pub(crate) header: String,
    /// The way to the argument from the arguments object.
    pub(crate) path: Vec<String>,
}

/// Finds every annotation of an input schema and says what is wrong with the unusable ones.
pub(super) fn collect(schema: &Value) -> (Vec<HeaderParam>, Vec<String>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    walk(schema, &mut Vec::new(), &mut found, &mut problems);
    let total = count(schema);
    if total > found.len() + problems.len() {
        problems.push("`x-mcp-header` stands where clients do not look: only properties of objects can have it".into());
    }
    (found, problems)
}

fn walk(schema: &Value, path: &mut Vec<String>, found: &mut Vec<HeaderParam>, problems: &mut Vec<String>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, property) in properties {
        path.push(name.clone());
        if let Some(annotation) = property.get("x-mcp-header") {
            match check(annotation, property, found) {
                Ok(header) => found.push(HeaderParam { header, path: path.clone() }),
                Err(problem) => problems.push(format!("argument `{}`: {problem}", path.join("."))),
            }
        }
        walk(property, path, found, problems);
        path.pop();
    }
}

fn check(annotation: &Value, property: &Value, found: &[HeaderParam]) -> Result<String, String> {
    let name = annotation.as_str().unwrap_or_default();
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(format!("`{name}` cannot be the name of a header: use letters, digits and `-`"));
    }
    let kind = property.get("type").and_then(Value::as_str).unwrap_or("any");
    if !["string", "integer", "boolean"].contains(&kind) {
        return Err(format!("only a string, an integer or a boolean can be repeated in a header, not {kind}"));
    }
    let header = format!("mcp-param-{}", name.to_ascii_lowercase());
    match found.iter().any(|known| known.header == header) {
        true => Err(format!("the header `{name}` is used twice")),
        false => Ok(header),
    }
}

/// A token character of RFC 9110, section 5.6.2.
fn is_token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b)
}

/// How often the annotation stands anywhere in the schema, as a keyword.
fn count(schema: &Value) -> usize {
    match schema {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| match key.as_str() {
                "x-mcp-header" => 1,
                // Literal values are no schemas.
                "default" | "examples" | "enum" | "const" => 0,
                _ => count(value),
            })
            .sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn annotations_are_found_through_properties_only() {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "nested": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
            "plain": {"type": "string"},
        }});
        let (found, problems) = collect(&schema);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(found[0], HeaderParam { header: "mcp-param-region".into(), path: vec!["region".into()] });
        assert_eq!(found[1].path, ["nested", "n"]);
    }

    #[test]
    fn unusable_annotations_are_each_reported() {
        let bad = |property: Value| collect(&json!({"properties": {"a": property}})).1.len();
        assert_eq!(bad(json!({"type": "number", "x-mcp-header": "A"})), 1);
        assert_eq!(bad(json!({"type": "string", "x-mcp-header": "a b"})), 1);
        assert_eq!(bad(json!({"type": "string", "x-mcp-header": ""})), 1);
        assert_eq!(bad(json!({"type": "string", "x-mcp-header": 1})), 1);
        assert_eq!(bad(json!({"type": "array", "items": {"type": "string", "x-mcp-header": "A"}})), 1);
        let twice = json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "Region"}, "b": {"type": "string", "x-mcp-header": "region"},
        }});
        assert_eq!(collect(&twice).1.len(), 1);
    }
}
