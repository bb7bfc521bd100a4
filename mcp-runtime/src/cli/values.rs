//! From the text of one argument to a JSON value, as the argument's schema wants it.
//!
//! A string argument gets the exact text, whatever it looks like. Numbers keep their digits: no value goes through a
//! floating-point number on its way.

use super::schemas::{Root, branches, listed, types};
use crate::schema::{self, Problem};
use serde_json::Value;
use serde_json::value::RawValue;

/// How deep alternatives inside of alternatives are tried.
const DEEPEST: usize = 8;

/// The value that `text` stands for under one of `schemas`; `path` names it in the problem.
pub(super) fn typed(root: Root<'_>, schemas: &[&Value], path: &str, text: &str) -> Result<Box<RawValue>, Problem> {
    any_of(root, schemas.iter().copied(), text, 0).ok_or_else(|| {
        let got = schema::show_raw(&Value::from(text).to_string());
        Problem::wrong(path, expected(root, schemas), got)
    })
}

/// What `schemas` accept, in plain words.
pub(super) fn expected(root: Root<'_>, schemas: &[&Value]) -> String {
    let mut texts: Vec<String> = schemas.iter().map(|schema| schema::expectation(root.resolve(schema))).collect();
    texts.dedup();
    texts.join(" or ")
}

/// A value of which nothing is known: JSON if it is that, the text otherwise.
fn untyped(text: &str) -> Option<Box<RawValue>> {
    json(text).or_else(|| string(text))
}

fn read(root: Root<'_>, schema: &Value, text: &str, depth: usize) -> Option<Box<RawValue>> {
    let map = match root.resolve(schema) {
        Value::Object(map) if depth < DEEPEST => map,
        Value::Bool(false) => return None,
        _ => return untyped(text),
    };
    if let Some(values) = listed(map) {
        return one_of(values, text);
    }
    let types = types(map);
    if !types.is_empty() {
        let others = types.iter().filter(|kind| **kind != "string");
        let can_be_text = types.contains(&"string");
        let read = others.filter(|kind| !(can_be_text && **kind == "null")).find_map(|kind| plain(kind, text));
        return read.or_else(|| can_be_text.then(|| string(text)).flatten());
    }
    let branches = branches(map);
    if !branches.is_empty() {
        return any_of(root, branches.iter(), text, depth + 1);
    }
    match map.get("allOf").and_then(Value::as_array).and_then(|parts| parts.first()) {
        Some(first) => read(root, first, text, depth + 1),
        None => untyped(text),
    }
}

/// Reads text by the first schema that takes it. Text is what everything can be read as, so that comes last.
fn any_of<'v>(
    root: Root<'_>,
    schemas: impl Iterator<Item = &'v Value> + Clone,
    text: &str,
    depth: usize,
) -> Option<Box<RawValue>> {
    let texts = schemas.clone().filter(|schema| is_text(root, schema));
    let can_be_text = texts.clone().next().is_some();
    let is_null = |schema: &Value| schema.get("type").is_some_and(|kind| kind == "null");
    let others = schemas.filter(|schema| !is_text(root, schema)).filter(|schema| !can_be_text || !is_null(schema));
    others.chain(texts).find_map(|schema| read(root, schema, text, depth))
}

fn is_text(root: Root<'_>, schema: &Value) -> bool {
    let Value::Object(map) = root.resolve(schema) else { return false };
    listed(map).is_none() && types(map).contains(&"string")
}

/// A value of one JSON type other than string.
fn plain(kind: &str, text: &str) -> Option<Box<RawValue>> {
    match kind {
        "integer" => integer(text),
        "number" => number(text),
        "boolean" => ["true", "false"].contains(&text).then(|| json(text)).flatten(),
        "null" => (text == "null").then(|| json(text)).flatten(),
        "array" => json(text).filter(|json| json.get().starts_with('[')),
        "object" => json(text).filter(|json| json.get().starts_with('{')),
        _ => None,
    }
}

/// Digits with or without a sign. People write `007`; JSON does not.
fn integer(text: &str) -> Option<Box<RawValue>> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match digits.trim_start_matches('0') {
        "" => json("0"),
        digits => json(&format!("{sign}{digits}")),
    }
}

/// A JSON number as it stands, or what people also write (`.5`, `007`).
fn number(text: &str) -> Option<Box<RawValue>> {
    if text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && let Some(number) = json(text)
    {
        return Some(number);
    }
    let read: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    serde_json::value::to_raw_value(&read).ok()
}

fn one_of(values: &[Value], text: &str) -> Option<Box<RawValue>> {
    if values.iter().any(|value| value == text) {
        return string(text);
    }
    let read = json(text)?;
    let value: Value = serde_json::from_str(read.get()).ok()?;
    values.contains(&value).then_some(read)
}

fn string(text: &str) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(text).ok()
}

/// JSON text without white space around it.
fn json(text: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(text.trim().to_owned()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(schema: Value, cases: &[(&str, Option<&str>)]) {
        for (text, expected) in cases {
            let typed = typed(Root(&schema), &[&schema], "x", text).ok();
            assert_eq!(typed.as_deref().map(RawValue::get), *expected, "{text:?} for {schema}");
        }
    }

    #[test]
    fn strings_are_the_exact_text() {
        let exact = [
            ("5", Some("\"5\"")),
            ("true", Some("\"true\"")),
            ("null", Some("\"null\"")),
            ("[1]", Some("\"[1]\"")),
            (" a\n", Some("\" a\\n\"")),
            ("\"q\"", Some("\"\\\"q\\\"\"")),
            ("", Some("\"\"")),
        ];
        check(json!({"type": "string"}), &exact);
        check(json!({"type": ["string", "null"]}), &exact);
        check(json!({"anyOf": [{"type": "null"}, {"type": "string"}]}), &exact);
    }

    #[test]
    fn integers_keep_all_their_digits() {
        check(
            json!({"type": "integer"}),
            &[
                ("2", Some("2")),
                ("-2", Some("-2")),
                ("007", Some("7")),
                ("-0", Some("0")),
                ("170141183460469231731687303715884105727", Some("170141183460469231731687303715884105727")),
                ("2.0", None),
                ("+2", None),
                ("x", None),
                ("", None),
                ("-", None),
                ("\"2\"", None),
            ],
        );
    }

    #[test]
    fn numbers_booleans_and_null_are_parsed() {
        check(
            json!({"type": "number"}),
            &[
                ("2.50", Some("2.50")),
                ("-1e400", Some("-1e400")),
                (".5", Some("0.5")),
                ("007", Some("7.0")),
                ("NaN", None),
                ("inf", None),
                ("1,5", None),
            ],
        );
        check(
            json!({"type": ["boolean", "null"]}),
            &[("true", Some("true")), ("false", Some("false")), ("null", Some("null")), ("yes", None), ("1", None)],
        );
    }

    #[test]
    fn arrays_and_objects_are_json() {
        let list = json!({"type": "array", "items": {"type": "integer"}});
        check(list, &[("[1, 2]", Some("[1, 2]")), (" [1] ", Some("[1]")), ("1,2", None), ("{}", None), ("[1", None)]);
        let object = json!({"type": "object"});
        check(object, &[("{\"a\":1e2}", Some("{\"a\":1e2}")), ("a", None), ("[]", None)]);
    }

    #[test]
    fn listed_values_are_matched() {
        check(json!({"enum": ["red", "5"]}), &[("red", Some("\"red\"")), ("5", Some("\"5\"")), ("blue", None)]);
        check(json!({"enum": [1, null]}), &[("1", Some("1")), ("null", Some("null")), ("2", None)]);
        check(json!({"const": "on"}), &[("on", Some("\"on\"")), ("off", None)]);
    }

    #[test]
    fn of_several_alternatives_text_comes_last() {
        let cases =
            [("5", Some("5")), ("five", Some("\"five\"")), ("auto", Some("\"auto\"")), ("null", Some("\"null\""))];
        check(json!({"type": ["string", "integer"]}), &cases);
        check(json!({"anyOf": [{"type": "string"}, {"enum": ["auto"]}, {"type": "integer"}]}), &cases);
        check(json!({"oneOf": [{"type": "integer"}, {"type": "boolean"}]}), &[("5", Some("5")), ("x", None)]);
        check(json!({"allOf": [{"type": "integer"}, {"minimum": 1}]}), &[("5", Some("5")), ("x", None)]);
    }

    #[test]
    fn without_a_type_json_is_json_and_everything_else_text() {
        for schema in [json!({}), json!(true)] {
            check(schema, &[("5", Some("5")), ("{}", Some("{}")), ("a b", Some("\"a b\"")), ("\"5\"", Some("\"5\""))]);
        }
        check(json!({"not": {}}), &[("5", Some("5"))]);
        check(json!(false), &[("5", None)]);
    }

    #[test]
    fn references_are_followed_and_problems_say_what_was_expected() {
        let root = json!({"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "object", "required": ["leaf"]}}});
        let problem = typed(Root(&root), &[&root], "tree.left", "oak").expect_err("no tree");
        assert_eq!(problem.to_string(), "`tree.left`: expected an object with `leaf`, got \"oak\"");
        let endless = json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}});
        assert!(typed(Root(&endless), &[&endless], "a", "1").is_ok());
    }
}
