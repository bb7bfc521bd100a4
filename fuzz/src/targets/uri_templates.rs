//! URI templates: read, matched and expanded.
//!
//! The first line is a template, the second a URI, the others are values. A template that is read is written back the same,
//! and can be served. What a URI's variables are gives, expanded as RFC 6570 says, the URI again. What values expand to is a
//! URI of the template. A resource that takes no `AnyText` gets the same values or none, and never one that leads out.

use crate::peer::{ENVELOPE, Peer, run};
use crate::template::{Part, Takes, parse, server};
use mcp_runtime::BuiltServer;
use percent_encoding::percent_decode_str;
use serde_json::Value;

/// The runtime reads no longer ones.
const LONGEST: usize = 8 * 1024;

/// See the module.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.split('\n');
    let (template, uri) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let parts = match parse(template) {
        Ok(parts) => parts,
        Err(error) => return assert!(!error.is_empty()),
    };
    assert_eq!(written(&parts), template);
    let Some(any) = server(template, &parts, Takes::Any) else { return };
    let is_fixed = parts.iter().all(|part| part.names().is_empty());
    let mut uris = vec![uri.to_owned()];
    if !is_fixed {
        let expanded = expanded(&parts, &chosen(&parts, lines));
        if expanded.len() <= LONGEST {
            assert!(read(&any, &expanded).is_some(), "{expanded:?} is none of {template:?}");
            uris.push(expanded);
        }
    }
    let found: Vec<_> = uris.iter().map(|uri| read(&any, uri)).collect();
    for (uri, values) in uris.iter().zip(&found) {
        let Some(values) = values else { continue };
        same(&parts, uri, values);
    }
    let inside = server(template, &parts, Takes::Inside).expect("it is known");
    for (uri, values) in uris.iter().zip(&found) {
        let Some(inside) = read(&inside, uri) else { continue };
        assert_eq!(Some(&inside), values.as_ref());
        inside_only(&parts, &inside);
    }
}

/// Reads a URI: the variables' values, or `None` if there is no such resource.
fn read(server: &BuiltServer, uri: &str) -> Option<Vec<Option<String>>> {
    let mut peer = Peer::fresh(server);
    let params = format!(r#"{{"_meta":{{{ENVELOPE}}},"uri":{}}}"#, Value::from(uri));
    let received = run(async {
        peer.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{params}}}"#));
        peer.finish().await
    });
    match &received.only("1").outcome {
        Ok(result) => {
            assert_eq!(result["contents"][0]["uri"], uri);
            let text = result["contents"][0]["text"].as_str().expect("a text");
            Some(serde_json::from_str(text).expect("values"))
        }
        Err(error) => {
            assert_eq!((&error["code"], &error["data"]["uri"]), (&Value::from(-32602), &Value::from(uri)), "{error}");
            None
        }
    }
}

/// The template of some parts.
fn written(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Literal(text) => text.clone(),
        Part::Variable(name) => format!("{{{name}}}"),
        Part::Reserved(name) => format!("{{+{name}}}"),
        Part::Segments(name) => format!("{{/{name}*}}"),
        Part::Query(names) => format!("{{?{}}}", names.join(",")),
        Part::Continuation(names) => format!("{{&{}}}", names.join(",")),
    };
    parts.iter().map(part).collect()
}

/// A value for each variable. The variables of a query may have none, and segments may be absent. A path before a query has no
/// question mark: the first one of a URI begins its query.
fn chosen<'t>(parts: &[Part], mut lines: impl Iterator<Item = &'t str>) -> Vec<Option<String>> {
    let mut values = Vec::new();
    let has_query = matches!(parts.last(), Some(Part::Query(_) | Part::Continuation(_)));
    for part in parts {
        for _ in part.names() {
            let line = lines.next();
            let value = match part {
                Part::Query(_) | Part::Continuation(_) => line.map(str::to_owned),
                // No segment is empty.
                Part::Segments(_) => Some(
                    line.unwrap_or_default().split('/').filter(|text| !text.is_empty()).collect::<Vec<_>>().join("/"),
                ),
                Part::Reserved(_) if has_query => Some(format!("x{}", line.unwrap_or_default().replace('?', ""))),
                _ => Some(line.filter(|line| !line.is_empty()).unwrap_or("x").to_owned()),
            };
            values.push(value);
        }
    }
    values
}

/// What a template expands to.
fn expanded(parts: &[Part], values: &[Option<String>]) -> String {
    let mut values = values.iter().map(Option::as_deref);
    let has_query = matches!(parts.last(), Some(Part::Query(_) | Part::Continuation(_)));
    // The first question mark of a URI begins its query: one in a path can only be an escape.
    let in_path: fn(u8) -> bool = if has_query { |byte| is_reserved(byte) && byte != b'?' } else { is_reserved };
    let mut uri = String::new();
    for part in parts {
        match part {
            // What cannot stand in a URI is escaped there as well; escapes stay.
            Part::Literal(text) => push(&mut uri, text, |byte| is_reserved(byte) || byte == b'%'),
            Part::Variable(_) => push(&mut uri, values.next().flatten().unwrap_or_default(), |_| false),
            Part::Reserved(_) => push(&mut uri, values.next().flatten().unwrap_or_default(), in_path),
            Part::Segments(_) => {
                // An escaped slash in a segment is one more of them in the value.
                let segments = values.next().flatten().filter(|segments| !segments.is_empty());
                for segment in segments.into_iter().flat_map(|segments| segments.split('/')) {
                    uri.push('/');
                    push(&mut uri, segment, |_| false);
                }
            }
            Part::Query(names) | Part::Continuation(names) => {
                let mut separator = if matches!(part, Part::Query(_)) { '?' } else { '&' };
                for name in names {
                    let Some(value) = values.next().flatten() else { continue };
                    uri.push(separator);
                    uri.push_str(name);
                    uri.push('=');
                    push(&mut uri, value, |_| false);
                    separator = '&';
                }
            }
        }
    }
    uri
}

fn push(uri: &mut String, text: &str, stays: fn(u8) -> bool) {
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || stays(byte) {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
}

fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

/// The values are those of the URI: expanded they give it again, but that escapes may be written differently, and variables of
/// a query in another order.
fn same(parts: &[Part], uri: &str, values: &[Option<String>]) {
    let again = expanded(parts, values);
    let halves = |uri: &str| {
        let has_query = matches!(parts.last(), Some(Part::Query(_) | Part::Continuation(_)));
        let (path, query) = match uri.split_once('?').filter(|_| has_query) {
            Some((path, query)) => (path.to_owned(), query.split('&').map(decoded).collect()),
            None => (uri.to_owned(), Vec::new()),
        };
        // A question mark without anything behind it asks nothing.
        let mut query: Vec<Vec<u8>> = query.into_iter().filter(|pair: &Vec<u8>| !pair.is_empty()).collect();
        query.sort_unstable();
        (decoded(&path), query)
    };
    assert_eq!(halves(&again), halves(uri), "{uri:?} is {values:?}, which expands to {again:?}");
}

fn decoded(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

/// No value of a path leads out of where it begins.
fn inside_only(parts: &[Part], values: &[Option<String>]) {
    let mut values = values.iter();
    for part in parts {
        for _ in part.names() {
            let Some(value) = values.next().and_then(Option::as_deref) else { continue };
            let is_name = matches!(part, Part::Variable(_));
            if !is_name && !matches!(part, Part::Reserved(_) | Part::Segments(_)) {
                continue;
            }
            let climbs = value.split(['/', '\\']).any(|segment| segment.trim_end_matches(' ') == "..");
            let absolute = value.starts_with(['/', '\\'])
                || value.as_bytes().get(1) == Some(&b':') && value.as_bytes()[0].is_ascii_alphabetic();
            assert!(!climbs && !absolute && !value.contains('\0'), "{value:?} leads out");
            assert!(!is_name || !value.contains(['/', '\\']), "{value:?} is no name");
        }
    }
}
