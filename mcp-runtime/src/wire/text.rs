//! Texts, written fast.
//!
//! Most of what is large in a message is text, and `serde_json` looks at each of its bytes by itself. Here whole blocks are
//! copied that need no escape.

use super::scan::plain;
use serde::ser::{Error, Impossible, Serialize, Serializer};
use std::any::type_name;
use std::fmt;

/// Serializes a value as JSON, on one line: every message is one.
///
/// # Errors
/// As the value's own `Serialize` says, or if it has maps with keys that are no strings. Nothing is written then.
pub(crate) fn write_json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    if is_text(value) && value.serialize(Text(&mut *out)).is_ok() {
        return Ok(());
    }
    let before = out.len();
    match serde_json::to_writer(&mut *out, value) {
        Ok(()) => single_line(&mut out[before..]),
        Err(error) => {
            out.truncate(before);
            return Err(error);
        }
    }
    Ok(())
}

/// JSON that an author passes through as it is (`RawValue`) may hold line breaks between its tokens; inside of a string they
/// are forbidden.
fn single_line(json: &mut [u8]) {
    let mut rest = json;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        rest[at] = b' ';
        rest = &mut rest[at + 1..];
    }
}

/// The JSON text of a value, on one line.
///
/// # Errors
/// As [`write_json`].
pub(crate) fn to_json(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut out = String::new();
    if is_text(value) && value.serialize(Text(&mut out)).is_ok() {
        return Ok(out);
    }
    let json = serde_json::to_string(value)?;
    Ok(if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_some() { json.replace(['\n', '\r'], " ") } else { json })
}

/// Where text is written.
trait Sink {
    fn put(&mut self, text: &str);
    fn reserve(&mut self, bytes: usize);
}

impl Sink for String {
    fn put(&mut self, text: &str) {
        self.push_str(text);
    }

    fn reserve(&mut self, bytes: usize) {
        self.reserve(bytes);
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }

    fn reserve(&mut self, bytes: usize) {
        self.reserve(bytes);
    }
}

/// Is it worth trying whether the value is a text? Decided while compiling. Types that are called the same without being one
/// lose a moment, and nothing else.
fn is_text<T: ?Sized>(_: &T) -> bool {
    let name = type_name::<T>().trim_start_matches('&');
    matches!(name, "str" | "alloc::string::String" | "alloc::borrow::Cow<str>")
}

/// Writes a JSON string.
fn write_text(out: &mut impl Sink, text: &str) {
    out.reserve(text.len() + 2);
    out.put("\"");
    let mut rest = text;
    loop {
        let (as_it_is, special) = rest.split_at(plain(rest.as_bytes()));
        out.put(as_it_is);
        let Some(byte) = special.bytes().next() else { break };
        match byte {
            b'"' => out.put("\\\""),
            b'\\' => out.put("\\\\"),
            b'\n' => out.put("\\n"),
            b'\r' => out.put("\\r"),
            b'\t' => out.put("\\t"),
            0x08 => out.put("\\b"),
            0x0C => out.put("\\f"),
            control => {
                const DIGITS: &str = "0123456789abcdef";
                let low = usize::from(control % 16);
                out.put(if control < 16 { "\\u000" } else { "\\u001" });
                out.put(&DIGITS[low..=low]);
            }
        }
        rest = &special[1..];
    }
    out.put("\"");
}

/// Takes a string, and nothing else.
struct Text<'o, O>(&'o mut O);

/// The value is no string.
#[derive(Debug)]
struct NotText;

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a string")
    }
}

impl std::error::Error for NotText {}

impl Error for NotText {
    fn custom<T: fmt::Display>(_: T) -> Self {
        NotText
    }
}

/// Methods that refuse what they are given.
macro_rules! refuse {
    ($($method:ident($($kind:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $kind),*) -> Result<$ok, NotText> {
            Err(NotText)
        }
    )*};
}

type No = Impossible<(), NotText>;

impl<O: Sink> Serializer for Text<'_, O> {
    type Ok = ();
    type Error = NotText;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    fn serialize_str(self, text: &str) -> Result<(), NotText> {
        write_text(self.0, text);
        Ok(())
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> No;
        serialize_tuple(usize) -> No;
        serialize_tuple_struct(&'static str, usize) -> No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
        serialize_map(Option<usize>) -> No;
        serialize_struct(&'static str, usize) -> No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), NotText> {
        Err(NotText)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<(), NotText> {
        Err(NotText)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), NotText> {
        Err(NotText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn json(value: &(impl Serialize + ?Sized)) -> String {
        let mut out = b"before".to_vec();
        write_json(&mut out, value).expect("it can be written");
        String::from_utf8(out.split_off("before".len())).expect("UTF-8")
    }

    #[test]
    fn texts_are_written_as_serde_json_writes_them() {
        let controls: String = (0..=0x9F).filter_map(char::from_u32).collect();
        let long = controls.repeat(40);
        for text in [
            "",
            "a",
            "\"",
            "\\",
            "é\u{2028}\u{1f600}",
            "a long text without anything in it ".repeat(9).as_str(),
            &controls,
            &long,
        ] {
            let expected = serde_json::to_string(text).expect("JSON");
            assert_eq!(json(text), expected);
            assert_eq!(json(&text.to_owned()), expected);
            assert_eq!(json(&Cow::Borrowed(text)), expected);
            assert_eq!(json(&&text), expected);
            assert_eq!(to_json(text).ok(), Some(expected));
        }
    }

    #[test]
    fn everything_else_is_written_all_the_same() {
        assert_eq!(json(&5), "5");
        assert_eq!(json(&Some("x")), "\"x\"");
        assert_eq!(json(&["a", "b"]), r#"["a","b"]"#);
        assert_eq!(json(&'"'), serde_json::to_string(&'"').expect("JSON"));
    }

    #[test]
    fn line_breaks_between_tokens_become_spaces() {
        let raw = serde_json::value::RawValue::from_string("{\"a\":\r\n1,\n\"b\":\"\\n\"}".to_owned()).expect("JSON");
        assert_eq!(json(&raw), "{\"a\":  1, \"b\":\"\\n\"}");
        assert_eq!(to_json(&[raw]).ok().as_deref(), Some("[{\"a\":  1, \"b\":\"\\n\"}]"));
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let mut out = b"before".to_vec();
        let keys = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(write_json(&mut out, &vec![keys]).is_err());
        assert_eq!(out, b"before");
    }
}
