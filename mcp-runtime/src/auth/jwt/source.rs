//! Where the keys of an issuer are.
//!
//! Source: basic/authorization, Authorization Server Metadata Discovery; RFC 8414, sections 3 and 5; OpenID Connect Discovery,
//! section 4.

use super::keys::{Keys, PublishedKeys};
use crate::auth::{fetch, url};
use http::Uri;
use serde::Deserialize;
use std::time::Duration;

const MAX_AGE: Duration = Duration::from_secs(60 * 60);
const INTERVAL: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub(super) struct Source {
    pub(super) issuer: String,
    /// None: its metadata says.
    pub(super) jwks_uri: Option<String>,
    pub(super) max_age: Duration,
    pub(super) interval: Duration,
}

/// What is read of an issuer's metadata.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

impl Source {
    pub(super) fn new(issuer: String) -> Self {
        Source { issuer, jwks_uri: None, max_age: MAX_AGE, interval: INTERVAL }
    }

    /// Fetches the keys. `known` is where they were the last time, if metadata had to be asked.
    pub(super) async fn fetch(&self, known: &mut Option<Uri>) -> Result<Keys, String> {
        let uri = match (&self.jwks_uri, &*known) {
            (Some(uri), _) => url::secure(uri)?,
            (None, Some(uri)) => uri.clone(),
            (None, None) => self.discover().await?,
        };
        // If it is not there any more, the metadata may say where it has gone.
        *known = None;
        let published: PublishedKeys = fetch::get(&uri).await?;
        let keys = published.usable().ok_or_else(|| format!("{uri}: there is no key to verify signatures with"))?;
        *known = Some(uri);
        Ok(keys)
    }

    /// Asks each place where the metadata may be, in the order of the specification.
    async fn discover(&self) -> Result<Uri, String> {
        let mut problems = Vec::new();
        for place in self.places()? {
            let place = url::secure(&place)?;
            match fetch::get::<Metadata>(&place).await {
                Ok(metadata) if metadata.issuer != self.issuer => {
                    problems.push(format!("{place}: this is the metadata of another issuer"));
                }
                Ok(metadata) => return url::secure(&metadata.jwks_uri),
                Err(problem) => problems.push(problem),
            }
        }
        Err(problems.join("; "))
    }

    fn places(&self) -> Result<Vec<String>, String> {
        let issuer = url::identifier(&self.issuer, true)?;
        let (origin, path) = (url::origin(&issuer), url::path(&issuer));
        let mut places = vec![
            format!("{origin}/.well-known/oauth-authorization-server{path}"),
            format!("{origin}/.well-known/openid-configuration{path}"),
        ];
        if !path.is_empty() {
            places.push(format!("{origin}{path}/.well-known/openid-configuration"));
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_in_the_order_of_the_specification() {
        let places = |issuer: &str| Source::new(issuer.to_owned()).places().expect("a good issuer");
        let root = [
            "https://a.example.com/.well-known/oauth-authorization-server",
            "https://a.example.com/.well-known/openid-configuration",
        ];
        assert_eq!(places("https://a.example.com"), root);
        assert_eq!(places("https://a.example.com/"), root);
        assert_eq!(
            places("https://a.example.com/tenant1"),
            [
                "https://a.example.com/.well-known/oauth-authorization-server/tenant1",
                "https://a.example.com/.well-known/openid-configuration/tenant1",
                "https://a.example.com/tenant1/.well-known/openid-configuration",
            ]
        );
    }
}
