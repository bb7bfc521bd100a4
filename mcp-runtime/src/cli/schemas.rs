//! Looking around in a published schema: what a reference stands for, which member a name belongs to.

use serde_json::{Map, Value};

/// How many references in a row are followed.
const MOST_HOPS: usize = 8;

/// The schema of a value of which nothing is known.
static ANYTHING: Value = Value::Bool(true);

/// A root schema: references start here.
#[derive(Clone, Copy)]
pub(super) struct Root<'s>(pub(super) &'s Value);

/// What a schema says about a member of its objects.
pub(super) enum Member<'s> {
    /// The member has this schema, or one of these in different alternatives.
    Known(Vec<&'s Value>),
    /// Members of any name have this schema.
    Free(&'s Value),
    /// No such member.
    Unknown,
}

impl<'s> Root<'s> {
    /// The schema itself, with references followed.
    pub(super) fn resolve(self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        for _ in 0..MOST_HOPS {
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
            match target.and_then(|pointer| self.0.pointer(pointer)) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    /// The member `name` of the objects of some schemas, be it in these themselves or in their alternatives.
    pub(super) fn member(self, schemas: &[&'s Value], name: &str) -> Member<'s> {
        let places = self.all_places(schemas);
        let found: Vec<_> = places.iter().filter_map(|place| properties(place)?.get(name)).collect();
        if !found.is_empty() {
            return Member::Known(found);
        }
        let others = places.iter().filter_map(|place| place.get("additionalProperties"));
        if let Some(others) = others.into_iter().find(|others| **others != Value::Bool(false)) {
            return Member::Free(others);
        }
        let says_nothing =
            |place: &&Map<String, Value>| properties(place).is_none() && !place.contains_key("additionalProperties");
        let open = places.iter().any(|place| place.contains_key("patternProperties"));
        if open || (!places.is_empty() && places.iter().all(says_nothing)) {
            return Member::Free(&ANYTHING);
        }
        Member::Unknown
    }

    /// The names of the members that the objects of some schemas may have.
    pub(super) fn names(self, schemas: &[&'s Value]) -> Vec<&'s str> {
        let places = self.all_places(schemas);
        places.iter().filter_map(|place| properties(place)).flat_map(Map::keys).map(String::as_str).collect()
    }

    fn all_places(self, schemas: &[&'s Value]) -> Vec<&'s Map<String, Value>> {
        schemas.iter().flat_map(|schema| self.places(schema, 0)).collect()
    }

    /// The object schemas that a schema is made of.
    fn places(self, schema: &'s Value, depth: usize) -> Vec<&'s Map<String, Value>> {
        let Value::Object(map) = self.resolve(schema) else { return Vec::new() };
        let own = types(map).contains(&"object") || map.contains_key("properties");
        let mut places: Vec<_> = own.then_some(map).into_iter().collect();
        if depth < MOST_HOPS {
            let branches = ["allOf", "anyOf", "oneOf"].iter().filter_map(|keyword| map.get(*keyword)?.as_array());
            places.extend(branches.flatten().flat_map(|branch| self.places(branch, depth + 1)));
        }
        places
    }
}

fn properties(map: &Map<String, Value>) -> Option<&Map<String, Value>> {
    map.get("properties")?.as_object()
}

/// The types that a schema names.
pub(super) fn types(map: &Map<String, Value>) -> Vec<&str> {
    match map.get("type") {
        Some(Value::String(only)) => vec![only],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The values that a schema lists.
pub(super) fn listed(map: &Map<String, Value>) -> Option<&[Value]> {
    match (map.get("const"), map.get("enum")) {
        (Some(only), _) => Some(std::slice::from_ref(only)),
        (None, Some(Value::Array(values))) => Some(values),
        _ => None,
    }
}

/// The alternatives of a schema.
pub(super) fn branches(map: &Map<String, Value>) -> &[Value] {
    let list = |keyword: &str| map.get(keyword).and_then(Value::as_array).filter(|list| !list.is_empty());
    list("anyOf").or_else(|| list("oneOf")).map_or(&[], Vec::as_slice)
}
