//! Writes a JSON object member by member, straight into the output.

use super::write_json;
use serde::Serialize;

/// An object under way; [`end`](Self::end) closes it.
pub(crate) struct Object<'a> {
    out: &'a mut Vec<u8>,
    empty: bool,
}

impl<'a> Object<'a> {
    /// Opens an object.
    pub(crate) fn begin(out: &'a mut Vec<u8>) -> Self {
        out.push(b'{');
        Object { out, empty: true }
    }

    /// A member whose value `write` writes (exactly one JSON value).
    pub(crate) fn with(&mut self, key: &'static str, write: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        if !std::mem::take(&mut self.empty) {
            self.out.push(b',');
        }
        self.out.push(b'"');
        // Keys are the specification's own names: they need no escapes.
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        write(self.out);
        self
    }

    /// A member with a serialized value.
    pub(crate) fn field(&mut self, key: &'static str, value: &(impl Serialize + ?Sized)) -> &mut Self {
        self.with(key, |out| value_into(out, value))
    }

    /// A member that is left out when there is no value.
    pub(crate) fn maybe(&mut self, key: &'static str, value: Option<&(impl Serialize + ?Sized)>) -> &mut Self {
        match value {
            Some(value) => self.field(key, value),
            None => self,
        }
    }

    /// A member whose value is JSON text already.
    pub(crate) fn raw(&mut self, key: &'static str, json: &str) -> &mut Self {
        self.with(key, |out| out.extend_from_slice(json.as_bytes()))
    }

    /// A member that is an array of what `write` writes for each item.
    pub(crate) fn list<T>(
        &mut self,
        key: &'static str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Vec<u8>, T),
    ) -> &mut Self {
        self.with(key, |out| {
            out.push(b'[');
            for (index, item) in items.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(out, item);
            }
            out.push(b']');
        })
    }

    /// Members with keys of their own.
    pub(crate) fn members<'m, V: Serialize + 'm>(
        &mut self,
        members: impl IntoIterator<Item = (&'m String, &'m V)>,
    ) -> &mut Self {
        for (key, value) in members {
            if !std::mem::take(&mut self.empty) {
                self.out.push(b',');
            }
            value_into(self.out, key);
            self.out.push(b':');
            value_into(self.out, value);
        }
        self
    }

    /// Closes the object.
    pub(crate) fn end(&mut self) {
        self.out.push(b'}');
    }
}

/// Serializes a value of the model; those have string keys and no failing parts.
pub(crate) fn value_into(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    if write_json(out, value).is_err() {
        out.extend_from_slice(b"null");
    }
}
