//! What must hold of a token, and the principal that comes of it.
//!
//! Source: RFC 7519, section 4.1; RFC 9068, section 4; RFC 7662, section 2.2.

use super::TokenError;
use crate::Principal;
use serde_json::{Map, Value};
use std::time::{Duration, SystemTime};

/// What is asked of every token.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    /// None: whoever vouches for the token has looked at it.
    pub(super) audience: Option<&'a str>,
    /// How far clocks may be apart.
    pub(super) leeway: Duration,
}

type Claims = Map<String, Value>;

impl Expected<'_> {
    /// Is the token this server's?
    pub(super) fn check_audience(&self, claims: &Claims) -> Result<(), TokenError> {
        let Some(expected) = self.audience else { return Ok(()) };
        let is_named = match claims.get("aud") {
            Some(Value::String(audience)) => audience == expected,
            Some(Value::Array(audiences)) => audiences.iter().any(|audience| audience == expected),
            _ => false,
        };
        match is_named {
            true => Ok(()),
            false => Err(TokenError::invalid("the token was not issued for this server")),
        }
    }

    /// Is the token good at this time? Gives the moment from which it is not any more.
    pub(super) fn check_time(&self, claims: &Claims) -> Result<Option<SystemTime>, TokenError> {
        let now = SystemTime::now();
        if let Some(begin) = moment(claims, "nbf")?
            && begin > now + self.leeway
        {
            return Err(TokenError::invalid("the token is not valid yet"));
        }
        let end = moment(claims, "exp")?.map(|end| end + self.leeway);
        match end {
            Some(end) if end <= now => Err(TokenError::invalid("the token has expired")),
            end => Ok(end),
        }
    }

    /// The principal of a token that is good.
    pub(super) fn principal(&self, name: String, claims: Claims, end: Option<SystemTime>) -> Principal {
        let principal = Principal::new(name).with_scopes(scopes(&claims)).with_claims(claims);
        match end {
            Some(end) => principal.with_expiry(end),
            None => principal,
        }
    }

    /// A subject's name, which no subject of another issuer has: identifiers of issuers have no blanks.
    pub(super) fn name(&self, subject: &str) -> String {
        format!("{} {subject}", self.issuer)
    }
}

/// A text among the claims that is not empty.
pub(super) fn text<'c>(claims: &'c Claims, name: &str) -> Option<&'c str> {
    claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The scopes: a text with blanks in between, or a list; some issuers call it `scp`.
fn scopes(claims: &Claims) -> Vec<String> {
    let mut scopes = Vec::new();
    for value in ["scope", "scp"].iter().filter_map(|name| claims.get(*name)) {
        match value {
            Value::String(text) => scopes.extend(text.split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned)),
            Value::Array(list) => scopes.extend(list.iter().filter_map(Value::as_str).map(str::to_owned)),
            _ => {}
        }
    }
    scopes
}

/// A claim that tells a time, in seconds since 1970. One that tells anything else must not pass for one that is absent.
fn moment(claims: &Claims, name: &str) -> Result<Option<SystemTime>, TokenError> {
    let Some(value) = claims.get(name) else { return Ok(None) };
    let seconds = value.as_f64().filter(|seconds| (0.0..1e11).contains(seconds));
    match seconds {
        Some(seconds) => Ok(Some(SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds))),
        None => Err(TokenError::invalid(format!("the token's `{name}` is no time"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const EXPECTED: Expected<'_> =
        Expected { issuer: "https://i", audience: Some("https://r/mcp"), leeway: Duration::from_secs(30) };

    fn claims(value: Value) -> Claims {
        match value {
            Value::Object(claims) => claims,
            other => panic!("{other} is no object"),
        }
    }

    #[test]
    fn an_audience_is_compared_to_the_letter() {
        let check = |aud: Value| EXPECTED.check_audience(&claims(json!({"aud": aud}))).is_ok();
        assert!(check(json!("https://r/mcp")) && check(json!(["other", "https://r/mcp"])));
        for wrong in
            [json!("https://r/mcp/"), json!("https://R/mcp"), json!([]), json!(null), json!([["https://r/mcp"]])]
        {
            assert!(!check(wrong.clone()), "{wrong}");
        }
        assert!(EXPECTED.check_audience(&Claims::new()).is_err());
    }

    #[test]
    fn times_have_a_leeway_and_must_be_times() {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs();
        let check = |value| EXPECTED.check_time(&claims(value)).is_ok();
        assert!(check(json!({"exp": now - 20, "nbf": now + 20})) && check(json!({})));
        assert!(!check(json!({"exp": now - 40})) && !check(json!({"nbf": now + 40})));
        for wrong in [json!("9999999999"), json!(null), json!(-1), json!(1e300), json!(true)] {
            assert!(!check(json!({"exp": wrong})) && !check(json!({"nbf": wrong})), "{wrong}");
        }
    }

    #[test]
    fn scopes_are_read_in_all_their_forms() {
        assert_eq!(scopes(&claims(json!({"scope": "a  b", "scp": ["c", 1]}))), ["a", "b", "c"]);
        assert_eq!(scopes(&claims(json!({"scp": "a b"}))), ["a", "b"]);
        assert!(scopes(&claims(json!({"scope": {"a": 1}}))).is_empty());
    }
}
