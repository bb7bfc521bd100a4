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

/// A URI in the one form that is matched: what is not ASCII is escaped, and escapes are in upper case, as expansions write
/// them. `None` if it is no URI, or a longer one than is read.
pub(crate) fn normal(uri: &str) -> Option<Cow<'_, str>> {
    if uri.len() > MAX_URI {
        return None;
    }
    let as_is = |text: &str| text.is_ascii() && !has_small_escape(text);
    let uri = if as_is(uri) { Cow::Borrowed(uri) } else { Cow::Owned(escaped(uri)) };
    is_any(&uri).then_some(uri)
}

/// A template's literal in the same form.
pub(super) fn literal(text: &str) -> String {
    escaped(text)
}

fn has_small_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_small = |at: usize| bytes.iter().skip(at + 1).take(2).any(u8::is_ascii_lowercase);
    memchr::memchr_iter(b'%', bytes).any(is_small)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut digits = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'%' => escaped.push('%'),
            byte if digits > 0 => escaped.push(char::from(byte.to_ascii_uppercase())),
            byte if byte.is_ascii() => escaped.push(char::from(byte)),
            byte => drop(write!(escaped, "%{byte:02X}")),
        }
        digits = if byte == b'%' { 2 } else { digits.saturating_sub(1) };
    }
    escaped
}

/// Percent-decodes once; bytes that are no UTF-8 are no value.
pub(super) fn decode(text: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(text).decode_utf8().ok()
}
