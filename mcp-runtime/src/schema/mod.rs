//! JSON Schemas for arguments and results.
//!
//! schemars makes a schema from a Rust type; the normalisation here brings it into the form that
//! clients of all kinds take: references only where a type contains itself, bounds instead of
//! formats that only Rust knows, no `null` where leaving a member out says the same, one list of
//! names for an enum without data. Everything published is enforced, by decoding into the type
//! or, where [`carries_constraints`] or [`Schemas::constrained`] says so, by a [`Validator`].
//!
//! Decoding refuses more than the schema says in a few places: numbers outside of 64-bit and larger
//! types, `1.0` for an integer, keys of integer-keyed maps that are no integers, and members of
//! alternatives at the root that do not go together. An author's bound beyond 2^53 - 1 is neither
//! published nor enforced.

mod author;
mod constraints;
mod enums;
mod keywords;
mod lax;
mod normalize;
mod nullable;
mod numbers;
mod problem;
mod refs;
mod root;
mod samples;
mod show;
mod similar;
#[cfg(test)]
mod tests;
#[cfg(feature = "validate")]
mod tolerance;
#[cfg(not(feature = "validate"))]
mod unvalidated;
#[cfg(feature = "validate")]
mod validate;
#[cfg(feature = "validate")]
mod walk;
mod words;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

pub use self::author::FieldOptions;
pub(crate) use self::author::{constrain, count_distinct, exemplify, set};
pub(crate) use self::constraints::carries_constraints;
pub(crate) use self::enums::describe;
pub(crate) use self::lax::Lax;
pub(crate) use self::problem::{Problem, member, report};
pub(crate) use self::root::{object, root_object, with_definitions};
pub(crate) use self::samples::unfit_samples;
pub(crate) use self::show::show_raw;
pub(crate) use self::similar::closest;
#[cfg(not(feature = "validate"))]
pub(crate) use self::unvalidated::Validator;
#[cfg(feature = "validate")]
pub(crate) use self::validate::Validator;
pub(crate) use self::words::expectation;

/// Which way values go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Values that are deserialized: arguments.
    Input,
    /// Values that are serialized: results.
    Output,
}

/// Makes the schemas of one function; types shared between its parameters share definitions.
#[derive(Debug)]
pub(crate) struct Schemas {
    role: Role,
    /// Writes schemas in place: what is published, and what attributes on fields add.
    inline: SchemaGenerator,
    /// Writes references: tells the schema of a named type from what stands in its fields.
    named: SchemaGenerator,
    /// Definitions that hand-written schemas brought along.
    brought: Map<String, Value>,
    /// Names of definitions that the schemas made so far refer to.
    referenced: BTreeSet<String>,
    constrained: bool,
    /// What is wrong with `#[arg(...)]` on fields.
    misfits: Vec<String>,
}

impl Schemas {
    /// Schemas for values that go the way of `role`.
    pub(crate) fn new(role: Role) -> Self {
        let settings = |inline| {
            let settings = SchemaSettings::draft2020_12().with(|settings| {
                settings.meta_schema = None;
                settings.inline_subschemas = inline;
            });
            match role {
                Role::Input => settings.for_deserialize(),
                Role::Output => settings.for_serialize(),
            }
        };
        Self {
            role,
            inline: settings(true).into_generator(),
            named: settings(false).into_generator(),
            brought: Map::new(),
            referenced: BTreeSet::new(),
            constrained: false,
            misfits: Vec::new(),
        }
    }

    /// The published schema of a `T`, to be put into `properties` or at the root.
    ///
    /// It has neither `$schema` nor `$defs`. `null` is still among the values of an `Option`:
    /// [`object`] takes it out of the arguments that are not required.
    pub(crate) fn of<T: JsonSchema + ?Sized>(&mut self) -> Value {
        let schema = self.inline.subschema_for::<T>().to_value();
        let named = self.named.subschema_for::<T>().to_value();
        self.publish(schema, &named, &T::schema_id(), &T::schema_name())
    }

    fn publish(&mut self, mut schema: Value, named: &Value, id: &str, name: &str) -> Value {
        if !constraints::checks_itself(id) {
            self.constrained |= constraints::raw(&schema) || constraints::lists_values(named, false);
        }
        if let Value::Object(map) = &mut schema {
            // A title that only repeats the type's name tells a model nothing.
            if map.get("title").and_then(Value::as_str) == Some(name) {
                map.shift_remove("title");
            }
            if let Some(Value::Object(brought)) = map.shift_remove("$defs") {
                self.brought.extend(brought);
            }
        }
        self.finish(&mut schema);
        if self.role == Role::Output {
            say_object(&mut schema);
        }
        schema
    }

    fn finish(&mut self, schema: &mut Value) {
        refs::inline(schema, self.inline.definitions());
        refs::inline(schema, &self.brought);
        author::take_misfits(schema, &mut self.misfits);
        normalize::normalize(schema, self.role);
        refs::collect(schema, &mut self.referenced);
    }

    /// Whether a schema made so far carries anything that decoding into its type cannot check.
    ///
    /// This is exact where [`carries_constraints`] has to guess, and errs on the side of true.
    pub(crate) fn constrained(&self) -> bool {
        let lists = |schema| constraints::lists_values(schema, true);
        self.constrained
            || self.inline.definitions().values().any(constraints::raw)
            || self.named.definitions().values().any(lists)
            || self.brought.values().any(carries_constraints)
    }

    /// Whether the schemas made so far stand for themselves: no definition, no constraint, and nothing wrong.
    pub(crate) fn are_plain(&self) -> bool {
        let no_definitions = self.inline.definitions().is_empty() && self.named.definitions().is_empty();
        no_definitions && self.brought.is_empty() && !self.constrained && self.misfits.is_empty()
    }

    /// Whether a `T` takes each of its items once. As an argument it takes them twice all the same, and its schema does
    /// not tell.
    pub(crate) fn is_set<T: JsonSchema + ?Sized>(&mut self) -> bool {
        self.inline.subschema_for::<T>().as_object().is_some_and(normalize::is_set)
    }

    /// What is wrong with the options of fields in the schemas made so far, for their author.
    pub(crate) fn take_misfits(&mut self) -> Vec<String> {
        std::mem::take(&mut self.misfits)
    }

    /// The `$defs` that the schemas made so far refer to: those of types that contain themselves.
    pub(crate) fn take_definitions(&mut self) -> Map<String, Value> {
        let mut definitions = Map::new();
        while let Some(name) = self.referenced.pop_first() {
            let found = self.inline.definitions().get(&name);
            let Some(mut definition) = found.or(self.brought.get(&name)).cloned() else {
                continue;
            };
            if definitions.contains_key(&name) {
                continue;
            }
            self.finish(&mut definition);
            definitions.insert(name, definition);
        }
        definitions.sort_keys();
        definitions
    }
}

/// Says `object` at the root of a result all of whose forms are objects: revisions before
/// 2026-07-28 take no other `outputSchema`.
fn say_object(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if map.contains_key("type") {
        return;
    }
    let all_objects = ["oneOf", "anyOf"].iter().any(|keyword| {
        map.get(*keyword)
            .and_then(Value::as_array)
            .is_some_and(|branches| !branches.is_empty() && branches.iter().all(is_object_root))
    });
    if all_objects {
        let rest = std::mem::take(map);
        map.insert("type".to_owned(), "object".into());
        map.extend(rest);
    }
}

/// Whether results of this schema travel as text, without `outputSchema`: strings, numbers,
/// booleans, `null`, and alternatives of these.
pub(crate) fn is_scalar(schema: &Value) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    let types = keywords::types(map);
    if !types.is_empty() {
        return !types.iter().any(|name| matches!(*name, "object" | "array"));
    }
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    if let Some(only) = map.get("const") {
        return plain(only);
    }
    if let Some(Value::Array(values)) = map.get("enum") {
        return values.iter().all(plain);
    }
    ["anyOf", "oneOf"].iter().any(|keyword| {
        map.get(*keyword)
            .and_then(Value::as_array)
            .is_some_and(|branches| !branches.is_empty() && branches.iter().all(is_scalar))
    })
}

/// Whether values of this schema are JSON objects and nothing else.
pub(crate) fn is_object_root(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}
