//! `prompts/get`.

use super::{Asked, log_failure};
use crate::dispatch::run::{Subject, guarded, react};
use crate::dispatch::{Answer, Core, Reaction, arguments};
use crate::handler::{Call, Outcome, PromptEntry, Slots};
use crate::reply::{PromptOutcome, PromptReply, Refusal};
use crate::revision::{self, Revision, text_member};
use crate::wire::{self, Id, RpcError};
use std::sync::Arc;

impl Core {
    pub(super) fn get_prompt(self: &Arc<Self>, asked: &Asked<'_>) -> Reaction {
        let name = match text_member("name", asked.params.name) {
            Ok(name) => name,
            Err(error) => return asked.fail(&error),
        };
        let Some(prompt) = self.registry.prompt(&name) else {
            let shown: String = name.chars().take(64).collect();
            return asked.fail(&RpcError::invalid_params(format!("Unknown prompt: {shown}")));
        };
        if let Some(reaction) = asked.lacks(&prompt.function.requires) {
            return reaction;
        }
        let entry = prompt.function.entry;
        let arguments = asked.params.arguments;
        let timeout = prompt.function.timeout.or(self.timeout);
        let subject = Subject { method: "prompts/get", name: entry.name, timeout };
        let rounds = match asked.resume(self, &subject) {
            Ok(rounds) => rounds,
            Err(error) => return asked.fail(&error),
        };
        let scope = asked.scope(self, (entry.name, entry.origin), asked.asking(rounds));
        let mut slots = Slots::collect(&prompt.function.names(), arguments, prompt.function.ignores_unknown);
        slots.strings_to_text();
        let problems = arguments::check_texts(&prompt.function, &slots);
        if !problems.is_empty() {
            return asked.fail(&RpcError::invalid_params(arguments::report(&prompt.function, &problems)));
        }
        let outcome = guarded(&scope, || (entry.call)(Call::new(&scope, slots, arguments)));
        if let Outcome::Ready(PromptReply(PromptOutcome::Refused(Refusal(problems)))) = &outcome {
            let text = arguments::text(&prompt.function, problems, None, arguments);
            return asked.fail(&RpcError::invalid_params(text));
        }
        let revision = asked.revision;
        react(self, outcome, asked, &subject, &scope, move |core, id, reply| {
            core.prompt_answer(id, revision, entry, reply)
        })
    }

    fn prompt_answer(&self, id: Id<'_>, revision: Revision, entry: &'static PromptEntry, reply: PromptReply) -> Answer {
        let fail = |error: &RpcError| Answer::failure(id, error);
        match reply.0 {
            PromptOutcome::Messages(messages) => {
                let description = self.registry.prompt_of(entry).and_then(|prompt| prompt.description.as_deref());
                Answer::ok(wire::result(id, 512, |out| {
                    revision::messages(out, revision, description, &messages, &self.identity);
                }))
            }
            PromptOutcome::Protocol(error) => fail(&error),
            PromptOutcome::Failed(error) => {
                log_failure(entry.name, &error);
                let (text, protocol) = error.into_parts();
                fail(&protocol.unwrap_or_else(|| RpcError::new(wire::INTERNAL_ERROR, text)))
            }
            // Answered before the function's future is waited for.
            PromptOutcome::Refused(_) => fail(&RpcError::internal()),
        }
    }
}
