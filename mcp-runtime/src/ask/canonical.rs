//! JSON text that is the same for equal values, without reading numbers or texts into anything that could change them.
//!
//! One pass over text that is known to be JSON. Objects are put in order as they end, so that the work is the text's length,
//! times the depth at worst.

use serde_json::value::RawValue;
use std::ops::Range;

/// Deeper nesting than this has no canonical form.
const DEEPEST: usize = 128;

/// Writes the canonical form of a value: members in the order of their names, strings with the same escapes, everything else
/// as it stands. `None` if it is nested too deeply, or if a member is repeated (then nobody knows which one counts).
pub(super) fn canonical(raw: &RawValue, out: &mut String) -> Option<()> {
    Reader { text: raw.get(), at: 0 }.value(out, DEEPEST)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, out: &mut String, depth: usize) -> Option<()> {
        match self.peek()? {
            b'{' => self.object(out, depth.checked_sub(1)?),
            b'[' => self.array(out, depth.checked_sub(1)?),
            b'"' => {
                let raw = self.string();
                out.push_str(&string(raw));
                Some(())
            }
            _ => {
                out.push_str(self.scalar());
                Some(())
            }
        }
    }

    fn object(&mut self, out: &mut String, depth: usize) -> Option<()> {
        self.at += 1;
        out.push('{');
        let start = out.len();
        let mut members: Vec<(String, Range<usize>)> = Vec::new();
        while self.peek()? != b'}' {
            let begin = out.len();
            let name = string(self.string());
            out.push_str(&name);
            out.push(':');
            self.skip(b':');
            self.value(out, depth)?;
            out.push(',');
            members.push((name, begin..out.len()));
            self.skip(b',');
        }
        self.at += 1;
        if !members.is_sorted_by(|(one, _), (other, _)| one < other) {
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return None;
            }
            let sorted: String = members.into_iter().map(|(_, range)| &out[range]).collect();
            out.truncate(start);
            out.push_str(&sorted);
        }
        out.push('}');
        Some(())
    }

    fn array(&mut self, out: &mut String, depth: usize) -> Option<()> {
        self.at += 1;
        out.push('[');
        while self.peek()? != b']' {
            self.value(out, depth)?;
            out.push(',');
            self.skip(b',');
        }
        self.at += 1;
        out.push(']');
        Some(())
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes a separator, if it is there.
    fn skip(&mut self, separator: u8) {
        if self.peek() == Some(separator) {
            self.at += 1;
        }
    }

    /// The string that begins here, with its quotes.
    fn string(&mut self) -> &str {
        let bytes = &self.text.as_bytes()[self.at..];
        let mut end = 1;
        while let Some(found) = bytes.get(end..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
            end += found + 1;
            if bytes[end - 1] == b'"' {
                break;
            }
            end += 1;
        }
        let start = self.at;
        self.at += end.min(bytes.len());
        &self.text[start..self.at]
    }

    /// The number or word that begins here.
    fn scalar(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let ends = |c: char| matches!(c, ',' | ']' | '}') || c.is_ascii_whitespace();
        let scalar = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += scalar.len();
        scalar
    }
}

/// A string with the escapes that everybody uses. Escapes that are no character stay: they still tell it from others.
fn string(raw: &str) -> String {
    if !raw.contains('\\') {
        return raw.to_owned();
    }
    let read = serde_json::from_str::<String>(raw).ok();
    read.and_then(|text| serde_json::to_string(&text).ok()).unwrap_or_else(|| raw.to_owned())
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
        let one = form(r#"{ "b" : [ 1 , { "x" : null } , [ ] , { } ], "a": "\u00e9\"\\" , "c":-1.5e3 }"#);
        assert_eq!(one, form(r#"{"c":-1.5e3,"a":"é\"\\","b":[1,{"x":null},[],{}]}"#));
        assert_eq!(one.as_deref(), Some(r#"{"a":"é\"\\","b":[1,{"x":null,},[],{},],"c":-1.5e3,}"#));
        assert_eq!(form(" true "), Some("true".to_owned()));
    }

    #[test]
    fn different_values_have_different_forms_even_where_numbers_or_texts_cannot_be_read() {
        for (one, other) in [
            (r#"{"a":1,"j":1e999}"#, r#"{"a":2,"j":1e999}"#),
            (r#"{"a":1,"j":"\ud800"}"#, r#"{"a":2,"j":"\ud800"}"#),
            ("18446744073709551616", "18446744073709551617"),
            ("[1,2]", "[12]"),
            (r#"["a","b"]"#, r#"["a,b"]"#),
            (r#"{"a":{"b":1}}"#, r#"{"a":{},"b":1}"#),
            ("{}", "[]"),
        ] {
            assert_ne!(form(one), form(other), "{one} {other}");
        }
    }

    #[test]
    fn what_has_no_form_is_refused() {
        assert_eq!(form(r#"{"a":1,"b":2,"a":2}"#), None);
        assert_eq!(form(r#"{"a":1,"\u0061":2}"#), None);
        assert_eq!(form(&format!("{}{}", "[".repeat(200), "]".repeat(200))), None);
    }
}
