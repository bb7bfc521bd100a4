//! JSON values as they stood on the wire.

use super::scan::Scanner;
use serde::Deserialize;
use std::borrow::Cow;

/// The text of one JSON value: known to be valid, and without white space around it.
///
/// What is inside of a message is passed on like this until somebody wants to know it, and decoded once, by whoever does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Json<'a>(pub(super) &'a str);

impl<'a> Json<'a> {
    /// `null`.
    pub(crate) const NULL: Json<'static> = Json("null");

    /// `{}`.
    pub(crate) const EMPTY: Json<'static> = Json("{}");

    /// A text that is one JSON value, white space around it left out; nothing if it is not.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let mut scanner = Scanner::new(text);
        let value = scanner.value().ok()?;
        scanner.end().ok().map(|()| value)
    }

    /// The text.
    pub(crate) fn get(self) -> &'a str {
        self.0
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// What a JSON string says, borrowed unless it holds escapes; nothing if it is no string, or one that no text can be.
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
            return Some(Cow::Borrowed(inner));
        }
        self.decode().ok().map(Cow::Owned)
    }

    /// Decodes the value.
    pub(crate) fn decode<T: Deserialize<'a>>(self) -> serde_json::Result<T> {
        serde_json::from_str(self.0)
    }

    /// The value, to be kept beyond its message.
    pub(crate) fn to_owned(self) -> OwnedJson {
        OwnedJson(self.0.into())
    }
}

/// A [`Json`] that outlives its message.
#[derive(Debug, Clone)]
pub(crate) struct OwnedJson(Box<str>);

impl OwnedJson {
    pub(crate) fn borrow(&self) -> Json<'_> {
        Json(&self.0)
    }
}

/// Members of an object that are known by a number each.
///
/// Each may come once, so that no other reader of the message can see another value than this one does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a, const N: usize> {
    values: [Option<Json<'a>>; N],
    repeated: bool,
}

impl<const N: usize> Default for Known<'_, N> {
    fn default() -> Self {
        Known { values: [None; N], repeated: false }
    }
}

impl<'a, const N: usize> Known<'a, N> {
    /// Notes a member's value.
    pub(crate) fn put(&mut self, member: usize, value: Json<'a>) {
        self.repeated |= self.values[member].replace(value).is_some();
    }

    /// A member's value; `null` counts as none.
    pub(crate) fn get(&self, member: usize) -> Option<Json<'a>> {
        self.values[member].filter(|value| !value.is_null())
    }

    /// Did a member come twice?
    pub(crate) fn is_repeated(&self) -> bool {
        self.repeated
    }
}
