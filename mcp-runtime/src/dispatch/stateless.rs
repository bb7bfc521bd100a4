//! Requests of the stateless era: everything that matters is in the request itself.

use super::methods::{Asked, Shared};
use super::{Answer, Carrier, Core, Reaction, Request, Standing, headers};
use crate::revision::{self, Envelope, Member, Revision};
use crate::session::LevelSource;
use crate::wire::{self, RpcError};
use std::borrow::Cow;
use std::sync::Arc;

impl Core {
    pub(super) fn stateless(self: &Arc<Self>, request: &Request<'_>, carrier: &Carrier<'_>) -> Reaction {
        let envelope = &request.params.envelope;
        let answer = |error: RpcError, standing| Reaction::Answer(Answer::error(Some(request.id), &error, standing));
        let revision = match check(request, carrier) {
            Ok(revision) => revision,
            Err(error) => return answer(error, Standing::Rejected),
        };
        if request.method == "server/discover" {
            let body = wire::result(request.id, 512, |out| {
                let declared = self.registry.declared();
                revision::discover(out, revision, declared, &self.identity, self.instructions.as_deref(), self.caching);
            });
            return Reaction::Answer(Answer::ok(body));
        }
        if request.method == "subscriptions/listen" {
            return self.listen(request, carrier);
        }
        let Some(method) = Shared::find(&request.method, self.registry.declared()) else {
            return answer(RpcError::method_not_found(&request.method), Standing::UnknownMethod);
        };
        let level = match envelope.log_level() {
            Ok(level) => LevelSource::Request(level),
            Err(error) => return answer(error, Standing::Rejected),
        };
        let asked = Asked {
            id: request.id,
            revision,
            params: &request.params,
            level,
            client_info: envelope.client_info(),
            capabilities: envelope.capabilities(),
            carrier,
            layered: None,
        };
        self.shared(method, &asked)
    }
}

/// Everything that is checked before the method is looked at, in the order that clients rely on.
fn check(request: &Request<'_>, carrier: &Carrier<'_>) -> Result<Revision, RpcError> {
    let params = &request.params;
    let header = carrier.headers.map(headers::require_version).transpose()?;
    let version = params.envelope.require()?;
    if let Some(header) = header {
        headers::check_version(header, &version)?;
    }
    let revision = Envelope::revision(&version)?;
    if let Some(headers) = carrier.headers {
        let name: Option<Option<Cow<'_, str>>> = match &*request.method {
            "tools/call" | "prompts/get" => Some(params.text(Member::Name).ok()),
            "resources/read" => Some(params.text(Member::Uri).ok()),
            _ => None,
        };
        headers::check_routing(headers, &request.method, name.as_ref().map(Option::as_deref))?;
    }
    Ok(revision)
}
