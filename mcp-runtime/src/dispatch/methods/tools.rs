//! `tools/call`.

use super::{Asked, log_failure};
use crate::dispatch::run::{Subject, guarded, react};
use crate::dispatch::{Answer, Core, Reaction, Standing, arguments, headers};
use crate::handler::{Call, Outcome, Slots, ToolEntry};
use crate::model::ToolResult;
use crate::registry::ToolFunction;
use crate::reply::{Refusal, ToolOutcome, ToolReply};
use crate::revision::{self, InvalidArguments, Revision, ToolOutput, text_member};
use crate::schema::Problem;
use crate::wire::{self, Id, RpcError};
use serde_json::Value;
use std::sync::Arc;

impl Core {
    pub(super) fn call_tool(self: &Arc<Self>, asked: &Asked<'_>) -> Reaction {
        let name = match text_member("name", asked.params.name) {
            Ok(name) => name,
            Err(error) => return asked.fail(&error),
        };
        let Some(tool) = self.registry.tool(&name) else {
            let shown: String = name.chars().take(64).collect();
            return asked.fail(&RpcError::invalid_params(format!("Unknown tool: {shown}")));
        };
        if let Some(reaction) = asked.lacks(&tool.function.requires) {
            return reaction;
        }
        let arguments = asked.params.arguments;
        if let Some(headers) = asked.carrier.headers.filter(|_| asked.revision.is_stateless())
            && let Err(error) = headers::check_params(headers, &tool.headers, arguments)
        {
            return asked.reject(&error);
        }
        if let Some(validator) = arguments::judge(tool, arguments) {
            let problems = arguments::check(validator, arguments);
            if !problems.is_empty() {
                return Reaction::Answer(self.invalid(asked, &arguments::report(&tool.function, &problems)));
            }
        }
        let timeout = tool.function.timeout.or(self.timeout);
        let subject = Subject { method: "tools/call", name: tool.function.entry.name, timeout };
        let rounds = match asked.resume(self, &subject) {
            Ok(rounds) => rounds,
            Err(error) => return asked.fail(&error),
        };
        let scope = asked.scope(self, (subject.name, tool.function.entry.origin), asked.asking(rounds));
        let outcome = guarded(&scope, || {
            let slots = Slots::collect(&tool.function.names(), arguments, tool.function.ignores_unknown);
            (tool.function.entry.call)(Call::new(&scope, slots, arguments))
        });
        if let Outcome::Ready(ToolReply(ToolOutcome::Refused(Refusal(problems)))) = &outcome {
            let text = arguments::text(&tool.function, problems, tool.explainer(), arguments);
            return Reaction::Answer(self.invalid(asked, &text));
        }
        let (entry, revision) = (tool.function.entry, asked.revision);
        react(self, outcome, asked, &subject, &scope, move |core, id, reply| {
            core.tool_answer(id, revision, entry, reply)
        })
    }

    /// Arguments that do not fit: for the model where the revision says so, for the client in older ones.
    fn invalid(&self, asked: &Asked<'_>, text: &str) -> Answer {
        match asked.revision.features().invalid_arguments {
            InvalidArguments::Result => {
                let result = ToolResult::error(text);
                self.tool_result(asked.id, asked.revision, ToolOutput::Result(&result), None)
            }
            InvalidArguments::Error => {
                Answer::error(Some(asked.id), &RpcError::invalid_params(text.to_owned()), Standing::Dispatched)
            }
        }
    }

    fn tool_answer(&self, id: Id<'_>, revision: Revision, entry: &'static ToolEntry, reply: ToolReply) -> Answer {
        let name = entry.name;
        let Some(tool) = self.registry.tool_of(entry) else {
            return Answer::error(Some(id), &RpcError::internal(), Standing::Dispatched);
        };
        let schema = tool.output_schema.as_ref();
        let failure = |text: String| {
            let result = ToolResult::error(text);
            self.tool_result(id, revision, ToolOutput::Result(&result), schema)
        };
        match reply.0 {
            ToolOutcome::Value(json) => match broken(tool, &json) {
                Some(problem) => {
                    tracing::error!(tool = name, %problem, "a result does not satisfy the tool's own output schema");
                    failure(format!("The result does not satisfy the tool's output schema: {problem}"))
                }
                None => self.tool_result(id, revision, ToolOutput::Value(&json), schema),
            },
            ToolOutcome::Result(result) => self.tool_result(id, revision, ToolOutput::Result(&result), schema),
            ToolOutcome::Protocol(error) => Answer::failure(id, &error),
            ToolOutcome::Failed(error) => {
                log_failure(name, &error);
                match error.into_parts() {
                    (_, Some(protocol)) => Answer::failure(id, &protocol),
                    (text, None) => failure(text),
                }
            }
            // Answered before the function's future is waited for.
            ToolOutcome::Refused(_) => Answer::error(Some(id), &RpcError::internal(), Standing::Dispatched),
        }
    }

    fn tool_result(
        &self,
        id: Id<'_>,
        revision: Revision,
        output: ToolOutput<'_>,
        output_schema: Option<&Value>,
    ) -> Answer {
        let capacity = match output {
            ToolOutput::Value(json) => 2 * json.len() + 256,
            ToolOutput::Result(_) => 512,
        };
        Answer::ok(wire::result(id, capacity, |out| {
            revision::tool_result(out, revision, output, output_schema, &self.identity);
        }))
    }
}

/// What of a result its schema refuses: a constraint that the type does not assure, or a `null` where the schema has none,
/// which is what numbers that are not finite become.
fn broken(tool: &ToolFunction, json: &str) -> Option<Problem> {
    if !tool.output_constrained {
        memchr::memmem::find(json.as_bytes(), b"null")?;
    }
    let validator = tool.output_validator()?;
    let value = serde_json::from_str(json).ok()?;
    validator.problems(&value).into_iter().next()
}
