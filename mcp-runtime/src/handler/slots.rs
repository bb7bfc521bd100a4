//! The arguments of one call, collected once as raw JSON by parameter, each decoded on its own.

use super::missing::absent;
use crate::wire::{Json, NotJson, Scanner};
use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;
use smallvec::SmallVec;
use std::borrow::Cow;

/// What came for one parameter.
#[derive(Clone)]
pub(crate) enum Slot<'a> {
    /// Nothing.
    Missing,
    /// A JSON value.
    Json(Json<'a>),
    /// Text from a place that knows only text: a prompt's argument, a URI template's variable.
    Text(Cow<'a, str>),
}

/// Why an argument was refused, as decoding saw it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DecodeProblem {
    /// The parameter's value is missing.
    Missing { index: usize },
    /// The value of parameter `index` (of the whole object: `None`) is wrong at `path` inside of it (empty for itself).
    Wrong { index: Option<usize>, path: String, message: String, got: String },
    /// The text for parameter `index` cannot be read, and its type says why.
    Unreadable { index: usize, message: String, got: String },
    /// There is no such parameter.
    Unknown { name: String },
    /// The argument came twice.
    Repeated { name: String },
    /// The arguments are not an object.
    NotAnObject,
}

/// The slots of one call, by parameter index.
pub(crate) struct Slots<'a> {
    values: SmallVec<[Slot<'a>; 8]>,
    problems: Vec<DecodeProblem>,
}

/// More unknown or repeated names than this are not listed: the list is for a reader, the names are the peer's.
const MAX_UNKNOWN: usize = 8;

impl<'a> Slots<'a> {
    /// Empty slots for `count` parameters.
    pub(crate) fn new(count: usize) -> Self {
        Slots { values: smallvec::smallvec![Slot::Missing; count], problems: Vec::new() }
    }

    /// Collects a JSON object's members. `names[i]` is the argument name of parameter `i`, `None` for an injected one.
    pub(crate) fn collect(names: &[Option<&str>], object: Option<Json<'a>>, ignore_unknown: bool) -> Self {
        let mut slots = Slots::new(names.len());
        let Some(object) = object else { return slots };
        let collected = Scanner::new(object.get()).object(|name, scanner| {
            let (name, value) = (name.text(), scanner.value()?);
            match names.iter().position(|known| *known == Some(&*name)) {
                Some(index) if slots.is_missing(index) => slots.values[index] = Slot::Json(value),
                Some(_) => slots.note(DecodeProblem::Repeated { name: name.into_owned() }),
                None if ignore_unknown => {}
                None => slots.note(DecodeProblem::Unknown { name: name.chars().take(64).collect() }),
            }
            Ok(())
        });
        if collected == Err(NotJson) {
            slots.problems.push(DecodeProblem::NotAnObject);
        }
        slots
    }

    /// Notes what is wrong with a member.
    fn note(&mut self, problem: DecodeProblem) {
        if self.problems.len() < MAX_UNKNOWN {
            self.problems.push(problem);
        }
    }

    /// Puts text into a slot.
    pub(crate) fn set_text(&mut self, index: usize, text: Cow<'a, str>) {
        self.values[index] = Slot::Text(text);
    }

    /// Is there a value for the parameter?
    pub(crate) fn is_missing(&self, index: usize) -> bool {
        matches!(self.values[index], Slot::Missing)
    }

    /// What came for a parameter, for a validator: a text stays one if that is what is taken, and is read otherwise.
    pub(crate) fn value(&self, index: usize, takes_text: bool) -> Option<Value> {
        match &self.values[index] {
            Slot::Missing => None,
            Slot::Json(json) => json.decode().ok(),
            Slot::Text(text) if takes_text => Some(Value::from(&**text)),
            Slot::Text(text) => Some(serde_json::from_str(text).unwrap_or_else(|_| Value::from(&**text))),
        }
    }

    /// Every value that came as JSON becomes text where it is a JSON string: prompts know only strings.
    pub(crate) fn strings_to_text(&mut self) {
        for slot in &mut self.values {
            if let Slot::Json(json) = slot
                && let Some(text) = json.text()
            {
                *slot = Slot::Text(text);
            }
        }
    }

    pub(super) fn problems(&self) -> &[DecodeProblem] {
        &self.problems
    }

    pub(super) fn into_problems(self) -> Vec<DecodeProblem> {
        self.problems
    }

    /// Decodes one parameter's value; a failure is recorded.
    pub(super) fn decode<T: DeserializeOwned>(&mut self, index: usize) -> Option<T> {
        let decoded = match &self.values[index] {
            Slot::Missing => absent().ok_or(DecodeProblem::Missing { index }),
            Slot::Json(json) => from_json(*json, Some(index)),
            Slot::Text(text) => from_text(text, index),
        };
        decoded.map_err(|problem| self.problems.push(problem)).ok()
    }

    /// Reads the text for a parameter; `Some(None)` if there is none. A failure is recorded.
    pub(super) fn read<T>(&mut self, index: usize, read: impl FnOnce(&str) -> Result<T, String>) -> Option<Option<T>> {
        // A URI gives nothing but texts.
        let Slot::Text(text) = &self.values[index] else { return Some(None) };
        let unreadable = |message| {
            let got = serde_json::to_string(text).unwrap_or_default();
            DecodeProblem::Unreadable { index, message, got }
        };
        read(text).map_err(unreadable).map_err(|problem| self.problems.push(problem)).map(Some).ok()
    }

    /// Records that a parameter's value is missing.
    pub(super) fn lacks<T>(&mut self, index: usize) -> Option<T> {
        self.problems.push(DecodeProblem::Missing { index });
        None
    }

    /// Decodes the whole object; no arguments at all are an empty object.
    pub(super) fn decode_whole<T: DeserializeOwned>(&mut self, arguments: Option<Json<'_>>) -> Option<T> {
        let decoded = match arguments {
            Some(arguments) => from_json(arguments, None),
            None => from_json(Json::EMPTY, None),
        };
        decoded.map_err(|problem| self.problems.push(problem)).ok()
    }

    /// Like `decode`, but an absent value, or an explicit null that `T` itself does not take, gives the default.
    pub(super) fn decode_or<T: DeserializeOwned>(&mut self, index: usize, default: fn() -> T) -> Option<T> {
        match &self.values[index] {
            Slot::Missing => Some(default()),
            Slot::Json(json) if json.is_null() => Some(json.decode().unwrap_or_else(|_| default())),
            _ => self.decode(index),
        }
    }
}

fn from_json<T: DeserializeOwned>(json: Json<'_>, index: Option<usize>) -> Result<T, DecodeProblem> {
    serde_json::from_str(json.get()).map_err(|_| {
        // Only a failure pays for the path.
        let mut deserializer = serde_json::Deserializer::from_str(json.get());
        let (path, message) = match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
            Ok(_) => (String::new(), String::from("unexpected trailing characters")),
            Err(error) => (error.path().to_string(), error.inner().to_string()),
        };
        let path = if path == "." { String::new() } else { path };
        DecodeProblem::Wrong { index, path, message, got: json.get().to_owned() }
    })
}

/// A `String` gets the exact text; a number, a boolean or a structure is parsed from it.
fn from_text<T: DeserializeOwned>(text: &str, index: usize) -> Result<T, DecodeProblem> {
    use serde::de::IntoDeserializer;
    T::deserialize(Optional(IntoDeserializer::<ValueError>::into_deserializer(text)))
        .or_else(|as_text: ValueError| serde_json::from_str(text).map_err(|_| as_text))
        .map_err(|error| DecodeProblem::Wrong {
            index: Some(index),
            path: String::new(),
            message: error.to_string(),
            got: serde_json::to_string(text).unwrap_or_default(),
        })
}

/// Text for an `Option`: the text is there, so it is `Some`.
struct Optional<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Optional<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(self.0)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json<'_> {
        Json::of(text).expect("JSON")
    }

    #[test]
    fn strings_are_taken_exactly_whatever_they_look_like() {
        for text in ["{\"a\":1}", "[1]", "5", "true", "null", "", " x ", "\u{0}", "e\u{301}"] {
            let quoted = serde_json::to_string(text).expect("JSON");
            assert_eq!(from_json::<String>(json(&quoted), None).as_deref(), Ok(text));
            assert_eq!(from_text::<String>(text, 0).as_deref(), Ok(text));
            assert_eq!(from_text::<Option<String>>(text, 0), Ok(Some(text.to_owned())));
        }
    }

    #[test]
    fn text_is_parsed_for_types_that_are_not_text() {
        assert_eq!(from_text::<u32>("20", 0), Ok(20));
        assert_eq!(from_text::<Option<u32>>("20", 0), Ok(Some(20)));
        assert_eq!(from_text::<bool>("true", 0), Ok(true));
        assert_eq!(from_text::<Vec<u8>>("[1,2]", 0), Ok(vec![1, 2]));
        assert!(from_text::<u32>("x", 0).is_err());
        assert!(from_text::<u32>("-1", 0).is_err());
    }

    #[test]
    fn members_are_found_by_exact_name_once() {
        let object = json(r#"{"b":2,"a":1,"B":3,"a":4}"#);
        let mut slots = Slots::collect(&[Some("a"), None, Some("b")], Some(object), false);
        assert_eq!(slots.decode::<u8>(0), Some(1));
        assert_eq!(slots.decode::<u8>(2), Some(2));
        assert_eq!(
            slots.into_problems(),
            [DecodeProblem::Unknown { name: "B".into() }, DecodeProblem::Repeated { name: "a".into() }]
        );
    }

    #[test]
    fn a_default_stands_in_for_absence_and_null() {
        let object = json(r#"{"a":null}"#);
        let mut slots = Slots::collect(&[Some("a"), Some("b")], Some(object), false);
        assert_eq!(slots.decode_or::<u8>(0, || 7), Some(7));
        assert_eq!(slots.decode_or::<Option<u8>>(0, || Some(7)), Some(None));
        assert_eq!(slots.decode_or::<u8>(1, || 8), Some(8));
    }

    #[test]
    fn a_failure_names_the_place_inside_the_value() {
        #[derive(serde::Deserialize, Debug)]
        #[allow(dead_code)]
        struct Filter {
            tags: Vec<u8>,
        }
        let object = json(r#"{"filter":{"tags":[1,"x"]}}"#);
        let mut slots = Slots::collect(&[Some("filter")], Some(object), false);
        assert!(slots.decode::<Filter>(0).is_none());
        let [DecodeProblem::Wrong { path, .. }] = slots.problems() else { panic!("one problem") };
        assert_eq!(path, "tags[1]");
    }
}
