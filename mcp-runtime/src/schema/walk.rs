//! The search for the parts of a value that do not fit.

use serde_json::{Map, Value};

use super::keywords::{is_annotation, required, types};
use super::problem::{MOST, Problem, item, member};
use super::show::show;
use super::tolerance::resolve;
use super::validate::{Validator, named, segment};
use super::{closest, expectation};

/// Deeper schemas and values are not looked into; the part that holds them is the problem then.
const DEEPEST: usize = 256;

/// How often all of a value may be validated, on the whole, in search of its problems; what is nested deeper than that
/// in alternatives is not told apart.
const PASSES: usize = 32;

/// A value of so many parts may be validated in any case.
const SMALL: usize = 10_000;

/// One walk through a value that the schema refuses.
pub(super) struct Walk<'a> {
    validator: &'a Validator,
    problems: Vec<Problem>,
    count: usize,
    depth: usize,
    /// How many parts of values may still be validated.
    budget: usize,
}

/// A schema, and where it stands in the root schema.
#[derive(Clone, Copy)]
struct At<'a> {
    schema: &'a Value,
    pointer: &'a str,
}

impl<'a> Walk<'a> {
    pub(super) fn new(validator: &'a Validator) -> Self {
        Self { validator, problems: Vec::new(), count: 0, depth: 0, budget: 0 }
    }

    pub(super) fn problems(mut self, instance: &Value) -> Vec<Problem> {
        let root = At { schema: self.validator.root(), pointer: "" };
        self.budget = SMALL.max(PASSES.saturating_mul(parts(instance)));
        self.visit(root, instance, "");
        if self.count == 0 {
            self.wrong(root.schema, instance, "");
        }
        if self.count > self.problems.len() {
            let rest = self.count - self.problems.len();
            self.problems.push(Problem::more(rest));
        }
        self.problems
    }

    fn add(&mut self, problem: impl FnOnce() -> Problem) {
        self.count += 1;
        if self.problems.len() < MOST {
            self.problems.push(problem());
        }
    }

    /// The value as a whole is the problem; said once where several schemas apply to it.
    fn wrong(&mut self, schema: &Value, value: &Value, path: &str) {
        let problem = || Problem::wrong(path, expectation(schema), show(value));
        let said = self.problems.last().is_some_and(|last| last.path == path);
        if !said {
            self.add(problem);
        }
    }

    /// Whether the part of the schema at `pointer` accepts `value`; nothing if enough has been validated.
    fn fits(&mut self, pointer: &str, value: &Value) -> Option<bool> {
        self.budget = self.budget.checked_sub(parts(value))?;
        Some(self.validator.fits(pointer, value))
    }

    fn visit(&mut self, at: At<'_>, value: &Value, path: &str) {
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        match at.schema {
            Value::Object(map) => self.visit_object(at, map, value, path),
            Value::Bool(false) => self.wrong(at.schema, value, path),
            _ => {}
        }
        self.depth -= 1;
    }

    fn visit_object(&mut self, at: At<'_>, map: &Map<String, Value>, value: &Value, path: &str) {
        let before = self.count;
        if let Some(target) = resolve(self.validator.root(), map) {
            let reference = map.get("$ref").and_then(Value::as_str).unwrap_or_default();
            let pointer = super::refs::unescape_pointer(reference.trim_start_matches('#'));
            let target = At { schema: target, pointer: &pointer };
            self.visit(target, value, path);
        }
        if !fits_type(map, value) {
            return self.wrong(at.schema, value, path);
        }
        self.visit_unions(at, map, value, path);
        self.visit_conditions(at, map, value, path);
        match value {
            Value::Object(members) => self.visit_members(at, map, members, path),
            Value::Array(items) => {
                if is_miscounted(map, items.len()) {
                    self.wrong(at.schema, value, path);
                }
                self.visit_items(at, map, items, path);
            }
            _ => {}
        }
        if self.count == before && !is_plain(map) && self.fits(at.pointer, value) == Some(false) {
            self.wrong(at.schema, value, path);
        }
    }

    fn visit_unions(&mut self, at: At<'_>, map: &Map<String, Value>, value: &Value, path: &str) {
        for keyword in ["anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = map.get(keyword) else {
                continue;
            };
            let pointer = |index| format!("{}/{keyword}/{index}", at.pointer);
            let mut fitting = 0;
            for index in 0..branches.len() {
                match self.fits(&pointer(index), value) {
                    Some(fits) => fitting += usize::from(fits),
                    None => return,
                }
            }
            if fitting == 1 || fitting > 1 && keyword == "anyOf" {
                continue;
            }
            let mut meant = branches.iter().enumerate().filter(|(_, branch)| self.is_meant(branch, value));
            match (meant.next(), meant.next()) {
                (Some((index, branch)), None) if fitting == 0 => {
                    let branch = At { schema: branch, pointer: &pointer(index) };
                    self.visit(branch, value, path);
                }
                _ => self.wrong(at.schema, value, path),
            }
        }
    }

    /// Whether `value` looks as if made for this branch: its type is right, its tags are those of
    /// the branch, and it has no member that a closed branch does not know.
    fn is_meant(&self, branch: &Value, value: &Value) -> bool {
        let Value::Object(own) = branch else {
            return false;
        };
        let target = resolve(self.validator.root(), own);
        let map = target.and_then(Value::as_object).unwrap_or(own);
        if !fits_type(map, value) || !is_listed(map, value) {
            return false;
        }
        let Value::Object(members) = value else {
            return true;
        };
        let known = |name: &String| named(map, "properties").any(|(known, _)| known == name);
        let closed = map.get("additionalProperties") == Some(&Value::Bool(false));
        let required = required(map);
        let tagged = named(map, "properties").all(|(name, property)| match property {
            Value::Object(property) if property.contains_key("const") => match members.get(name) {
                Some(tag) => is_listed(property, tag),
                None => !required.contains(&name.as_str()),
            },
            _ => true,
        });
        tagged && !(closed && members.keys().any(|name| !known(name)))
    }

    fn visit_conditions(&mut self, at: At<'_>, map: &Map<String, Value>, value: &Value, path: &str) {
        for (index, part) in list(map, "allOf").iter().enumerate() {
            let part = At { schema: part, pointer: &format!("{}/allOf/{index}", at.pointer) };
            self.visit(part, value, path);
        }
        if map.contains_key("if") {
            let Some(holds) = self.fits(&format!("{}/if", at.pointer), value) else { return };
            let keyword = if holds { "then" } else { "else" };
            if let Some(part) = map.get(keyword) {
                let part = At { schema: part, pointer: &format!("{}/{keyword}", at.pointer) };
                self.visit(part, value, path);
            }
        }
    }

    fn visit_members(&mut self, at: At<'_>, map: &Map<String, Value>, members: &Map<String, Value>, path: &str) {
        let required = required(map);
        for (name, schema) in named(map, "properties") {
            if let Some(value) = members.get(name) {
                let property = At { schema, pointer: &format!("{}/properties/{}", at.pointer, segment(name)) };
                self.visit(property, value, &member(path, name));
            } else if required.contains(&name.as_str()) {
                self.add(|| Problem::missing(member(path, name), expectation(schema)));
            }
        }
        let declared = |name: &str| named(map, "properties").any(|(known, _)| known == name);
        for name in required {
            if !declared(name) && !members.contains_key(name) {
                self.add(|| Problem::missing(member(path, name), "a value"));
            }
        }
        self.visit_others(at, map, members, path);
    }

    /// Members that `properties` does not name.
    fn visit_others(&mut self, at: At<'_>, map: &Map<String, Value>, members: &Map<String, Value>, path: &str) {
        if map.contains_key("patternProperties") {
            return;
        }
        let closed = |keyword| map.get(keyword) == Some(&Value::Bool(false));
        let mut known: Vec<&str> = named(map, "properties").map(|(name, _)| name.as_str()).collect();
        if closed("additionalProperties") {
            self.refuse_unknown(&known, members, path);
        } else if let Some(schema @ Value::Object(_)) = map.get("additionalProperties") {
            let others = At { schema, pointer: &format!("{}/additionalProperties", at.pointer) };
            for (name, value) in members {
                if !known.contains(&name.as_str()) {
                    self.visit(others, value, &member(path, name));
                }
            }
        } else if closed("unevaluatedProperties") {
            for keyword in ["allOf", "anyOf", "oneOf"] {
                for branch in list(map, keyword).iter().filter_map(Value::as_object) {
                    known.extend(named(branch, "properties").map(|(name, _)| name.as_str()));
                }
            }
            self.refuse_unknown(&known, members, path);
        }
    }

    fn refuse_unknown(&mut self, known: &[&str], members: &Map<String, Value>, path: &str) {
        for name in members.keys() {
            if !known.contains(&name.as_str()) {
                let free = || known.iter().copied().filter(|known| !members.contains_key(*known));
                self.add(|| Problem::unknown(member(path, name), closest(name, free())));
            }
        }
    }

    fn visit_items(&mut self, at: At<'_>, map: &Map<String, Value>, items: &[Value], path: &str) {
        let places = list(map, "prefixItems");
        for (index, (schema, value)) in places.iter().zip(items).enumerate() {
            let place = At { schema, pointer: &format!("{}/prefixItems/{index}", at.pointer) };
            self.visit(place, value, &item(path, index));
        }
        let Some(schema) = map.get("items") else {
            return;
        };
        let others = At { schema, pointer: &format!("{}/items", at.pointer) };
        for (index, value) in items.iter().enumerate().skip(places.len()) {
            self.visit(others, value, &item(path, index));
        }
    }
}

/// How many values there are in a value, itself among them.
fn parts(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(members) => members.values().map(parts).sum(),
        _ => 0,
    }
}

fn list<'a>(map: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    map.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn fits_type(map: &Map<String, Value>, value: &Value) -> bool {
    let types = types(map);
    types.is_empty()
        || types.iter().any(|name| match *name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "number" => value.is_number(),
            "integer" => is_integer(value),
            _ => false,
        })
}

/// Integers are numbers without a fraction, also when written as `1.0` (validation, 6.1.1).
fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn is_listed(map: &Map<String, Value>, value: &Value) -> bool {
    map.get("const").is_none_or(|only| only == value)
        && map.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(value))
}

/// Whether nothing but the type is asserted.
fn is_plain(map: &Map<String, Value>) -> bool {
    map.keys().all(|keyword| keyword == "type" || is_annotation(keyword))
}

/// Whether there are too few or too many items.
fn is_miscounted(map: &Map<String, Value>, count: usize) -> bool {
    let bound = |keyword| map.get(keyword).and_then(Value::as_u64);
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    bound("minItems").is_some_and(|low| count < low) || bound("maxItems").is_some_and(|high| count > high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A value of a recursive type with four alternatives, `depth` deep and wrong at the bottom.
    fn term(depth: usize, bottom: Value) -> (Value, Value) {
        let variant = |name: &str| {
            json!({
                "type": "object",
                "properties": {
                    "op": {"const": name},
                    "left": {"type": "array", "items": {"type": "integer"}},
                    "right": {"$ref": "#/$defs/Term"},
                },
                "required": ["op"],
            })
        };
        let schema = json!({
            "type": "object",
            "properties": {"term": {"$ref": "#/$defs/Term"}},
            "$defs": {"Term": {"oneOf": [variant("add"), variant("sub"), variant("mul"), variant("div")]}},
        });
        let deep = (0..depth).fold(bottom, |right, _| json!({"op": "add", "left": vec![1; 200], "right": right}));
        (schema, json!({"term": deep}))
    }

    #[test]
    fn deep_alternatives_are_not_validated_over_and_over() {
        let (schema, value) = term(100, json!({"op": "pow"}));
        let validator = Validator::new(&schema).expect("a usable schema");
        let mut walk = Walk::new(&validator);
        walk.budget = PASSES * parts(&value);
        walk.visit(At { schema: &schema, pointer: "" }, &value, "");
        assert!(walk.budget < parts(&value) * 2, "four passes a level would have been far more");
        let problems = validator.problems(&value);
        assert_eq!(problems.len(), 1, "{problems:?}");
        let (_, small) = term(3, json!({"op": "pow"}));
        assert_eq!(validator.problems(&small)[0].path, "term.right.right.right");
    }

    #[test]
    fn null_deep_inside_of_alternatives_comes_to_an_end() {
        let (schema, value) = term(100, json!({"op": "add", "left": null}));
        assert!(Validator::new(&schema).expect("a usable schema").is_valid(&value));
    }
}
