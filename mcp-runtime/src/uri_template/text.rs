//! The characters of URIs (RFC 3986, section 2), and their escapes.

use super::MAX_URI;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::fmt::Write as _;

/// `unreserved`
pub(super) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// `reserved`
pub(super) fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

/// The length of the character at the beginning: an escape counts as one.
pub(super) fn character(text: &str) -> usize {
    if text.starts_with('%') { 3.min(text.len()) } else { 1 }
}

/// May the text be the value of a simple expansion, or a part of one: has it nothing but unreserved characters and escapes?
pub(super) fn is_simple(text: &str) -> bool {
    consists_of(text, is_unreserved)
}

/// May the text be the value of a reserved expansion?
pub(super) fn is_any(text: &str) -> bool {
    consists_of(text, |byte| is_unreserved(byte) || is_reserved(byte))
}

fn consists_of(text: &str, fits: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += match bytes[at] {
            b'%' if bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => 3,
            byte if fits(byte) => 1,
            _ => return false,
        };
    }
    true
}

/// Is the place inside of an escape?
pub(super) fn is_in_escape(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    before.last() == Some(&b'%') || (at >= 2 && before[at - 2] == b'%')
}

/// A URI in the one form that is matched: what is not ASCII is escaped, unreserved characters are not, and escapes are in
/// upper case, as expansions write them. What is the same for a reader (RFC 3986, 6.2.2) is the same for every template. `None`
/// if it is no URI, or a longer one than is read.
pub(crate) fn normal(uri: &str) -> Option<Cow<'_, str>> {
    if uri.len() > MAX_URI {
        return None;
    }
    let as_is = |text: &str| text.is_ascii() && !has_other_escape(text);
    let uri = if as_is(uri) { Cow::Borrowed(uri) } else { Cow::Owned(escaped(uri)) };
    is_any(&uri).then_some(uri)
}

/// A template's literal in the same form.
pub(super) fn literal(text: &str) -> String {
    escaped(text)
}

/// Is there an escape that the normal form has not?
fn has_other_escape(text: &str) -> bool {
    let is_other = |at: usize| {
        let small = text.as_bytes()[at + 1..].iter().take(2).any(u8::is_ascii_lowercase);
        small || escape(&text[at..]).is_some_and(is_unreserved)
    };
    memchr::memchr_iter(b'%', text.as_bytes()).any(is_other)
}

/// The byte of the escape at the beginning.
fn escape(text: &str) -> Option<u8> {
    let hex = text.strip_prefix('%')?.get(..2)?;
    hex.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u8::from_str_radix(hex, 16).ok()).flatten()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match escape(rest) {
            Some(byte) if is_unreserved(byte) => {
                escaped.push(char::from(byte));
                3
            }
            Some(_) => {
                escaped.push_str(&rest[..3].to_ascii_uppercase());
                3
            }
            None if first.is_ascii() => {
                escaped.push(first);
                1
            }
            None => {
                for byte in &rest.as_bytes()[..first.len_utf8()] {
                    let _ = write!(escaped, "%{byte:02X}");
                }
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    escaped
}

/// Percent-decodes once; bytes that are no UTF-8 are no value.
pub(super) fn decode(text: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(text).decode_utf8().ok()
}
