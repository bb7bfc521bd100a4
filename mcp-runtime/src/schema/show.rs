//! Values as they appear in messages: in full when short, described otherwise.

use std::fmt::{self, Write as _};

use serde::Deserializer as _;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The longest JSON text that is shown, in characters.
const LONGEST: usize = 64;

/// What came, for a message: its JSON text up to 64 characters, else such as "a string of 1048576
/// characters".
pub(super) fn show(value: &Value) -> String {
    let mut text = Bounded::default();
    match write!(text, "{value}") {
        Ok(()) => text.text,
        Err(fmt::Error) => describe(value),
    }
}

/// As [`show`], for a value that is still JSON text. Text that is not valid JSON is described as
/// such.
pub(crate) fn show_raw(json: &str) -> String {
    let json = json.trim_ascii();
    if json.len() <= 4 * LONGEST {
        return match serde_json::from_str::<Value>(json) {
            Ok(value) => show(&value),
            Err(_) => "something that is not valid JSON".to_owned(),
        };
    }
    let mut reader = serde_json::Deserializer::from_str(json);
    reader
        .deserialize_any(Describe)
        .and_then(|described| reader.end().map(|()| described))
        .unwrap_or_else(|_| "something that is not valid JSON".to_owned())
}

fn describe(value: &Value) -> String {
    match value {
        Value::String(text) => a_string(text),
        Value::Array(items) => an_array(items.len()),
        Value::Object(members) => an_object(members.len()),
        _ => "a number of many digits".to_owned(),
    }
}

fn a_string(text: &str) -> String {
    counted("a string of", text.chars().count(), "character")
}

fn an_array(items: usize) -> String {
    counted("an array of", items, "item")
}

fn an_object(members: usize) -> String {
    counted("an object of", members, "member")
}

fn counted(what: &str, count: usize, unit: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{what} {count} {unit}{plural}")
}

/// Cuts `text` to `limit` characters, with an ellipsis for what is left out.
pub(super) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some(_) => text.chars().take(limit.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A text that refuses to grow beyond what is shown, so that a large value is never spelled out.
#[derive(Default)]
struct Bounded {
    text: String,
    length: usize,
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.length += more.chars().take(LONGEST + 1).count();
        if self.length > LONGEST {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

/// Describes a JSON text without building its value.
struct Describe;

impl<'de> Visitor<'de> for Describe {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        let value = Value::from(text);
        Ok(show(&value))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<String, E> {
        Ok("a number of many digits".to_owned())
    }

    fn visit_unit<E: Error>(self) -> Result<String, E> {
        Ok("null".to_owned())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<String, A::Error> {
        let mut count = 0;
        while items.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(an_array(count))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<String, A::Error> {
        let mut count = 0;
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(an_object(count))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{cut, show, show_raw};

    #[test]
    fn a_short_value_is_shown_as_json() {
        for (value, shown) in [
            (json!(null), "null"),
            (json!(-1), "-1"),
            (json!("abc"), "\"abc\""),
            (json!("a\"\n\u{0}"), "\"a\\\"\\n\\u0000\""),
            (json!([1, "b"]), "[1,\"b\"]"),
            (json!({"a": {"b": true}}), "{\"a\":{\"b\":true}}"),
            (json!("x".repeat(62)), &format!("\"{}\"", "x".repeat(62))),
        ] {
            assert_eq!(show(&value), shown);
            assert_eq!(show_raw(&format!(" {value}\n")), shown);
        }
    }

    #[test]
    fn a_long_value_is_described() {
        let members: serde_json::Map<_, _> = (0..100).map(|n| (n.to_string(), json!(n))).collect();
        for (value, shown) in [
            (json!("é".repeat(1 << 20)), "a string of 1048576 characters"),
            (json!("x".repeat(63)), "a string of 63 characters"),
            (json!(vec![10; 300]), "an array of 300 items"),
            (json!(["y".repeat(100)]), "an array of 1 item"),
            (json!(members), "an object of 100 members"),
        ] {
            assert_eq!(show(&value), shown);
            assert_eq!(show_raw(&value.to_string()), shown);
        }
        let digits = format!("1{}", "0".repeat(300));
        assert_eq!(show_raw(&digits), "a number of many digits");
    }

    #[test]
    fn raw_text_is_shown_by_value() {
        assert_eq!(show_raw("{ \"a\" :\n 1 }"), "{\"a\":1}");
        assert_eq!(show_raw("\"\\u0061\""), "\"a\"");
        let padded = format!("\"{}\"", "\\u0061".repeat(50));
        assert_eq!(show_raw(&padded), format!("\"{}\"", "a".repeat(50)));
        for wrong in ["", "{", "nope"] {
            assert_eq!(show_raw(wrong), "something that is not valid JSON");
        }
        assert_eq!(show_raw(&"[".repeat(5000)), "something that is not valid JSON");
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(cut("éééé", 4), "éééé");
        assert_eq!(cut("ééééé", 4), "ééé…");
    }
}
