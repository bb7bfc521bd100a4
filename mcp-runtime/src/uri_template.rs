//! URI templates (RFC 6570), the way back: from a URI to the values of the template's variables.
//!
//! Templates are parsed when the function is compiled; this module matches. Every part is looked at once, from the left up
//! to the part that may span several segments and from the right behind it, so that the time grows with the URI's length
//! alone.

use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// A longer URI matches nothing.
pub(crate) const MAX_URI: usize = 8 * 1024;

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Text that stands as it is.
    Literal(&'static str),
    /// `{name}`: one value without reserved characters.
    Variable(&'static str),
    /// `{+name}`: a value that may hold reserved characters, such as a path.
    Reserved(&'static str),
    /// `{/name*}`: any number of path segments, each behind a slash.
    Segments(&'static str),
    /// `{?a,b}`: query parameters, in any order, each optional.
    Query(&'static [&'static str]),
    /// `{&a,b}`: further query parameters behind a literal query.
    Continuation(&'static [&'static str]),
}

impl Part {
    /// The names of the part's variables.
    pub(crate) fn names(&self) -> &[&'static str] {
        match self {
            Part::Literal(_) => &[],
            Part::Variable(name) | Part::Reserved(name) | Part::Segments(name) => std::slice::from_ref(name),
            Part::Query(names) | Part::Continuation(names) => names,
        }
    }
}

/// Variables and their decoded values.
pub(crate) type Values<'u> = Vec<(&'static str, Cow<'u, str>)>;

/// Matches a URI against a template.
pub(crate) fn matches<'u>(parts: &[Part], uri: &'u str) -> Option<Values<'u>> {
    if uri.len() > MAX_URI {
        return None;
    }
    let mut values = Vec::new();
    let (path_parts, path) = match parts.split_last() {
        Some((Part::Query(names), before)) => {
            let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
            query_values(names, query, &mut values)?;
            (before, path)
        }
        Some((Part::Continuation(names), before)) => {
            // Exactly the literal query stands before; what follows it begins with `&`.
            let question = uri.find('?')?;
            let end = fixed_query_end(before, &uri[question..])? + question;
            let rest = &uri[end..];
            query_values(names, rest.strip_prefix('&').unwrap_or(rest), &mut values)?;
            (before, &uri[..end])
        }
        _ => (parts, uri),
    };
    match_path(path_parts, path, &mut values)?;
    Some(values)
}

/// The length of the literal query at the end of `parts`, if `query` begins with it.
fn fixed_query_end(parts: &[Part], query: &str) -> Option<usize> {
    let Some(Part::Literal(literal)) = parts.last() else { return None };
    let fixed = &literal[literal.find('?')?..];
    let rest = query.strip_prefix(fixed)?;
    (rest.is_empty() || rest.starts_with('&')).then_some(fixed.len())
}

fn query_values<'u>(names: &[&'static str], query: &'u str, values: &mut Values<'u>) -> Option<()> {
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=')?;
        let name = names.iter().copied().find(|name| *name == key)?;
        if values.iter().any(|(known, _)| *known == name) || !value.bytes().all(is_query_byte) {
            return None;
        }
        values.push((name, decode(value)?));
    }
    Some(())
}

fn match_path<'u>(mut parts: &[Part], mut rest: &'u str, values: &mut Values<'u>) -> Option<()> {
    // From the left, up to the part that may span segments.
    while let Some((part, after)) = parts.split_first() {
        match part {
            Part::Literal(text) => rest = rest.strip_prefix(text)?,
            Part::Variable(name) => {
                let end = match after.first() {
                    None => rest.len(),
                    Some(Part::Literal(text)) => rest.find(text)?,
                    Some(_) => rest.find('/').unwrap_or(rest.len()),
                };
                values.push((name, simple(&rest[..end])?));
                rest = &rest[end..];
            }
            _ => break,
        }
        parts = after;
    }
    let Some((spanning, behind)) = parts.split_first() else { return rest.is_empty().then_some(()) };
    // From the right, down to it.
    let mut behind = behind;
    while let Some((part, before)) = behind.split_last() {
        match part {
            Part::Literal(text) => rest = rest.strip_suffix(text)?,
            Part::Variable(name) => {
                let Some(Part::Literal(text)) = before.last() else { return None };
                let start = rest.rfind(text)? + text.len();
                values.push((name, simple(&rest[start..])?));
                rest = &rest[..start];
            }
            _ => return None,
        }
        behind = before;
    }
    match spanning {
        Part::Reserved(name) => values.push((name, path(rest)?)),
        Part::Segments(name) if rest.is_empty() => values.push((name, Cow::Borrowed(""))),
        Part::Segments(name) => values.push((name, path(rest.strip_prefix('/')?)?)),
        _ => return None,
    }
    Some(())
}

/// A value of simple expansion: unreserved and percent-encoded characters (and what is not ASCII, as IRIs have it).
fn simple(text: &str) -> Option<Cow<'_, str>> {
    let fits =
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%".contains(&b) || !b.is_ascii());
    if fits { decode(text) } else { None }
}

/// A value that may become a path: nothing in it may lead out of where the path begins.
fn path(text: &str) -> Option<Cow<'_, str>> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_graphic() || !b.is_ascii()) {
        return None;
    }
    let path = decode(text)?;
    let leads_out =
        path.contains('\0') || path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|segment| segment == "..");
    (!leads_out).then_some(path)
}

fn is_query_byte(b: u8) -> bool {
    b.is_ascii_graphic() && b != b'#' || !b.is_ascii()
}

/// Percent-decodes once. A `%` that begins no escape, or bytes that are no UTF-8, match nothing.
fn decode(text: &str) -> Option<Cow<'_, str>> {
    let bytes = text.as_bytes();
    let sound = memchr::memchr_iter(b'%', bytes)
        .all(|at| bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)));
    if sound { percent_decode_str(text).decode_utf8().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::Part::*;
    use super::*;

    fn values(parts: &[Part], uri: &str) -> Option<Vec<(&'static str, String)>> {
        matches(parts, uri).map(|v| v.into_iter().map(|(name, value)| (name, value.into_owned())).collect())
    }

    fn one(parts: &[Part], uri: &str) -> Option<String> {
        values(parts, uri).map(|mut v| v.remove(0).1)
    }

    #[test]
    fn a_variable_takes_one_value_without_reserved_characters() {
        let parts = [Literal("greeting://"), Variable("name")];
        assert_eq!(one(&parts, "greeting://Ada").as_deref(), Some("Ada"));
        assert_eq!(one(&parts, "greeting://Ada%20L%2Fx").as_deref(), Some("Ada L/x"));
        assert_eq!(one(&parts, "greeting://a%252e").as_deref(), Some("a%2e"), "decoded once");
        for uri in
            ["greeting://", "greeting://a/b", "greeting://a?b", "greeting://%zz", "greeting://%ff", "greeting:/a"]
        {
            assert_eq!(one(&parts, uri), None, "{uri}");
        }
    }

    #[test]
    fn literals_divide_variables() {
        let parts = [Literal("a://"), Variable("x"), Literal("-"), Variable("y"), Literal("/z")];
        let both = |x: &str, y: &str| Some(vec![("x", x.to_owned()), ("y", y.to_owned())]);
        assert_eq!(values(&parts, "a://1-2-3/z"), both("1", "2-3"));
        assert_eq!(values(&parts, "a://1/z"), None);
        assert_eq!(values(&parts, "a://1-2/z/"), None);
    }

    #[test]
    fn a_path_never_leads_out() {
        let parts = [Literal("file:///"), Reserved("path")];
        assert_eq!(one(&parts, "file:///a/b.txt").as_deref(), Some("a/b.txt"));
        assert_eq!(one(&parts, "file:///a/..b").as_deref(), Some("a/..b"));
        for path in ["../x", "a/../../x", "%2e%2e/x", "a%2f..%2fx", "/etc", "%2Fetc", "a%00", "..%5Cx", ""] {
            assert_eq!(one(&parts, &format!("file:///{path}")), None, "{path}");
        }
    }

    #[test]
    fn what_stands_behind_a_path_is_matched_from_the_right() {
        let parts = [Literal("r://"), Reserved("path"), Literal("@"), Variable("rev"), Literal("/raw")];
        let got = values(&parts, "r://a@b/c@1/raw");
        assert_eq!(got, Some(vec![("rev", "1".to_owned()), ("path", "a@b/c".to_owned())]));
    }

    #[test]
    fn segments_stand_behind_slashes() {
        let parts = [Literal("t://"), Variable("host"), Segments("rest")];
        assert_eq!(values(&parts, "t://h/a/b").map(|v| v[1].1.clone()).as_deref(), Some("a/b"));
        assert_eq!(values(&parts, "t://h").map(|v| v[1].1.clone()).as_deref(), Some(""));
    }

    #[test]
    fn query_parameters_come_in_any_order_or_not_at_all() {
        let parts = [Literal("s://find"), Query(&["q", "limit"])];
        let got = values(&parts, "s://find?limit=2&q=a%20b");
        assert_eq!(got, Some(vec![("limit", "2".to_owned()), ("q", "a b".to_owned())]));
        assert_eq!(values(&parts, "s://find").map(|v| v.len()), Some(0));
        for uri in ["s://find?x=1", "s://find?q=1&q=2", "s://find?q", "s://find/x?q=1"] {
            assert_eq!(values(&parts, uri), None, "{uri}");
        }
        let parts = [Literal("s://find?v=1"), Continuation(&["q"])];
        assert_eq!(values(&parts, "s://find?v=1&q=x"), Some(vec![("q", "x".to_owned())]));
        assert_eq!(values(&parts, "s://find?v=1"), Some(vec![]));
        assert_eq!(values(&parts, "s://find?v=12"), None);
    }

    #[test]
    fn an_endless_uri_matches_nothing() {
        let parts = [Literal("a://"), Reserved("p"), Literal("/x")];
        assert_eq!(values(&parts, &format!("a://{}", "/a,a".repeat(25_000))), None);
    }
}
