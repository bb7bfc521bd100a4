//! JSON text that is the same for equal values, without reading numbers or texts into anything that could change them.
//!
//! One pass over text that is known to be JSON. Objects are put in order as they end, so that the work is the text's length,
//! times the depth at worst.

use crate::wire::{Json, NotJson, Scanner};
use std::borrow::Cow;
use std::ops::Range;

/// Deeper nesting than this has no canonical form.
const DEEPEST: usize = 128;

/// Writes the canonical form of a value: members in the order of their names, strings with the same escapes, everything else
/// as it stands. `None` if it is nested too deeply, or if a member is repeated (then nobody knows which one counts).
pub(super) fn canonical(json: Json<'_>, out: &mut String) -> Option<()> {
    value(&mut Scanner::new(json.get()), out, DEEPEST).ok()
}

/// The text is JSON: the error means that it has no canonical form.
fn value(scanner: &mut Scanner<'_>, out: &mut String, depth: usize) -> Result<(), NotJson> {
    match scanner.peek() {
        Some(b'{') => object(scanner, out, depth.checked_sub(1).ok_or(NotJson)?),
        Some(b'[') => array(scanner, out, depth.checked_sub(1).ok_or(NotJson)?),
        _ => {
            out.push_str(&scalar(scanner.value()?));
            Ok(())
        }
    }
}

fn object(scanner: &mut Scanner<'_>, out: &mut String, depth: usize) -> Result<(), NotJson> {
    out.push('{');
    let start = out.len();
    let mut members: Vec<(String, Range<usize>)> = Vec::new();
    scanner.object(|name, scanner| {
        let (begin, name) = (out.len(), string(name.json()).into_owned());
        out.push_str(&name);
        out.push(':');
        value(scanner, out, depth)?;
        out.push(',');
        members.push((name, begin..out.len()));
        Ok(())
    })?;
    if !members.is_sorted_by(|(one, _), (other, _)| one < other) {
        members.sort_by(|(one, _), (other, _)| one.cmp(other));
        if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(NotJson);
        }
        let sorted: String = members.into_iter().map(|(_, range)| &out[range]).collect();
        out.truncate(start);
        out.push_str(&sorted);
    }
    out.push('}');
    Ok(())
}

fn array(scanner: &mut Scanner<'_>, out: &mut String, depth: usize) -> Result<(), NotJson> {
    out.push('[');
    scanner.array(|scanner| {
        value(scanner, out, depth)?;
        out.push(',');
        Ok(())
    })?;
    out.push(']');
    Ok(())
}

fn scalar(json: Json<'_>) -> Cow<'_, str> {
    match json.get().starts_with('"') {
        true => string(json),
        false => Cow::Borrowed(json.get()),
    }
}

/// A string with the escapes that everybody uses. Escapes that are no character stay: they still tell it from others.
fn string(json: Json<'_>) -> Cow<'_, str> {
    let rewritten = match json.text() {
        Some(Cow::Owned(text)) => serde_json::to_string(&text).ok(),
        _ => None,
    };
    rewritten.map_or(Cow::Borrowed(json.get()), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Option<String> {
        let mut out = String::new();
        canonical(Json::of(text).expect("JSON"), &mut out).map(|()| out)
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
