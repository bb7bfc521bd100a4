//! The question whether all fields of a struct are fit, so that an unfit one is one error.
//!
//! A struct has three implementations, and each of them needs its fields to be fit. Only the schema's says so to the compiler:
//! the other two ask here, as `handler::param` does. The inherent `resolve` exists for lists of fit types alone and shadows the
//! trait's, which gives something that is never run: a program with an unfit field does not compile.

use super::{FieldValues, Fields, decode_fields, encode_fields};
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::marker::PhantomData;

/// A type that a field of a `#[mcp_type]` can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a field of a `#[mcp_type]`",
    label = "cannot travel as JSON",
    note = "it needs `#[mcp_type]` on it, and so does what is inside of it (or derives of `serde::Serialize`, \
            `serde::Deserialize` and `schemars::JsonSchema`, version 1 of each, as `#[mcp_type]` adds them)"
)]
pub trait FieldType: Serialize + DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema> FieldType for T {}

/// The types of the fields, as a list.
pub struct FieldTypes<L>(PhantomData<fn() -> L>);

impl<L> FieldTypes<L> {
    /// The one value.
    pub const HERE: Self = FieldTypes(PhantomData);
}

/// A list of fit types.
pub trait FitTypes {}

impl FitTypes for () {}

impl<T: FieldType, R: FitTypes> FitTypes for (T, R) {}

/// What encodes and decodes the fields.
pub struct Travel<L>(PhantomData<fn() -> L>);

impl<L: FitTypes> FieldTypes<L> {
    /// All of them are fit.
    pub fn resolve(self) -> Travel<L> {
        Travel(PhantomData)
    }
}

impl<L> Travel<L> {
    /// Decodes the fields of the struct `name`.
    pub fn decode<'de, D: Deserializer<'de>>(
        self,
        deserializer: D,
        name: &'static str,
        fields: &'static [&'static str],
    ) -> Result<L, D::Error>
    where
        L: Fields<'de>,
    {
        decode_fields(deserializer, name, fields)
    }

    /// Encodes the struct `name`.
    pub fn encode<S: Serializer>(
        self,
        serializer: S,
        name: &'static str,
        fields: &'static [&'static str],
        values: impl FieldValues,
    ) -> Result<S::Ok, S::Error> {
        encode_fields(serializer, name, fields, values)
    }
}

/// What stands in where a type is unfit.
pub struct Stranded<L>(PhantomData<fn() -> L>);

/// Every list.
pub trait AnyTypes<L> {
    /// One of them is unfit.
    fn resolve(self) -> Stranded<L>;
}

impl<L> AnyTypes<L> for FieldTypes<L> {
    fn resolve(self) -> Stranded<L> {
        Stranded(PhantomData)
    }
}

impl<L> Stranded<L> {
    /// Never runs.
    pub fn decode<'de, D: Deserializer<'de>>(
        self,
        _: D,
        name: &'static str,
        _: &'static [&'static str],
    ) -> Result<L, D::Error> {
        Err(serde::de::Error::custom(name))
    }

    /// Never runs.
    pub fn encode<S: Serializer, V>(
        self,
        _: S,
        name: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(name))
    }
}
