//! `prompts/get`.

use super::{Asked, rate_exceeded};
use crate::dispatch::attempts::gone;
use crate::dispatch::run::{Subject, react};
use crate::dispatch::{Answer, Core, Reaction, arguments};
use crate::handler::{Call, PromptEntry, Slots};
use crate::registry::Function;
use crate::reply::{PromptOutcome, PromptReply, Refusal};
use crate::revision::{self, Member, Revision};
use crate::session::Scope;
use crate::wire::{self, Id, Json, OwnedJson, RpcError};
use std::sync::Arc;

impl Core {
    pub(super) fn get_prompt(self: &Arc<Self>, asked: &Asked<'_>) -> Reaction {
        let name = match asked.params.text(Member::Name) {
            Ok(name) => name,
            Err(error) => return asked.fail(&error),
        };
        let Some(prompt) = self.registry.prompt(&name, &asked.carrier.caller.access) else {
            let shown: String = name.chars().take(64).collect();
            return asked.fail(&RpcError::invalid_params(format!("Unknown prompt: {shown}")));
        };
        if let Some(reaction) = asked.lacks(&prompt.function.requires) {
            return reaction;
        }
        let (function, arguments, revision) = (&prompt.function, asked.params.get(Member::Arguments), asked.revision);
        let admitted = match asked.admit(self, Some(&function.limits)) {
            Ok(admitted) => admitted,
            Err(wait) => return asked.fail(&rate_exceeded(wait)),
        };
        if let Some(text) = arguments::too_large(function, arguments, self.bounds.arguments) {
            return asked.fail(&RpcError::invalid_params(text));
        }
        let entry = function.entry;
        let (name, timeout) = (entry.name, function.limits.timeout);
        let subject = Subject { method: "prompts/get", name, function: name, timeout };
        let rounds = match asked.resume(self, &subject) {
            Ok(rounds) => rounds,
            Err(error) => return asked.fail(&error),
        };
        let scope = asked.scope(self, (entry.name, entry.origin), asked.asking(rounds));
        let slots = slots(function, arguments);
        let problems = arguments::check_texts(function, &slots);
        if !problems.is_empty() {
            return asked.fail(&RpcError::invalid_params(arguments::report(function, &problems)));
        }
        let now = || (entry.call)(Call::new(&scope, slots, arguments));
        let outcome = admitted.run(&scope, now, || {
            let (core, arguments) = (Arc::clone(self), arguments.map(Json::to_owned));
            move |scope: &Scope<'_>, turn| match core.registry.prompt_of(entry) {
                Some(prompt) => {
                    let arguments = arguments.as_ref().map(OwnedJson::borrow);
                    let slots = self::slots(&prompt.function, arguments);
                    (entry.call)(Call::new(scope, slots, arguments).in_turn(turn))
                }
                None => gone(),
            }
        });
        react(self, outcome, asked, &subject, &scope, move |core, id, reply| {
            core.prompt_answer(id, revision, entry, reply)
        })
    }

    fn prompt_answer(&self, id: Id<'_>, revision: Revision, entry: &'static PromptEntry, reply: PromptReply) -> Answer {
        let fail = |error: &RpcError| Answer::failure(id, error);
        let Some(prompt) = self.registry.prompt_of(entry) else { return fail(&RpcError::internal()) };
        let reply = match prompt.function.limits.max_output {
            Some(max) => reply.cut(max),
            None => reply,
        };
        match reply.0 {
            PromptOutcome::Messages(messages) => {
                let description = prompt.description.as_deref();
                let size = messages.messages.iter().map(|message| message.content.size()).sum::<usize>();
                Answer::ok(wire::result(id, 512 + size, |out| {
                    revision::messages(out, revision, description, &messages, &self.identity);
                }))
            }
            PromptOutcome::Failed(error) => fail(&error.into_response(entry.name)),
            PromptOutcome::Refused(Refusal(problems)) => {
                fail(&RpcError::invalid_params(arguments::text(&prompt.function, &problems, None, None)))
            }
        }
    }
}

/// The arguments by parameter, as texts.
fn slots<'a>(function: &Function<PromptReply>, arguments: Option<Json<'a>>) -> Slots<'a> {
    let mut slots = Slots::collect(&function.names(), arguments, function.ignores_unknown);
    slots.strings_to_text();
    slots
}
