//! Headers: an HTTP request as text, whose headers are the input.
//!
//! The first line is the method, each further one a header, and behind an empty line comes the body. What is answered with
//! a result had every header that its era needs, once, and saying what the body says: those are read here anew, from the
//! specification. A request for another host or from another origin gets a 403, whatever else it says.

use crate::oracle::{self, Message};
use crate::peer::STATELESS;
use crate::web::{self, Reply};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::Value;
use std::net::Ipv6Addr;

/// See the module.
pub fn check(data: &[u8]) {
    let mut rest = data;
    let mut line = || {
        let end = rest.iter().position(|byte| *byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[], |end| &rest[end + 1..]);
        line
    };
    let method = match line() {
        b"GET" => Method::GET,
        b"DELETE" => Method::DELETE,
        b"OPTIONS" => Method::OPTIONS,
        b"PUT" => Method::PUT,
        _ => Method::POST,
    };
    let mut headers = HeaderMap::new();
    loop {
        let line = line();
        if line.is_empty() {
            break;
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let name = HeaderName::from_bytes(&line[..colon]);
        let value = HeaderValue::from_bytes(line[colon + 1..].strip_prefix(b" ").unwrap_or(&line[colon + 1..]));
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    let reply = web::request(method.clone(), headers.clone(), rest);
    judge(&method, &headers, rest, &reply);
}

fn judge(method: &Method, headers: &HeaderMap, body: &[u8], reply: &Reply) {
    let stranger = !comes_from_here(headers);
    if reply.status == StatusCode::FORBIDDEN {
        assert!(stranger, "{headers:?} is refused");
    } else {
        assert!(!stranger, "{headers:?} passes with {}", reply.status);
    }
    harden(headers, reply);
    if *method == Method::OPTIONS && reply.status == StatusCode::NO_CONTENT {
        assert!(headers.contains_key("origin"), "{headers:?}");
        return;
    }
    if *method != Method::POST {
        assert!(reply.status.is_client_error(), "{method} {headers:?}: {}", reply.status);
        return;
    }
    let received = reply.judge(body);
    let Some(response) = received.responses.first() else { return };
    if response.id.is_some() {
        assert!(brings_json(headers), "{headers:?}");
    }
    let Ok(result) = &response.outcome else { return };
    assert!(accepts(headers, reply.media_type()), "{headers:?} gets {:?}", reply.media_type());
    let text = std::str::from_utf8(body).expect("a request");
    assert!(matches!(oracle::read(text), Message::Request(_)), "{text:?}");
    let body: Value = serde_json::from_str(text).expect("JSON");
    if result.get("resultType").is_some() {
        agree(headers, &body);
    } else {
        assert_eq!(body["method"], "initialize", "a result without a session: {result}");
        assert!(headers.get("mcp-protocol-version").is_none_or(|version| version != STATELESS), "{headers:?}");
        assert_eq!(reply.headers.get_all("mcp-session-id").iter().count(), 1, "{:?}", reply.headers);
    }
}

/// What every response has, and what it has for pages of the origins that are listed alone.
fn harden(headers: &HeaderMap, reply: &Reply) {
    assert_eq!(reply.headers.get("x-content-type-options").map(HeaderValue::as_bytes), Some(&b"nosniff"[..]));
    assert!(
        reply.headers.contains_key("cache-control") && !reply.headers.contains_key("access-control-allow-credentials")
    );
    if let Some(origin) = reply.headers.get("access-control-allow-origin") {
        let asked: Vec<_> = headers.get_all("origin").iter().collect();
        assert!(asked == [origin] && is_listed(origin), "{headers:?} is told {origin:?}");
    }
}

/// The headers of a stateless request say what its body says.
fn agree(headers: &HeaderMap, body: &Value) {
    let meta = &body["params"]["_meta"];
    assert_eq!(once(headers, "mcp-protocol-version").as_deref(), Some(STATELESS), "{headers:?}");
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], STATELESS, "{body}");
    let method = body["method"].as_str().expect("a method");
    assert_eq!(once(headers, "mcp-method").as_deref(), Some(method), "{headers:?}");
    let name = match method {
        "tools/call" | "prompts/get" => &body["params"]["name"],
        "resources/read" => &body["params"]["uri"],
        _ => return,
    };
    assert_eq!(once(headers, "mcp-name").as_deref().and_then(decoded).as_deref(), name.as_str(), "{headers:?}");
    if method != "tools/call" || name != "route" {
        return;
    }
    for (argument, header) in [("region", "mcp-param-region"), ("shard", "mcp-param-shard"), ("dry", "mcp-param-dry")] {
        let value = once(headers, header).map(|value| decoded(&value).expect("an encoded value"));
        match (&body["params"]["arguments"][argument], value) {
            (Value::Null, None) => {}
            (Value::String(text), Some(value)) => assert_eq!(*text, value),
            (Value::Bool(flag), Some(value)) => assert_eq!(flag.to_string(), value),
            (Value::Number(number), Some(value)) => {
                assert!(
                    value == number.to_string() || value.parse() == Ok(number.as_f64().unwrap_or(f64::NAN)),
                    "{value}"
                );
            }
            // Arguments that do not fit are told to the model.
            (argument, value) => assert!(!argument.is_null() && value.is_some(), "{argument} and {value:?}"),
        }
    }
}

/// A header's value without blanks around it; none if it is not there, is there twice, or is no text.
fn once(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok().map(|text| text.trim_matches([' ', '\t']).to_owned())
}

/// The text of a value that may be base64 between markers.
fn decoded(value: &str) -> Option<String> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.to_owned());
    };
    let bytes = STANDARD.decode(encoded).ok()?;
    assert_eq!(STANDARD.encode(&bytes), encoded, "one value has one encoding");
    String::from_utf8(bytes).ok()
}

fn brings_json(headers: &HeaderMap) -> bool {
    let essence = once(headers, "content-type");
    let essence =
        essence.as_deref().map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    essence.as_deref() == Some("application/json")
}

/// Does the client read that media type? What it says of one is in the text of the header, if that is a text and says anything.
fn accepts(headers: &HeaderMap, media_type: Option<&str>) -> bool {
    let values = headers.get_all("accept").iter().filter_map(|value| value.to_str().ok());
    let all = values.map(str::to_ascii_lowercase).collect::<Vec<_>>().join(",");
    let (kind, _) = media_type.and_then(|of| of.split_once('/')).unwrap_or_default();
    let is_empty = all.trim_matches([' ', '\t', ',']).is_empty();
    // It reads one of the two at least, and may have to take the one for the other.
    is_empty || ["*/*", "application/", "text/", kind].iter().any(|range| all.contains(range))
}

/// Is every host that the request names this machine, and every origin one of those that the fixture lists?
fn comes_from_here(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all("host").iter().peekable();
    let named = hosts.peek().is_some();
    named && hosts.all(is_here) && headers.get_all("origin").iter().all(is_listed)
}

fn is_here(host: &HeaderValue) -> bool {
    let authority = std::str::from_utf8(host.as_bytes()).ok().and_then(authority);
    authority.is_some_and(|(host, _)| ["localhost", "127.0.0.1", "[::1]"].contains(&host.as_str()))
}

fn is_listed(origin: &HeaderValue) -> bool {
    let origin = origin.to_str().ok().and_then(|text| text.split_once("://"));
    let Some((scheme, (host, port))) = origin.and_then(|(scheme, rest)| Some((scheme, authority(rest)?))) else {
        return false;
    };
    let below = host.strip_suffix(".example.org").is_some_and(|labels| !labels.is_empty());
    match scheme.to_ascii_lowercase().as_str() {
        "http" => host == "localhost" && port == Some(3000),
        "https" => (host == "app.example.com" && port.is_none_or(|port| port == 443)) || (below && port == Some(8443)),
        _ => false,
    }
}

/// The host in one form, and the port; none if it is no authority without a user.
fn authority(text: &str) -> Option<(String, Option<u16>)> {
    let end = if text.starts_with('[') { text.find(']')? + 1 } else { text.find(':').unwrap_or(text.len()) };
    let (host, port) = text.split_at(end);
    let port = match port {
        "" | ":" => None,
        port => {
            let digits = port.strip_prefix(':')?;
            Some(digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??)
        }
    };
    if let Some(address) = host.strip_prefix('[') {
        let address: Ipv6Addr = address.strip_suffix(']')?.parse().ok()?;
        let mapped = address.to_ipv4_mapped().map(|address| address.to_string());
        return Some((mapped.unwrap_or_else(|| format!("[{address}]")), port));
    }
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_name = host.split('.').all(|label| !label.is_empty() && label.bytes().all(fits));
    is_name.then_some((host, port))
}
