//! The token of a request.
//!
//! Source: RFC 6750, section 2.1; RFC 9110, section 11.4.

use http::HeaderMap;
use http::header::{AUTHORIZATION, Entry, HeaderValue};

/// What a request says of who sends it.
#[derive(PartialEq, Eq)]
pub(super) enum Presented {
    /// Nothing that this server reads.
    Nothing,
    Token(String),
    /// Something that cannot be read.
    Malformed(&'static str),
}

/// Takes what is presented out of the headers: nobody else may see it. `query` is that of the URI, where no token is looked for.
pub(super) fn take(headers: &mut HeaderMap, query: Option<&str>) -> Presented {
    let presented = match remove_all(headers).as_slice() {
        [] => Presented::Nothing,
        [value] => read(value),
        _ => Presented::Malformed("the header `Authorization` stands there more than once"),
    };
    match presented {
        Presented::Token(_) if has_token(query) => Presented::Malformed("a token goes into the header alone"),
        presented => presented,
    }
}

fn read(value: &HeaderValue) -> Presented {
    let Ok(text) = value.to_str() else { return Presented::Malformed("the header `Authorization` is unreadable") };
    let (scheme, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    if !scheme.eq_ignore_ascii_case("Bearer") {
        // Other schemes are for others, such as a proxy that has not taken it out.
        return Presented::Nothing;
    }
    let token = rest.trim_matches(' ');
    let body = token.trim_end_matches('=');
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._~+/".contains(&b);
    match !body.is_empty() && body.bytes().all(fits) {
        true => Presented::Token(token.to_owned()),
        false => Presented::Malformed("what follows `Bearer` is no token"),
    }
}

fn has_token(query: Option<&str>) -> bool {
    let names = query.unwrap_or_default().split('&').map(|pair| pair.split('=').next().unwrap_or_default());
    names.into_iter().any(|name| name == "access_token")
}

/// Removes the header, however often it stands there.
fn remove_all(headers: &mut HeaderMap) -> Vec<HeaderValue> {
    match headers.entry(AUTHORIZATION) {
        Entry::Occupied(entry) => entry.remove_entry_mult().1.collect(),
        Entry::Vacant(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(values: &[&'static str], query: Option<&str>) -> Presented {
        let mut headers = HeaderMap::new();
        values.iter().for_each(|value| _ = headers.append(AUTHORIZATION, HeaderValue::from_static(value)));
        let presented = take(&mut headers, query);
        assert!(headers.is_empty(), "nothing is left of it");
        presented
    }

    #[test]
    fn a_token_is_read_and_nothing_is_guessed() {
        for value in ["Bearer a.b-c_d~e+f/g==", "bearer a.b-c_d~e+f/g==", "BEARER  a.b-c_d~e+f/g== "] {
            assert!(taken(&[value], None) == Presented::Token("a.b-c_d~e+f/g==".to_owned()), "{value}");
        }
        for value in ["Basic YTpi", "Bearerx", "", "DPoP x"] {
            assert!(taken(&[value], None) == Presented::Nothing, "{value}");
        }
        for value in ["Bearer", "Bearer ", "Bearer a b", "Bearer a,b", "Bearer =", "Bearer a=b", "Bearer \"a\""] {
            assert!(matches!(taken(&[value], None), Presented::Malformed(_)), "{value}");
        }
        assert!(matches!(taken(&["Bearer a", "Bearer a"], None), Presented::Malformed(_)));
        assert!(taken(&[], Some("access_token=a")) == Presented::Nothing);
        assert!(matches!(taken(&["Bearer a"], Some("x=1&access_token=a")), Presented::Malformed(_)));
        assert!(matches!(taken(&["Bearer a"], Some("x=access_token")), Presented::Token(_)));
    }
}
