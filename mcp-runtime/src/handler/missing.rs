//! What stands for a value that did not come.

use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use std::marker::PhantomData;

/// Decodes into what a type has for absence by itself (an `Option`: `None`), and fails for all other types; as serde
/// decides it for a missing field.
pub(crate) struct Missing<E> {
    name: &'static str,
    error: PhantomData<E>,
}

impl<E> Missing<E> {
    /// The value of the field `name`.
    pub(crate) fn new(name: &'static str) -> Self {
        Missing { name, error: PhantomData }
    }
}

impl<'de, E: Error> Deserializer<'de> for Missing<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.name))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The value of a type that stands for absence by itself.
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Missing::<ValueError>::new("")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_option_may_be_absent() {
        assert_eq!(absent::<Option<u32>>(), Some(None));
        assert_eq!(absent::<u32>(), None);
        assert_eq!(absent::<Vec<u32>>(), None);
        assert_eq!(absent::<serde_json::Value>(), None);
    }
}
