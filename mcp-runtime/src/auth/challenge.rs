//! What a client is told that comes without a token, or with one that is not enough.
//!
//! Source: RFC 6750, section 3; RFC 9728, section 5.1; basic/authorization, Error Handling.

use http::HeaderValue;

/// The value of `WWW-Authenticate`.
pub(super) struct Challenge<'a> {
    /// The error and its description; none if there was no token at all.
    pub(super) error: Option<(&'static str, &'a str)>,
    /// What a token must allow; nothing in particular if empty.
    pub(super) scopes: &'a [&'a str],
    /// Where the metadata is.
    pub(super) metadata: &'a str,
}

impl Challenge<'_> {
    pub(super) fn value(&self) -> HeaderValue {
        let mut text = String::from("Bearer ");
        if let Some((error, description)) = self.error {
            text.push_str(&format!("error=\"{error}\", error_description=\"{}\", ", quotable(description)));
        }
        text.push_str(&format!("resource_metadata=\"{}\"", self.metadata));
        if !self.scopes.is_empty() {
            text.push_str(&format!(", scope=\"{}\"", self.scopes.join(" ")));
        }
        // Every part has been checked or made fit.
        HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
    }
}

/// The characters that a description may have; it comes from a verifier, which may be the author's.
fn quotable(text: &str) -> String {
    let fits = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
    text.chars().take(200).map(|c| if fits(c) { c } else { '\'' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_cannot_break_out() {
        let challenge = Challenge {
            error: Some(("invalid_token", "a \"b\" \\ c\r\nX: y \u{e9}")),
            scopes: &["a", "b"],
            metadata: "https://x/m",
        };
        let expected = "Bearer error=\"invalid_token\", error_description=\"a 'b' ' c''X: y '\", \
                        resource_metadata=\"https://x/m\", scope=\"a b\"";
        assert_eq!(challenge.value(), expected);
        assert_eq!(
            Challenge { error: None, scopes: &[], ..challenge }.value(),
            "Bearer resource_metadata=\"https://x/m\""
        );
    }
}
