//! Who gets in, and what whoever is in may ask for.

use super::Shared;
use super::reply::{HttpBody, Refusal};
use super::visitor::Visitor;
use crate::auth::Refused;
use crate::dispatch::{Lacking, Message};
use crate::registry::Access;
use http::header::WWW_AUTHENTICATE;
use http::request::Parts;
use http::{Method, Response, StatusCode};

impl Shared {
    /// Judges where a request comes from, and from whom. The principal is among its extensions afterwards, and the token is
    /// gone.
    pub(in crate::transport) async fn admit(&self, parts: &mut Parts, visitor: &Visitor) -> Result<(), Refusal> {
        self.guard.check(parts, visitor)?;
        let (target, most) = (parts.uri.path_and_query(), self.core.bounds.uri);
        if target.is_some_and(|target| target.as_str().len() > most) {
            let text = format!("the target of a request has at most {most} bytes");
            return Err(Refusal::new(StatusCode::URI_TOO_LONG, text));
        }
        // Browsers ask with this method whether they may send the token along.
        let Some(authorization) = self.authorization.as_ref().filter(|_| parts.method != Method::OPTIONS) else {
            return Ok(());
        };
        let principal = authorization.judge(parts).await?;
        parts.extensions.insert(principal);
        Ok(())
    }

    /// Refuses a message about a function whose scopes the caller does not have. Without authorization there is no such
    /// function for the caller.
    pub(in crate::transport) fn check_scopes(&self, message: &Message<'_>, access: &Access) -> Result<(), Refusal> {
        let Some(authorization) = &self.authorization else { return Ok(()) };
        match self.core.scopes_lacking(message, access) {
            Some(scopes) => Err(authorization.insufficient(scopes).into()),
            None => Ok(()),
        }
    }

    /// The same for every message of a batch.
    pub(in crate::transport) fn check_scopes_of_batch(&self, text: &str, access: &Access) -> Result<(), Refusal> {
        let Some(authorization) = &self.authorization else { return Ok(()) };
        match self.core.scopes_lacking_in_batch(text, access) {
            Some(scopes) => Err(authorization.insufficient(scopes).into()),
            None => Ok(()),
        }
    }

    /// Adds what tells a client how to get the scopes that it lacks, if that is what its answer says.
    pub(in crate::transport) fn challenged(&self, mut response: Response<HttpBody>) -> Response<HttpBody> {
        if let (Some(Lacking(scopes)), Some(authorization)) = (response.extensions_mut().remove(), &self.authorization)
        {
            let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
            let challenge = authorization.insufficient(&scopes).challenge;
            response.headers_mut().extend(challenge.map(|challenge| (WWW_AUTHENTICATE, challenge)));
        }
        response
    }
}

impl From<Refused> for Refusal {
    fn from(Refused { status, text, challenge }: Refused) -> Self {
        Refusal::challenged(status, text, challenge)
    }
}
