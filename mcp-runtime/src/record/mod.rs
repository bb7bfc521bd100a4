//! Structs that ask nothing of serde or schemars: what `#[mcp_type]` makes of them.
//!
//! The derives of these crates write all that they do out for every type, and for servers with many types that becomes
//! most of what a compiler has to do. Here the fields of a struct are a list of types, `(A, (B, ()))`; what is done with
//! a list is written once, and compiled once for all structs with the same list. What comes out is what the derives make.

mod probe;

use probe::FieldType;
pub use probe::{AnyTypes, FieldTypes};

use crate::handler::Missing;
use schemars::{Schema, SchemaGenerator};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::marker::PhantomData;

/// Values of several fields that are decoded.
pub trait Fields<'de>: Sized {
    /// What has come for them so far.
    type Slots: Default;

    /// Decodes the value of field `index`; names are there for errors.
    fn fill<A: MapAccess<'de>>(
        slots: &mut Self::Slots,
        index: usize,
        names: &'static [&'static str],
        map: &mut A,
    ) -> Result<(), A::Error>;

    /// The values, when no more will come.
    fn finish<E: Error>(slots: Self::Slots, names: &'static [&'static str]) -> Result<Self, E>;

    /// Decodes values without names, in order, and stops where there is none.
    fn in_order<A: SeqAccess<'de>>(seq: &mut A, index: usize) -> Result<Self, InOrder<A::Error>>;
}

/// Why values without names are not what is wanted.
pub enum InOrder<E> {
    /// A value is wrong.
    Wrong(E),
    /// There are only so many.
    Short(usize),
}

impl<'de> Fields<'de> for () {
    type Slots = ();

    fn fill<A: MapAccess<'de>>((): &mut (), _: usize, _: &'static [&'static str], map: &mut A) -> Result<(), A::Error> {
        map.next_value::<IgnoredAny>().map(drop)
    }

    fn finish<E: Error>((): (), _: &'static [&'static str]) -> Result<Self, E> {
        Ok(())
    }

    fn in_order<A: SeqAccess<'de>>(_: &mut A, _: usize) -> Result<Self, InOrder<A::Error>> {
        Ok(())
    }
}

impl<'de, T: Deserialize<'de>, R: Fields<'de>> Fields<'de> for (T, R) {
    type Slots = (Option<T>, R::Slots);

    fn fill<A: MapAccess<'de>>(
        (slot, rest): &mut Self::Slots,
        index: usize,
        names: &'static [&'static str],
        map: &mut A,
    ) -> Result<(), A::Error> {
        if let Some(index) = index.checked_sub(1) {
            return R::fill(rest, index, &names[1..], map);
        }
        if slot.is_some() {
            return Err(A::Error::duplicate_field(names[0]));
        }
        *slot = Some(map.next_value()?);
        Ok(())
    }

    fn finish<E: Error>((slot, rest): Self::Slots, names: &'static [&'static str]) -> Result<Self, E> {
        let value = match slot {
            Some(value) => value,
            None => T::deserialize(Missing::new(names[0]))?,
        };
        Ok((value, R::finish(rest, &names[1..])?))
    }

    fn in_order<A: SeqAccess<'de>>(seq: &mut A, index: usize) -> Result<Self, InOrder<A::Error>> {
        match seq.next_element() {
            Ok(Some(value)) => Ok((value, R::in_order(seq, index + 1)?)),
            Ok(None) => Err(InOrder::Short(index)),
            Err(error) => Err(InOrder::Wrong(error)),
        }
    }
}

/// Decodes the fields of the struct `name`.
fn decode_fields<'de, F: Fields<'de>, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
    fields: &'static [&'static str],
) -> Result<F, D::Error> {
    deserializer.deserialize_struct(name, fields, Record { name, fields, list: PhantomData })
}

struct Record<F> {
    name: &'static str,
    fields: &'static [&'static str],
    list: PhantomData<fn() -> F>,
}

impl<'de, F: Fields<'de>> Visitor<'de> for Record<F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<F, A::Error> {
        let mut slots = F::Slots::default();
        while let Some(index) = map.next_key_seed(Name(self.fields))? {
            F::fill(&mut slots, index, self.fields, &mut map)?;
        }
        F::finish(slots, self.fields)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<F, A::Error> {
        F::in_order(&mut seq, 0).map_err(|problem| match problem {
            InOrder::Wrong(error) => error,
            InOrder::Short(count) => too_short(self.name, self.fields, count),
        })
    }
}

fn too_short<E: Error>(name: &str, fields: &[&str], count: usize) -> E {
    let (wanted, s) = (fields.len(), if fields.len() == 1 { "" } else { "s" });
    E::invalid_length(count, &format!("struct {name} with {wanted} element{s}").as_str())
}

/// Looks a field's name up; a name that no field has gives the number behind the last one.
struct Name(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<usize, E> {
        Ok(usize::try_from(index).unwrap_or(usize::MAX).min(self.0.len()))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.visit_bytes(name.as_bytes())
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        Ok(self.0.iter().position(|known| known.as_bytes() == name).unwrap_or(self.0.len()))
    }
}

/// Values of several fields that are encoded.
pub trait FieldValues {
    /// Encodes all of them.
    fn each<S: SerializeStruct>(self, names: &'static [&'static str], record: &mut S) -> Result<(), S::Error>;
}

impl FieldValues for () {
    fn each<S: SerializeStruct>(self, _: &'static [&'static str], _: &mut S) -> Result<(), S::Error> {
        Ok(())
    }
}

impl<T: Serialize, R: FieldValues> FieldValues for (&T, R) {
    fn each<S: SerializeStruct>(self, names: &'static [&'static str], record: &mut S) -> Result<(), S::Error> {
        record.serialize_field(names[0], self.0)?;
        self.1.each(&names[1..], record)
    }
}

/// Encodes the struct `name`.
fn encode_fields<S: Serializer>(
    serializer: S,
    name: &'static str,
    fields: &'static [&'static str],
    values: impl FieldValues,
) -> Result<S::Ok, S::Error> {
    let mut record = serializer.serialize_struct(name, fields.len())?;
    values.each(fields, &mut record)?;
    record.end()
}

/// The schema of a struct, field by field.
pub struct Members<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

/// A schema without fields so far.
pub fn describe_fields(generator: &mut SchemaGenerator) -> Members<'_> {
    Members { generator, properties: Map::new(), required: Vec::new() }
}

impl Members<'_> {
    /// The next field.
    pub fn field<T: FieldType>(mut self, name: &'static str, description: &'static str) -> Self {
        let schema = self.generator.subschema_for::<T>();
        let may_be_absent = self.generator.contract().is_deserialize() && crate::handler::absent::<T>().is_some();
        self.insert(name, description, schema, may_be_absent);
        self
    }

    fn insert(&mut self, name: &str, description: &str, mut schema: Schema, may_be_absent: bool) {
        describe(&mut schema, description);
        self.properties.insert(name.to_owned(), schema.into());
        if !may_be_absent {
            self.required.push(name.into());
        }
    }

    /// The schema of the struct.
    pub fn schema(self, description: &'static str) -> Schema {
        let mut members = Map::new();
        members.insert("type".to_owned(), "object".into());
        members.insert("properties".to_owned(), self.properties.into());
        if !self.required.is_empty() {
            members.insert("required".to_owned(), self.required.into());
        }
        let mut schema = Schema::from(members);
        describe(&mut schema, description);
        schema
    }
}

fn describe(schema: &mut Schema, description: &str) {
    if !description.is_empty() {
        schema.insert("description".to_owned(), description.into());
    }
}

#[cfg(test)]
mod tests;
