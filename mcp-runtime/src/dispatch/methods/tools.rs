//! `tools/call`.

use super::{Asked, too_often};
use crate::dispatch::attempts::gone;
use crate::dispatch::run::{Subject, react};
use crate::dispatch::{Answer, Core, Reaction, Standing, arguments, headers};
use crate::handler::{Call, Outcome, Slots, ToolEntry, Turn};
use crate::model::{Content, Schema, ToolResult};
use crate::registry::ToolFunction;
use crate::reply::{Refusal, ToolOutcome, ToolReply};
use crate::revision::{self, InvalidArguments, Member, Revision, ToolOutput};
use crate::schema::Problem;
use crate::session::Scope;
use crate::wire::{self, Id, Json, OwnedJson, RpcError};
use std::sync::Arc;

impl Core {
    pub(super) fn call_tool(self: &Arc<Self>, asked: &Asked<'_>) -> Reaction {
        let name = match asked.params.text(Member::Name) {
            Ok(name) => name,
            Err(error) => return asked.fail(&error),
        };
        let Some(tool) = self.registry.tool(&name, &asked.carrier.caller.access) else {
            let shown: String = name.chars().take(64).collect();
            return asked.fail(&RpcError::invalid_params(format!("Unknown tool: {shown}")));
        };
        if let Some(reaction) = asked.lacks(&tool.function.requires) {
            return reaction;
        }
        let arguments = asked.params.get(Member::Arguments);
        if let Some(headers) = asked.carrier.headers.filter(|_| asked.revision.is_stateless())
            && let Err(error) = headers::check_params(headers, &tool.headers, arguments)
        {
            return asked.reject(&error);
        }
        let (function, revision) = (&tool.function, asked.revision);
        let admitted = match asked.admit(self, Some(&function.limits)) {
            Ok(admitted) => admitted,
            Err(wait) => {
                let refused = ToolResult::error(too_often(wait));
                return Reaction::Answer(self.tool_result(asked.id, revision, ToolOutput::Result(&refused), None));
            }
        };
        if let Some(text) = arguments::too_large(function, arguments, self.bounds.arguments) {
            return Reaction::Answer(self.invalid(asked.id, revision, text));
        }
        if let Some(validator) = arguments::judge(tool, arguments) {
            let problems = arguments::check(validator, arguments);
            if !problems.is_empty() {
                let text = arguments::report(function, &problems);
                return Reaction::Answer(self.invalid(asked.id, revision, text));
            }
        }
        let entry = function.entry;
        let (name, timeout) = (entry.name, function.limits.timeout);
        let subject = Subject { method: "tools/call", name, function: name, timeout };
        let rounds = match asked.resume(self, &subject) {
            Ok(rounds) => rounds,
            Err(error) => return asked.fail(&error),
        };
        let scope = asked.scope(self, (entry.name, entry.origin), asked.asking(rounds));
        let now = || call(tool, &scope, arguments, Turn::default());
        let outcome = admitted.run(&scope, now, || {
            let (core, arguments) = (Arc::clone(self), arguments.map(Json::to_owned));
            move |scope: &Scope<'_>, turn| match core.registry.tool_of(entry) {
                Some(tool) => call(tool, scope, arguments.as_ref().map(OwnedJson::borrow), turn),
                None => gone(),
            }
        });
        react(self, outcome, asked, &subject, &scope, move |core, id, reply| {
            core.tool_answer(id, revision, entry, reply)
        })
    }

    /// Arguments that do not fit: for the model where the revision says so, for the client in older ones.
    fn invalid(&self, id: Id<'_>, revision: Revision, text: String) -> Answer {
        match revision.features().invalid_arguments {
            InvalidArguments::Result => {
                self.tool_result(id, revision, ToolOutput::Result(&ToolResult::error(text)), None)
            }
            InvalidArguments::Error => Answer::error(Some(id), &RpcError::invalid_params(text), Standing::Dispatched),
        }
    }

    fn tool_answer(&self, id: Id<'_>, revision: Revision, entry: &'static ToolEntry, reply: ToolReply) -> Answer {
        let name = entry.name;
        let Some(tool) = self.registry.tool_of(entry) else {
            return Answer::error(Some(id), &RpcError::internal(), Standing::Dispatched);
        };
        let schema = tool.output_schema.as_deref();
        let failure = |text: String| {
            let result = ToolResult::error(text);
            self.tool_result(id, revision, ToolOutput::Result(&result), schema)
        };
        let reply = match tool.function.limits.max_output {
            Some(max) => reply.cut(max, schema.is_some()),
            None => reply,
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
            ToolOutcome::Failed(error) => {
                error.log(name);
                match error.into_parts() {
                    (_, Some(protocol)) => Answer::failure(id, &protocol),
                    (text, None) => failure(text),
                }
            }
            ToolOutcome::Invalid(text) => self.invalid(id, revision, text),
            // Explained by whoever made the call.
            ToolOutcome::Refused(_) => Answer::error(Some(id), &RpcError::internal(), Standing::Dispatched),
        }
    }

    pub(super) fn tool_result(
        &self,
        id: Id<'_>,
        revision: Revision,
        output: ToolOutput<'_>,
        output_schema: Option<&Schema>,
    ) -> Answer {
        let size = match output {
            // A structured value is there as text as well.
            ToolOutput::Value(json) => json.len() * if output_schema.is_some() { 2 } else { 1 },
            ToolOutput::Result(result) => result.content.iter().map(Content::size).sum(),
        };
        let failed = matches!(output, ToolOutput::Result(result) if result.is_error);
        let body = wire::result(id, 384 + size, |out| {
            revision::tool_result(out, revision, output, output_schema, &self.identity);
        });
        if failed { Answer::tool_error(body) } else { Answer::ok(body) }
    }
}

/// One call of the function. Refused arguments are explained here, where they are at hand.
fn call(tool: &ToolFunction, scope: &Scope<'_>, arguments: Option<Json<'_>>, turn: Turn) -> Outcome<ToolReply> {
    let function = &tool.function;
    let slots = Slots::collect(&function.names(), arguments, function.ignores_unknown);
    match (function.entry.call)(Call::new(scope, slots, arguments).in_turn(turn)) {
        Outcome::Ready(ToolReply(ToolOutcome::Refused(Refusal(problems)))) => {
            let text = arguments::text(function, &problems, tool.explainer(), arguments);
            Outcome::Ready(ToolReply(ToolOutcome::Invalid(text)))
        }
        outcome => outcome,
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
