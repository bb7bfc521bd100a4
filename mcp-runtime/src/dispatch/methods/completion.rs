//! `completion/complete`.

use super::{Asked, rate_exceeded};
use crate::ToolError;
use crate::completion::{Completing, Completion};
use crate::dispatch::observe::Named;
use crate::dispatch::run::{Subject, react};
use crate::dispatch::{Answer, Core, Reaction};
use crate::handler::{Origin, Outcome};
use crate::registry::Access;
use crate::reply::{Refusal, Unreached};
use crate::revision::{self, Member, Revision};
use crate::session::{Scope, ScopeAsking};
use crate::wire::{self, Id, Json, RpcError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Deserialize)]
pub(in crate::dispatch) struct Reference {
    #[serde(rename = "type")]
    kind: String,
    name: Option<String>,
    uri: Option<String>,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
struct Chosen {
    #[serde(default)]
    arguments: BTreeMap<String, String>,
}

impl Asked<'_> {
    /// What the request is about, if it says so.
    pub(in crate::dispatch) fn reference(&self) -> Option<Reference> {
        read("ref", self.params.get(Member::Ref)).ok()
    }
}

impl Reference {
    /// The function, if there is one for the caller.
    pub(in crate::dispatch) fn named(&self, core: &Core, access: &Access) -> Option<Named> {
        match (&*self.kind, &self.name, &self.uri) {
            ("ref/prompt", Some(name), _) => {
                core.registry.prompt(name, access).map(|prompt| Named::Prompt(prompt.function.entry.name))
            }
            ("ref/resource", _, Some(uri)) => {
                core.registry.template(uri, access).map(|template| Named::Resource(template.function.entry.name))
            }
            _ => None,
        }
    }

    /// The name or template: what a reference of its kind is about.
    pub(in crate::dispatch) fn target(self) -> Option<String> {
        match &*self.kind {
            "ref/resource" => self.uri,
            _ => self.name,
        }
    }
}

/// What is asked, and who answers it: nobody, if the argument has no completer.
struct Question<'c> {
    completer: Option<&'c Completing>,
    argument: Argument,
    chosen: Chosen,
    function: &'static str,
    origin: Origin,
}

/// The values of a completer, or why there are none.
struct Values(Result<Vec<String>, ToolError>);

impl Unreached for Values {
    fn refused(_: Refusal) -> Self {
        Self::failed(ToolError::rpc(RpcError::internal()))
    }

    fn failed(error: ToolError) -> Self {
        Values(Err(error))
    }

    fn may_pass(&self) -> bool {
        false
    }
}

impl Core {
    pub(super) fn complete(self: &Arc<Self>, asked: &Asked<'_>) -> Reaction {
        let Question { completer, argument, chosen, function, origin } = match self.question(asked) {
            Ok(question) => question,
            Err(error) => return asked.fail(&error),
        };
        let revision = asked.revision;
        let answer = move |core: &Core, id: Id<'_>, values| core.completion_answer(id, revision, function, values);
        let Some(completer) = completer.map(Arc::clone) else {
            return Reaction::Answer(answer(self, asked.id, Values(Ok(Vec::new()))));
        };
        let admitted = match asked.admit(self, None) {
            Ok(admitted) => admitted,
            Err(wait) => return asked.fail(&rate_exceeded(wait)),
        };
        let subject = Subject { method: "completion/complete", name: function, function, timeout: self.timeout };
        // This method must not ask the client.
        let scope = asked.scope(self, (function, origin), ScopeAsking::Nowhere);
        let ask = move |scope: &Scope<'_>| {
            let (value, arguments) = (argument.value.clone(), chosen.arguments.clone());
            match completer(Completion { value, arguments, context: scope.context().clone() }) {
                Outcome::Ready(values) => Outcome::Ready(Values(Ok(values))),
                Outcome::Pending(values) => Outcome::Pending(Box::pin(async move { Values(Ok(values.await)) })),
            }
        };
        let outcome = admitted.run(
            &scope,
            || ask(&scope),
            || {
                let ask = ask.clone();
                move |scope: &Scope<'_>, _| ask(scope)
            },
        );
        react(self, outcome, asked, &subject, &scope, answer)
    }

    fn question(&self, asked: &Asked<'_>) -> Result<Question<'_>, RpcError> {
        let reference: Reference = read("ref", asked.params.get(Member::Ref))?;
        let argument: Argument = read("argument", asked.params.get(Member::Argument))?;
        let chosen = match asked.params.get(Member::Context) {
            Some(raw) => read("context", Some(raw))?,
            None => Chosen::default(),
        };
        let unknown = |what: &str| RpcError::invalid_params(format!("`ref` names no {what} of this server"));
        let (names, completers, function, origin) = match (&*reference.kind, reference.name, reference.uri) {
            ("ref/prompt", Some(name), _) => {
                let prompt =
                    self.registry.prompt(&name, &asked.carrier.caller.access).ok_or_else(|| unknown("prompt"))?;
                (
                    &prompt.function.names,
                    &prompt.function.completers,
                    prompt.function.entry.name,
                    prompt.function.entry.origin,
                )
            }
            ("ref/resource", _, Some(uri)) => {
                let template = self
                    .registry
                    .template(&uri, &asked.carrier.caller.access)
                    .ok_or_else(|| unknown("resource template"))?;
                (
                    &template.function.names,
                    &template.function.completers,
                    template.function.entry.name,
                    template.function.entry.origin,
                )
            }
            _ => return Err(RpcError::invalid_params("`ref` must be a `ref/prompt` or a `ref/resource`")),
        };
        if !names.iter().flatten().any(|name| *name == argument.name) {
            return Err(RpcError::invalid_params("`argument.name` is no argument of what `ref` names"));
        }
        Ok(Question { completer: completers.get(&argument.name), argument, chosen, function, origin })
    }

    fn completion_answer(&self, id: Id<'_>, revision: Revision, function: &str, values: Values) -> Answer {
        match values.0 {
            Ok(values) => Answer::ok(wire::result(id, 256, |out| {
                revision::completion(out, revision, &values, &self.identity);
            })),
            Err(error) => Answer::failure(id, &error.into_response(function)),
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(name: &str, raw: Option<Json<'_>>) -> Result<T, RpcError> {
    let Some(raw) = raw else { return Err(RpcError::invalid_params(format!("`{name}` is missing"))) };
    // An array would pass as a struct.
    let object = raw.is_object().then(|| raw.decode().ok()).flatten();
    object.ok_or_else(|| RpcError::invalid_params(format!("`{name}` does not have the form that it should")))
}
