//! From the words `name=value` to an arguments object.

use super::schemas::{Member, Root};
use super::values;
use crate::schema::{self, Problem};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// One word: a name, which may have dots in it, and a text.
pub(super) type Word = (String, String);

/// Reads a word.
pub(super) fn word(text: &str) -> Result<Word, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("an argument is written `name=value`".to_owned()),
    }
}

/// The arguments object of a tool as JSON text, or everything that is wrong with the words.
pub(super) fn of_tool(input_schema: &Value, words: &[Word]) -> Result<String, Vec<Problem>> {
    let root = Root(input_schema);
    let (mut tree, mut problems) = (Tree::default(), Vec::new());
    for (name, text) in words {
        let placed = locate(root, &[input_schema], "", name).and_then(|(path, schemas)| {
            let value = values::typed(root, &schemas, name, text)?;
            tree.place(&path, value).ok_or_else(|| Problem::wrong(name, "it once", "it twice"))
        });
        problems.extend(placed.err());
    }
    let given = |name: &str| {
        words
            .iter()
            .any(|(word, _)| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let required = input_schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str).filter(|name| !given(name)) {
        let expected = match root.member(&[input_schema], name) {
            Member::Known(schemas) => values::expected(root, &schemas),
            _ => "a value".to_owned(),
        };
        problems.push(Problem::missing(name, expected));
    }
    match serde_json::to_string(&tree) {
        Ok(json) if problems.is_empty() => Ok(json),
        _ => Err(problems),
    }
}

/// The arguments object of a prompt, whose arguments are strings. `known` has their names and whether they are required.
pub(super) fn of_prompt(known: &[(&str, bool)], words: &[Word]) -> Result<String, Vec<Problem>> {
    let (mut tree, mut problems) = (Tree::default(), Vec::new());
    for (name, text) in words {
        if !known.iter().any(|(known, _)| known == name) {
            problems.push(Problem::unknown(name, schema::closest(name, known.iter().map(|(known, _)| *known))));
            continue;
        }
        let placed = serde_json::value::to_raw_value(text).ok().and_then(|value| tree.place(&[name], value));
        problems.extend(placed.is_none().then(|| Problem::wrong(name, "it once", "it twice")));
    }
    for (name, _) in known.iter().filter(|(name, required)| *required && !tree.has(name)) {
        problems.push(Problem::missing(*name, "a text"));
    }
    match serde_json::to_string(&tree) {
        Ok(json) if problems.is_empty() => Ok(json),
        _ => Err(problems),
    }
}

/// The path that a name stands for, and the schemas that a value may have there.
type Place<'s> = (Vec<&'s str>, Vec<&'s Value>);

/// Finds the place of a name. A member whose own name has a dot in it goes before a member of a member.
fn locate<'s>(root: Root<'s>, schemas: &[&'s Value], above: &str, name: &'s str) -> Result<Place<'s>, Problem> {
    let found = root.member(schemas, name);
    if let Member::Known(schemas) = found {
        return Ok((vec![name], schemas));
    }
    for (at, _) in name.match_indices('.') {
        let (head, rest) = (&name[..at], &name[at + 1..]);
        if let Member::Known(schemas) = root.member(schemas, head) {
            let (mut path, schemas) = locate(root, &schemas, &format!("{above}{head}."), rest)?;
            path.insert(0, head);
            return Ok((path, schemas));
        }
    }
    match found {
        Member::Free(schema) => Ok((vec![name], vec![schema])),
        _ => {
            let meant = schema::closest(name, root.names(schemas)).map(|meant| format!("{above}{meant}"));
            Err(Problem::unknown(format!("{above}{name}"), meant.as_deref()))
        }
    }
}

/// An object under construction.
#[derive(Default)]
struct Tree(Vec<(String, Node)>);

enum Node {
    Value(Box<RawValue>),
    Object(Tree),
}

impl Tree {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Puts a value at a path; nothing if there is one already.
    fn place(&mut self, path: &[&str], value: Box<RawValue>) -> Option<()> {
        let (name, rest) = path.split_first()?;
        let at = self.0.iter().position(|(known, _)| known == name);
        match (at.map(|at| &mut self.0[at].1), rest) {
            (None, []) => self.0.push(((*name).to_owned(), Node::Value(value))),
            (None, rest) => {
                let mut inner = Tree::default();
                inner.place(rest, value)?;
                self.0.push(((*name).to_owned(), Node::Object(inner)));
            }
            (Some(Node::Object(inner)), [_, ..]) => inner.place(rest, value)?,
            (Some(_), _) => return None,
        }
        Some(())
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, node) in &self.0 {
            match node {
                Node::Value(value) => map.serialize_entry(name, value)?,
                Node::Object(inner) => map.serialize_entry(name, inner)?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of_tool(schema: &Value, words: &[&str]) -> Result<String, String> {
        let words: Vec<Word> = words.iter().map(|text| word(text).expect("a word")).collect();
        super::of_tool(schema, &words).map_err(|problems| schema::report(&problems))
    }

    fn addition() -> Value {
        json!({
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "note": {"type": "string"}},
            "required": ["a", "b"],
            "additionalProperties": false,
        })
    }

    #[test]
    fn words_have_a_name_and_an_equals_sign() {
        assert_eq!(word("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert_eq!(word("a="), Ok(("a".to_owned(), String::new())));
        assert!(word("a").is_err());
        assert!(word("=a").is_err());
    }

    #[test]
    fn words_become_an_object_in_their_order() {
        let json = of_tool(&addition(), &["b=3", "a=2", "note=4"]);
        assert_eq!(json.as_deref(), Ok(r#"{"b":3,"a":2,"note":"4"}"#));
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let problems = of_tool(&addition(), &["a=x", "nope=1", "notes=1", "note=1", "note=2"]).expect_err("problems");
        let lines = [
            "`a`: expected an integer, got \"x\"",
            "`nope`: not known, did you mean `note`?",
            "`notes`: not known, did you mean `note`?",
            "`note`: expected it once, got it twice",
            "`b`: missing, expected an integer",
        ];
        assert_eq!(problems.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn dots_lead_into_nested_objects() {
        let schema = json!({
            "type": "object",
            "properties": {
                "filter": {"$ref": "#/$defs/Filter"},
                "shape": {"oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "dot"}}},
                    {"type": "object", "properties": {"kind": {"const": "disc"}, "radius": {"type": "number"}}},
                ]},
                "env": {"type": "object", "additionalProperties": {"type": "string"}},
                "any": {"type": "object"},
                "a.b": {"type": "integer"},
            },
            "required": ["filter"],
            "additionalProperties": false,
            "$defs": {"Filter": {
                "type": "object",
                "properties": {"tag": {"type": "string"}, "not": {"$ref": "#/$defs/Filter"}},
            }},
        });
        let words = [
            "filter.tag=1",
            "filter.not.tag=x",
            "shape.kind=disc",
            "shape.radius=2.50",
            "env.PATH.X=3",
            "any.x=[1]",
            "a.b=5",
        ];
        let json = of_tool(&schema, &words).expect("an object");
        let expected = concat!(
            r#"{"filter":{"tag":"1","not":{"tag":"x"}},"shape":{"kind":"disc","radius":2.50},"#,
            r#""env":{"PATH.X":"3"},"any":{"x":[1]},"a.b":5}"#,
        );
        assert_eq!(json, expected);
        let problems = of_tool(&schema, &["filter.not.tags=x", "filter={}", "filter.tag=1"]).expect_err("problems");
        let lines = [
            "`filter.not.tags`: not known, did you mean `filter.not.tag`?",
            "`filter.tag`: expected it once, got it twice",
        ];
        assert_eq!(problems.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn open_schemas_take_any_name() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true});
        assert_eq!(of_tool(&schema, &["x=1", "y=z"]).as_deref(), Ok(r#"{"x":1,"y":"z"}"#));
        assert_eq!(of_tool(&json!({"type": "object"}), &["x=1"]).as_deref(), Ok(r#"{"x":1}"#));
    }

    #[test]
    fn arguments_of_prompts_are_texts() {
        let known = [("code", true), ("style", false)];
        let of_prompt = |words: &[&str]| {
            let words: Vec<Word> = words.iter().map(|text| word(text).expect("a word")).collect();
            super::of_prompt(&known, &words).map_err(|problems| schema::report(&problems))
        };
        assert_eq!(of_prompt(&["code=5"]).as_deref(), Ok(r#"{"code":"5"}"#));
        let problems = of_prompt(&["stile=x", "style=1", "style=2"]).expect_err("problems");
        let lines = [
            "`stile`: not known, did you mean `style`?",
            "`style`: expected it once, got it twice",
            "`code`: missing, expected a text",
        ];
        assert_eq!(problems.lines().collect::<Vec<_>>(), lines);
    }
}
