//! Authorization: headers as they come, with tokens that are signed, changed afterwards, or made up.
//!
//! The input is text, line by line: the name of the key that signs (`k1`, `k2`, `k3`, which are the issuer's, `stranger`, or
//! any other for no signature), the header of the token, its claims, and the changes that are made to the token when it is signed: pairs of
//! a place and a byte. Each further line is a value of `Authorization`, in which `$` stands for the token. Whether the
//! request may come in is read anew from RFC 6750, 7515, 7519 and 9068: nothing that was not signed just so by the right
//! key gets in, nor what is old, early, of another issuer or for another server; everything else does, under the name
//! that its token says. No answer repeats a token.

mod issuer;

use crate::peer::{ENVELOPE, STATELESS};
use crate::web::{self, Reply};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, HeaderValue, Method};
use mcp_runtime::prelude::*;
use mcp_runtime::{Authorization, HttpService, JwtVerifier, Server};
use serde_json::{Map, Value};
use std::time::SystemTime;
use tokio::runtime::{Builder, Runtime};

const ISSUER: &str = "https://login.example.com";
const RESOURCE: &str = "https://mcp.example.com/mcp";
const METADATA: &str = "resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\"";
/// So far clocks may be apart, in seconds.
const LEEWAY: f64 = 30.0;
/// So close to the present nobody says on which side of it a time is.
const UNSURE: f64 = 600.0;

/// Says who calls.
#[mcp_tool]
fn whoami(principal: &Principal) -> String {
    principal.as_str().to_owned()
}

/// See the module.
pub fn check(data: &[u8]) {
    let mut lines = data.split(|byte| *byte == b'\n');
    let mut line = || lines.next().unwrap_or_default();
    let (key, header, claims, changes) = (line(), line(), line(), line());
    let signed = token(key, header, claims);
    let token = changed(&signed, changes);
    let values: Vec<HeaderValue> = lines.filter_map(|line| value(line, &token)).collect();
    let reply = ask(&values);
    let status = reply.status.as_u16();
    if token.len() > 20 {
        let told = [format!("{:?}", reply.headers).as_bytes(), &reply.body].concat();
        assert!(!told.windows(token.len()).any(|part| part == token.as_bytes()), "a token is told");
    }
    match presented(&values) {
        Presented::Nothing => assert_eq!(status, 401),
        Presented::Malformed => assert_eq!(status, 400, "{values:?}"),
        Presented::Token(presented) => {
            let name = (presented == signed).then(|| principal(key, header, claims)).flatten();
            match name {
                Some(Name::Known(name)) => {
                    assert_eq!(status, 200, "{name} does not get in: {:?}", reply.body);
                    let received = reply.messages();
                    let result = received.only("1").outcome.as_ref().expect("a result");
                    assert_eq!(result["content"][0]["text"], name);
                }
                Some(Name::Unsure) => assert!(status == 200 || status == 401, "{status}"),
                None => assert_eq!(status, 401, "{presented} gets in: {:?}", reply.body),
            }
        }
    }
    if status == 401 {
        let challenge = reply.headers.get("www-authenticate").and_then(|value| value.to_str().ok());
        let challenge = challenge.and_then(|value| value.strip_prefix("Bearer ")).expect("a challenge");
        assert!(challenge.contains(METADATA), "{challenge}");
    }
}

/// Calls the tool with these values of `Authorization`.
fn ask(values: &[HeaderValue]) -> Reply {
    thread_local! {
        // Keys are fetched over a socket, for which time does not pass by itself.
        static RUNTIME: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        static SERVICE: HttpService = {
            let verifier = JwtVerifier::new(ISSUER).jwks_uri(issuer::publish());
            let server = Server::new("protected", "1").tools(tools![whoami]);
            server.authorization(Authorization::new(RESOURCE, verifier)).into_service().expect("it builds")
        };
    }
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "tools/call"),
        ("mcp-name", "whoami"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    values.iter().for_each(|value| _ = headers.append("authorization", value.clone()));
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"whoami","_meta":{{{ENVELOPE}}}}}}}"#
    );
    let mut service = SERVICE.with(Clone::clone);
    RUNTIME.with(|runtime| runtime.block_on(web::ask(&mut service, Method::POST, headers, body.as_bytes())))
}

/// A token of that header and these claims.
fn token(key: &[u8], header: &[u8], claims: &[u8]) -> String {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
    let signature = issuer::sign(key, message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// A token with other characters at some places.
fn changed(token: &str, changes: &[u8]) -> String {
    let numbers = String::from_utf8_lossy(changes);
    let numbers: Vec<usize> = numbers.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect();
    let mut characters: Vec<char> = token.chars().collect();
    for pair in numbers.chunks_exact(2) {
        let at = pair[0] % characters.len();
        characters[at] = char::from((pair[1] % 95) as u8 + b' ');
    }
    characters.into_iter().collect()
}

/// A value of the header, if it can be one.
fn value(line: &[u8], token: &str) -> Option<HeaderValue> {
    let Some(at) = line.iter().position(|byte| *byte == b'$') else { return HeaderValue::from_bytes(line).ok() };
    HeaderValue::from_bytes(&[&line[..at], token.as_bytes(), &line[at + 1..]].concat()).ok()
}

/// What the values say, by RFC 6750, section 2.1, and RFC 9110, section 11.4.
enum Presented {
    Nothing,
    Malformed,
    Token(String),
}

fn presented(values: &[HeaderValue]) -> Presented {
    let value = match values {
        [] => return Presented::Nothing,
        [value] => value.to_str(),
        _ => return Presented::Malformed,
    };
    let Ok(value) = value else { return Presented::Malformed };
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Presented::Nothing;
    }
    let token = token.trim_matches(' ');
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);
    let characters = token.trim_end_matches('=');
    match !characters.is_empty() && characters.bytes().all(fits) {
        true => Presented::Token(token.to_owned()),
        false => Presented::Malformed,
    }
}

/// Under which name the bearer of a token comes in.
enum Name {
    Known(String),
    /// It may come in, or have been too late or too early.
    Unsure,
}

/// Whose a token is that has not been changed since it was signed.
fn principal(key: &[u8], header: &[u8], claims: &[u8]) -> Option<Name> {
    let header: Map<String, Value> = serde_json::from_slice(header).ok()?;
    let claims: Map<String, Value> = serde_json::from_slice(claims).ok()?;
    // A member that is null says as little as none.
    let text = |of: &Map<String, Value>, name: &str| match of.get(name) {
        None | Some(Value::Null) => Some(None),
        Some(value) => value.as_str().map(|text| Some(text.to_owned())),
    };
    let (alg, kid, typ) = (text(&header, "alg")??, text(&header, "kid")?, text(&header, "typ")?);
    let typ = typ.unwrap_or("jwt".to_owned()).to_ascii_lowercase();
    let is_type = ["jwt", "at+jwt"].contains(&typ.strip_prefix("application/").unwrap_or(&typ));
    // Without a name there must be but one key for the algorithm.
    let named = kid.unwrap_or("k3".to_owned());
    let is_signed = named.as_bytes() == key && issuer::algorithms(&named).contains(&&*alg);
    if header.contains_key("crit") || claims.contains_key("cnf") || !is_type || !is_signed {
        return None;
    }
    let is_for_us = match claims.get("aud")? {
        Value::Array(audiences) => audiences.iter().any(|audience| audience == RESOURCE),
        audience => audience == RESOURCE,
    };
    let subject = claims.get("sub")?.as_str().filter(|subject| !subject.is_empty())?;
    if claims.get("iss")? != ISSUER || !is_for_us {
        return None;
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs_f64();
    let moment = |value: &Value| value.as_f64().filter(|seconds| (0.0..1e11).contains(seconds));
    let left = moment(claims.get("exp")?)? + LEEWAY - now;
    let begun = match claims.get("nbf") {
        Some(begin) => now + LEEWAY - moment(begin)?,
        None => f64::INFINITY,
    };
    if left < -UNSURE || begun < -UNSURE {
        return None;
    }
    let is_sure = left > UNSURE && begun > UNSURE;
    Some(if is_sure { Name::Known(format!("{ISSUER} {subject}")) } else { Name::Unsure })
}
