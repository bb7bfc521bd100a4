//! JSON text that is the same for equal values, without reading numbers or nested values into anything that could change
//! them.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Deeper nesting than this has no canonical form.
const DEEPEST: usize = 64;

/// Writes the canonical form of a value: members in the order of their names, strings with the same escapes, everything else
/// as it stands. `None` if it is nested too deeply, or if a member is repeated (then nobody knows which one counts).
pub(super) fn canonical(raw: &RawValue, out: &mut String) -> Option<()> {
    write(raw, DEEPEST, out)
}

fn write(raw: &RawValue, depth: usize, out: &mut String) -> Option<()> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let members: Members<'_> = serde_json::from_str(text).ok()?;
            out.push('{');
            for (name, value) in members.0? {
                out.push_str(&serde_json::to_string(&name).ok()?);
                out.push(':');
                write(value, depth.checked_sub(1)?, out)?;
                out.push(',');
            }
            out.push('}');
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            out.push('[');
            for item in items {
                write(item, depth.checked_sub(1)?, out)?;
                out.push(',');
            }
            out.push(']');
        }
        Some(b'"') => match serde_json::from_str::<String>(text) {
            Ok(string) => out.push_str(&serde_json::to_string(&string).ok()?),
            // Escapes that are no character: the text itself still tells it from others.
            Err(_) => out.push_str(text),
        },
        _ => out.push_str(text),
    }
    Some(())
}

/// The members of an object by name; `None` if one is repeated.
struct Members<'a>(Option<BTreeMap<String, &'a RawValue>>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (mut members, mut repeated) = (BTreeMap::new(), false);
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    repeated |= members.insert(name, value).is_some();
                }
                Ok(Members((!repeated).then_some(members)))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Option<String> {
        let raw = RawValue::from_string(text.to_owned()).expect("JSON");
        let mut out = String::new();
        canonical(&raw, &mut out).map(|()| out)
    }

    #[test]
    fn equal_values_have_one_form_however_they_are_written() {
        assert_eq!(form(r#"{ "b": [1, {"x":null}], "a": "\u00e9" }"#), form(r#"{"a":"é","b":[1,{"x":null}]}"#));
    }

    #[test]
    fn different_values_have_different_forms_even_where_numbers_or_texts_cannot_be_read() {
        for (one, other) in [
            (r#"{"a":1,"j":1e999}"#, r#"{"a":2,"j":1e999}"#),
            (r#"{"a":1,"j":"\ud800"}"#, r#"{"a":2,"j":"\ud800"}"#),
            ("18446744073709551616", "18446744073709551617"),
            ("[1,2]", "[12]"),
            (r#"["a","b"]"#, r#"["a,b"]"#),
            ("{}", "[]"),
        ] {
            assert_ne!(form(one), form(other), "{one} {other}");
        }
    }

    #[test]
    fn what_has_no_form_is_refused() {
        assert_eq!(form(r#"{"a":1,"a":2}"#), None);
        assert_eq!(form(&format!("{}{}", "[".repeat(100), "]".repeat(100))), None);
    }
}
