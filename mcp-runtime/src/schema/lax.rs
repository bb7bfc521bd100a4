//! Where decoding takes more than the schema says: serde decodes a struct from an array of its fields as well, and a
//! variant without data from an object, `{"Red": null}`.
//!
//! Compiling a validator for every tool would be a high price for these two. Instead the places where they can happen
//! are noted at start-up; a call whose arguments have an array or an object inside is looked through for one at such a
//! place, and only if there is one a validator decides. This may see too many, never too few.

use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::keywords::{is_annotation, is_one_scalar, types};
use super::refs;

/// The places in arguments of one schema where decoding is lax.
#[derive(Debug)]
pub(crate) struct Lax {
    /// The first is the root.
    places: Vec<Place>,
}

/// What may stand at one place in the arguments.
#[derive(Debug, Default)]
struct Place {
    /// Objects may, so an array may be taken for one, also where other arrays may stand.
    object: bool,
    /// The names of variants without data, which may come as members.
    names: Vec<String>,
    /// Places inside: of members by name, of other members, of items. A member that several alternatives have is there
    /// more than once.
    members: Vec<(String, usize)>,
    others: Vec<usize>,
    items: Vec<usize>,
    /// Places of definitions whose values may stand here as well.
    also: Vec<usize>,
}

impl Lax {
    /// The lax places of a root schema; nothing if there are none below the root.
    pub(crate) fn of(root: &Value) -> Option<Self> {
        let mut builder = Builder { root, places: vec![Place::default()], definitions: HashMap::new() };
        builder.fill(0, root);
        let is_lax = |place: &Place| place.object || !place.names.is_empty();
        let any = builder.places.iter().skip(1).any(is_lax);
        any.then(|| Lax { places: (0..builder.places.len()).map(|index| whole(&builder.places, index)).collect() })
    }

    /// Whether a validator has to decide about the arguments.
    pub(crate) fn is_doubtful(&self, arguments: &str) -> bool {
        let inside = arguments.as_bytes().get(1..).unwrap_or_default();
        if memchr::memchr2(b'[', b'{', inside).is_none() {
            return false;
        }
        let mut found = false;
        let mut deserializer = serde_json::Deserializer::from_str(arguments);
        // What cannot be read is for decoding to refuse.
        let _ = Look { lax: self, at: vec![0], found: &mut found }.deserialize(&mut deserializer);
        found
    }
}

struct Builder<'s> {
    root: &'s Value,
    places: Vec<Place>,
    /// The places of definitions by name: each has one, however it refers to itself.
    definitions: HashMap<String, usize>,
}

impl<'s> Builder<'s> {
    fn add(&mut self) -> usize {
        self.places.push(Place::default());
        self.places.len() - 1
    }

    /// The place for values of `schema`; nothing if it is never lax.
    fn place(&mut self, schema: &'s Value) -> Option<usize> {
        let map = schema.as_object().filter(|map| !is_one_scalar(map))?;
        if let Some(name) = referred(map)
            && map.keys().all(|keyword| keyword == "$ref" || is_annotation(keyword))
        {
            return Some(self.definition(name));
        }
        let index = self.add();
        self.fill(index, schema);
        let place = &self.places[index];
        let is_idle = !place.object
            && place.names.is_empty()
            && place.members.is_empty()
            && place.others.is_empty()
            && place.items.is_empty()
            && place.also.is_empty();
        (!is_idle).then_some(index)
    }

    fn definition(&mut self, name: String) -> usize {
        if let Some(known) = self.definitions.get(&name) {
            return *known;
        }
        let index = self.add();
        let definition = self.root.get("$defs").and_then(|all| all.get(&name));
        self.definitions.insert(name, index);
        definition.into_iter().for_each(|definition| self.fill(index, definition));
        index
    }

    fn fill(&mut self, index: usize, schema: &'s Value) {
        let Value::Object(map) = schema else { return };
        if let Some(name) = referred(map) {
            let definition = self.definition(name);
            self.places[index].also.push(definition);
        }
        let types = types(map);
        let place = &mut self.places[index];
        place.object |= types.contains(&"object");
        if types.contains(&"string") {
            let names = map.get("enum").and_then(Value::as_array).into_iter().flatten();
            place.names.extend(names.chain(map.get("const")).filter_map(Value::as_str).map(str::to_owned));
        }
        self.fill_inside(index, map);
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for branch in map.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.fill(index, branch);
            }
        }
    }

    fn fill_inside(&mut self, index: usize, map: &'s Map<String, Value>) {
        for (name, property) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if let Some(inside) = self.place(property) {
                self.places[index].members.push((name.clone(), inside));
            }
        }
        if let Some(inside) = map.get("additionalProperties").and_then(|others| self.place(others)) {
            self.places[index].others.push(inside);
        }
        let places = map.get("prefixItems").and_then(Value::as_array).into_iter().flatten();
        for item in places.chain(map.get("items")) {
            if let Some(inside) = self.place(item) {
                self.places[index].items.push(inside);
            }
        }
    }
}

/// The definition that a schema refers to.
fn referred(schema: &Map<String, Value>) -> Option<String> {
    schema.get("$ref").and_then(Value::as_str).and_then(refs::target)
}

/// A place with everything that may stand there as well.
fn whole(places: &[Place], index: usize) -> Place {
    let (mut parts, mut at) = (vec![index], 0);
    let mut whole = Place::default();
    while let Some(place) = parts.get(at).map(|index| &places[*index]) {
        whole.object |= place.object;
        whole.names.extend_from_slice(&place.names);
        whole.members.extend_from_slice(&place.members);
        add_new(&mut whole.others, place.others.iter().copied());
        add_new(&mut whole.items, place.items.iter().copied());
        add_new(&mut parts, place.also.iter().copied());
        at += 1;
    }
    whole
}

/// Looks through a value for something doubtful; ends with an error as soon as there is.
struct Look<'l, 'f> {
    lax: &'l Lax,
    /// All places that the value may stand at; none: it is passed over.
    at: Vec<usize>,
    found: &'f mut bool,
}

impl Look<'_, '_> {
    fn places(&self) -> impl Iterator<Item = &Place> {
        self.at.iter().filter_map(|index| self.lax.places.get(*index))
    }

    fn doubt<E: Error>(self) -> Result<(), E> {
        *self.found = true;
        Err(E::custom("doubtful"))
    }
}

impl<'de> DeserializeSeed<'de> for Look<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.at.is_empty() {
            return deserializer.deserialize_ignored_any(IgnoredAny).map(drop);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if self.places().any(|place| place.object) {
            return self.doubt();
        }
        let mut at = Vec::new();
        self.places().for_each(|place| add_new(&mut at, place.items.iter().copied()));
        while items.next_element_seed(Look { lax: self.lax, at: at.clone(), found: &mut *self.found })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(inside) = members.next_key_seed(Member(&self))? {
            match inside {
                Some(at) => members.next_value_seed(Look { lax: self.lax, at, found: &mut *self.found })?,
                None => return self.doubt(),
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// From the name of a member to the places of its value; nothing if the name itself is doubtful.
struct Member<'k, 'l, 'f>(&'k Look<'l, 'f>);

impl<'de> DeserializeSeed<'de> for Member<'_, '_, '_> {
    type Value = Option<Vec<usize>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Member<'_, '_, '_> {
    type Value = Option<Vec<usize>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a member")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let mut at = Vec::new();
        for place in self.0.places() {
            if place.names.iter().any(|known| known == name) {
                return Ok(None);
            }
            add_new(&mut at, place.members.iter().filter(|(known, _)| known == name).map(|(_, inside)| *inside));
            // What one alternative knows by name is one of others in another.
            add_new(&mut at, place.others.iter().copied());
        }
        Ok(Some(at))
    }
}

/// Adds places that are not there yet: the alternatives of a recursive type lead to the same ones over and over.
fn add_new(at: &mut Vec<usize>, more: impl Iterator<Item = usize>) {
    for place in more {
        if !at.contains(&place) {
            at.push(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn doubts(schema: &Value, arguments: &Value) -> bool {
        Lax::of(schema).is_some_and(|lax| lax.is_doubtful(&arguments.to_string()))
    }

    #[test]
    fn plain_arguments_have_no_lax_places() {
        let plain = json!({"type": "object", "properties": {
            "a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}}, "c": {},
        }});
        assert!(Lax::of(&plain).is_none());
    }

    #[test]
    fn an_array_at_the_place_of_an_object_is_doubtful() {
        let point = json!({"type": "object", "properties": {"x": {"type": "integer"}}});
        let schema = json!({"type": "object", "properties": {
            "p": point,
            "list": {"type": "array", "items": point},
            "map": {"type": "object", "additionalProperties": point},
            "tuple": {"type": "array", "prefixItems": [{"type": "string"}, point], "items": {"anyOf": []}},
            "either": {"oneOf": [point, {"type": "array", "items": {"type": "string"}}]},
            "both": {"oneOf": [
                {"type": "object", "properties": {"a": {"type": "array", "items": point}}},
                {"type": "object", "additionalProperties": point},
            ]},
            "deep": {"oneOf": [{"type": "object", "properties": {"Point": point}}, {"type": "string", "enum": ["None"]}]},
        }});
        for (arguments, doubtful) in [
            (json!({"p": {"x": 1}}), false),
            (json!({"p": [1]}), true),
            (json!({"list": [{"x": 1}, {"x": 2}]}), false),
            (json!({"list": [{"x": 1}, [2]]}), true),
            (json!({"map": {"a": {"x": 1}}}), false),
            (json!({"map": {"a": [1]}}), true),
            (json!({"tuple": ["a", [1]]}), true),
            (json!({"either": [1]}), true),
            (json!({"both": {"a": {"x": 1}}}), false),
            (json!({"both": {"a": [1]}}), true),
            (json!({"deep": {"Point": {"x": 1}}}), false),
            (json!({"deep": {"Point": [1]}}), true),
            (json!({"deep": {"None": null}}), true),
            (json!({"other": [[1]]}), false),
        ] {
            assert_eq!(doubts(&schema, &arguments), doubtful, "{arguments}");
        }
    }

    #[test]
    fn recursive_types_are_followed() {
        let schema = json!({
            "type": "object",
            "properties": {"tree": {"$ref": "#/$defs/Tree"}},
            "$defs": {"Tree": {"type": "object", "properties": {
                "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
            }}},
        });
        assert!(!doubts(&schema, &json!({"tree": {"kids": [{"kids": []}]}})));
        assert!(doubts(&schema, &json!({"tree": {"kids": [{"kids": [[]]}]}})));
    }

    #[test]
    fn types_that_hold_themselves_behind_alternatives_come_to_an_end() {
        let or_null = |name: &str| json!({"anyOf": [{"$ref": format!("#/$defs/{name}")}, {"type": "null"}]});
        let schema = json!({
            "type": "object",
            "properties": {"a": or_null("A"), "itself": {"$ref": "#/$defs/Itself"}},
            "$defs": {
                "A": {"type": "object", "properties": {"b": {"type": "array", "items": or_null("B")}}},
                "B": {"type": "object", "properties": {"a": or_null("A")}},
                "Itself": or_null("Itself"),
            },
        });
        assert!(!doubts(&schema, &json!({"a": {"b": [{"a": {"b": [null, {"a": null}]}}]}})));
        assert!(doubts(&schema, &json!({"a": {"b": [{"a": {"b": [null, {"a": []}]}}]}})));
    }

    #[test]
    fn deep_values_of_types_with_many_alternatives_come_to_an_end() {
        let variant = |name: &str| {
            json!({"type": "object", "properties": {
                "op": {"const": name}, "left": {"$ref": "#/$defs/Term"}, "right": {"$ref": "#/$defs/Term"},
            }})
        };
        let schema = json!({
            "type": "object",
            "properties": {"term": {"$ref": "#/$defs/Term"}},
            "$defs": {"Term": {"oneOf": [variant("add"), variant("sub"), variant("mul"), variant("div")]}},
        });
        let mut term = json!([]);
        for _ in 0..100 {
            term = json!({"op": "add", "left": {"op": "sub"}, "right": term});
        }
        assert!(doubts(&schema, &json!({"term": term})));
    }
}
