//! `resources/read`.

use super::{Asked, rate_exceeded};
use crate::dispatch::attempts::gone;
use crate::dispatch::run::{Subject, react};
use crate::dispatch::{Answer, Core, Reaction, arguments};
use crate::handler::{Call, ResourceEntry, Slots};
use crate::model::ResourceContents;
use crate::registry::Function;
use crate::reply::{Refusal, ResourceOutcome, ResourceReply};
use crate::revision::{self, Caching, Member, Revision};
use crate::session::Scope;
use crate::uri_template::Values;
use crate::wire::{self, Id, RpcError};
use serde_json::json;
use std::borrow::Cow;
use std::sync::Arc;

impl Core {
    pub(super) fn read_resource(self: &Arc<Self>, asked: &Asked<'_>) -> Reaction {
        let uri = match asked.params.text(Member::Uri) {
            Ok(uri) => uri,
            Err(error) => return asked.fail(&error),
        };
        if uri.len() > self.bounds.uri {
            return asked.fail(&RpcError::invalid_params(format!("a URI has at most {} bytes", self.bounds.uri)));
        }
        let Some((resource, values)) = self.registry.resource(&uri, &asked.carrier.caller.access) else {
            return asked.fail(&not_found(asked.revision, &uri));
        };
        if let Some(reaction) = asked.lacks(&resource.function.requires) {
            return reaction;
        }
        let function = &resource.function;
        let admitted = match asked.admit(self, Some(&function.limits)) {
            Ok(admitted) => admitted,
            Err(wait) => return asked.fail(&rate_exceeded(wait)),
        };
        let entry = function.entry;
        let (function_name, timeout) = (entry.name, function.limits.timeout);
        let subject = Subject { method: "resources/read", name: &uri, function: function_name, timeout };
        let rounds = match asked.resume(self, &subject) {
            Ok(rounds) => rounds,
            Err(error) => return asked.fail(&error),
        };
        let scope = asked.scope(self, (entry.name, entry.origin), asked.asking(rounds));
        let given = slots(function, &values);
        let problems = arguments::check_texts(function, &given);
        if !problems.is_empty() {
            return asked.fail(&misfit(asked.revision, &uri, arguments::report(function, &problems)));
        }
        let (template, revision) = (resource.uri, asked.revision);
        let now = || (entry.call)(Call::new(&scope, given, None));
        let outcome = admitted.run(&scope, now, || {
            let core = Arc::clone(self);
            let owned = |(name, value): &(_, Cow<'_, str>)| (*name, Cow::Owned(value.clone().into_owned()));
            let values: Values<'static> = values.iter().map(owned).collect();
            move |scope: &Scope<'_>, turn| match core.registry.resource_of(template, entry) {
                Some(resource) => {
                    let slots = slots(&resource.function, &values);
                    (entry.call)(Call::new(scope, slots, None).in_turn(turn))
                }
                None => gone(),
            }
        });
        // What a person has answered goes into the contents: nobody else may see them.
        let public = self.caching.public && function.scopes.is_empty() && !function.personal;
        let caching =
            if asked.is_resumed() { Caching { ttl_ms: 0, public: false } } else { Caching { public, ..self.caching } };
        let read = uri.clone().into_owned();
        react(self, outcome, asked, &subject, &scope, move |core, id, reply| {
            core.resource_answer(id, revision, (template, entry), &read, caching, reply)
        })
    }

    fn resource_answer(
        &self,
        id: Id<'_>,
        revision: Revision,
        (template, entry): (&'static str, &'static ResourceEntry),
        uri: &str,
        caching: Caching,
        reply: ResourceReply,
    ) -> Answer {
        let fail = |error: &RpcError| Answer::failure(id, error);
        let Some(resource) = self.registry.resource_of(template, entry) else { return fail(&RpcError::internal()) };
        let reply = match resource.function.limits.max_output {
            Some(max) => reply.cut(max, resource.mime_type.as_deref()),
            None => reply,
        };
        match reply.0 {
            ResourceOutcome::Contents(parts) => {
                let size = parts.iter().map(ResourceContents::size).sum::<usize>();
                Answer::ok(wire::result(id, 512 + size, |out| {
                    let mime_type = resource.mime_type.as_deref();
                    revision::read(out, revision, uri, mime_type, &parts, &self.identity, caching);
                }))
            }
            ResourceOutcome::NotFound => fail(&not_found(revision, uri)),
            // A value that does not fit its variable names no resource.
            ResourceOutcome::Refused(Refusal(problems)) => {
                let text = arguments::text(&resource.function, &problems, None, None);
                fail(&misfit(revision, uri, text))
            }
            ResourceOutcome::Failed(error) => fail(&error.into_response(entry.name)),
        }
    }
}

/// The variables' values by parameter.
fn slots<'v>(function: &Function<ResourceReply>, values: &'v Values<'_>) -> Slots<'v> {
    let mut slots = Slots::new(function.names.len());
    for (name, value) in values {
        if let Some(index) = function.names.iter().position(|known| known.as_deref() == Some(*name)) {
            slots.set_text(index, Cow::Borrowed(&**value));
        }
    }
    slots
}

/// The error for a URI whose variables do not have the values that they should: it names no resource.
fn misfit(revision: Revision, uri: &str, text: String) -> RpcError {
    RpcError::new(revision.features().resource_not_found, text).with_data(&json!({"uri": uri}))
}

/// The error for a resource that does not exist.
pub(in crate::dispatch) fn not_found(revision: Revision, uri: &str) -> RpcError {
    RpcError::new(revision.features().resource_not_found, "Resource not found").with_data(&json!({"uri": uri}))
}
