//! Whether what `#[arg(...)]` says can be said of an argument's type.

use serde_json::Value;

/// Options of `#[arg(...)]`: the keyword of JSON Schema, the option, the JSON types that the keyword speaks of, and how
/// these are called.
const OPTIONS: [(&str, &str, &[&str], &str); 8] = [
    ("minimum", "min", &["integer", "number"], "numbers"),
    ("maximum", "max", &["integer", "number"], "numbers"),
    ("minLength", "min_length", &["string"], "strings"),
    ("maxLength", "max_length", &["string"], "strings"),
    ("pattern", "pattern", &["string"], "strings"),
    ("format", "format", &["string"], "strings"),
    ("minItems", "min_items", &["array"], "lists"),
    ("maxItems", "max_items", &["array"], "lists"),
];

/// What is wrong with adding `keyword: value` to the schema of a type: validators would pass over the keyword, or the
/// type does not hold what the keyword allows.
pub(super) fn misfit(schema: &Value, keyword: &str, value: &Value) -> Option<String> {
    let (_, option, types, called) = OPTIONS.iter().find(|(known, ..)| *known == keyword)?;
    let is_fit = |ty: &Value| ty.as_str().is_some_and(|ty| types.contains(&ty));
    let fits = match schema.get("type") {
        Some(Value::Array(any)) => any.iter().any(is_fit),
        Some(one) => is_fit(one),
        // A type that says nothing of its form may have any.
        None => true,
    };
    if !fits {
        return Some(format!("`{option}` is for {called}"));
    }
    let (own, new) = (schema.get(keyword)?.as_f64()?, value.as_f64()?);
    let loosens = if keyword.starts_with("min") { new < own } else { new > own };
    loosens.then(|| format!("`{option} = {value}` is beyond what its type holds, {}", schema[keyword]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keywords_are_for_types() {
        let text = json!({"type": "string"});
        let number = json!({"type": ["integer", "null"]});
        let list = json!({"type": "array", "items": {}});
        for (schema, keyword, fits) in [
            (&text, "minimum", false),
            (&text, "minItems", false),
            (&text, "maxLength", true),
            (&number, "maximum", true),
            (&number, "pattern", false),
            (&list, "maxItems", true),
            (&list, "minLength", false),
            (&json!({}), "minimum", true),
            (&json!(true), "minimum", true),
            (&text, "x-anything", true),
        ] {
            assert_eq!(misfit(schema, keyword, &json!(1)).is_none(), fits, "{keyword} of {schema}");
        }
        assert_eq!(misfit(&text, "minimum", &json!(1)).as_deref(), Some("`min` is for numbers"));
    }

    #[test]
    fn bounds_may_be_narrower_than_the_type_and_not_wider() {
        let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
        assert_eq!(misfit(&byte, "maximum", &json!(100)), None);
        assert_eq!(misfit(&byte, "minimum", &json!(0)), None);
        let wanted = "`max = 300` is beyond what its type holds, 255";
        assert_eq!(misfit(&byte, "maximum", &json!(300)).as_deref(), Some(wanted));
        let wanted = "`min = -1` is beyond what its type holds, 0";
        assert_eq!(misfit(&byte, "minimum", &json!(-1)).as_deref(), Some(wanted));
    }
}
