//! The methods that both eras share.

mod completion;
mod instances;
mod prompts;
mod resources;
mod tools;

pub(super) use resources::not_found;

use super::run::Subject;
use super::{Answer, Carrier, Core, Reaction, Standing};
use crate::ask::{Binding, Rounds};
use crate::handler::Origin;
use crate::model::{Capability, ToolResult};
use crate::registry::List;
use crate::revision::{self, Declared, Member, Params, Revision, ToolOutput};
use crate::session::{LevelSource, Said, Scope, ScopeAsking};
use crate::wire::{self, Id, Json, RpcError};
use crate::{Principal, ToolError};
use serde_json::{Map, Value, json};
use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

/// One request, whatever era it came from.
pub(super) struct Asked<'a> {
    pub(super) id: Id<'a>,
    pub(super) revision: Revision,
    pub(super) params: &'a Params<'a>,
    pub(super) level: LevelSource,
    pub(super) client_info: Option<Json<'a>>,
    pub(super) capabilities: Option<Json<'a>>,
    pub(super) carrier: &'a Carrier<'a>,
    /// What it shares with other attempts of layers at the same call, if it comes out of layers. Its place among the calls in flight has
    /// been taken in front of them.
    pub(super) layered: Option<&'a Said>,
}

impl<'a> Asked<'a> {
    pub(super) fn fail(&self, error: &RpcError) -> Reaction {
        Reaction::Answer(Answer::error(Some(self.id), error, Standing::Dispatched))
    }

    /// A failure that HTTP answers with an error status in the stateless era.
    pub(super) fn reject(&self, error: &RpcError) -> Reaction {
        Reaction::Answer(Answer::error(Some(self.id), error, Standing::Rejected))
    }

    /// The refusal of a call for which there is no room.
    pub(super) fn crowded(&self) -> Reaction {
        let error = RpcError::new(wire::INTERNAL_ERROR, "too many calls are under way: try again later");
        Reaction::Answer(Answer::error(Some(self.id), &error, Standing::Crowded))
    }

    /// The rounds before this one, if the client brings answers or a state.
    fn resume(&self, core: &Core, subject: &Subject<'_>) -> Result<Option<Arc<Rounds>>, RpcError> {
        let (responses, state) = (self.params.get(Member::InputResponses), self.params.get(Member::RequestState));
        // Absent and `null` look the same once they are split: only what the client sent as an object counts.
        if !self.revision.is_stateless() || (responses.is_none() && state.is_none()) {
            return Ok(None);
        }
        let responses: Map<String, Value> = match responses {
            None => Map::new(),
            Some(responses) => {
                responses.decode().map_err(|_| RpcError::invalid_params("`inputResponses` must be an object"))?
            }
        };
        let memory = match state {
            None if core.request_states.is_needed() => return Ok(None),
            None => None,
            Some(_) => {
                let state = self.params.text(Member::RequestState)?;
                Some(core.request_states.open(&state, &self.binding(core, subject)?)?)
            }
        };
        Ok(Some(Arc::new(Rounds::resume(memory, responses))))
    }

    /// What a state of this request belongs to.
    pub(super) fn binding(&self, core: &Core, subject: &Subject<'_>) -> Result<Binding, RpcError> {
        Binding::new(
            core.identity.name(),
            (subject.method, subject.name),
            self.params.get(Member::Arguments),
            self.carrier.caller.principal.map(Principal::as_str),
        )
    }

    /// Does the client go on with a call that has asked it something?
    pub(super) fn is_resumed(&self) -> bool {
        [Member::InputResponses, Member::RequestState].into_iter().any(|member| self.params.get(member).is_some())
    }

    /// Where a function's questions go.
    fn asking(&self, rounds: Option<Arc<Rounds>>) -> ScopeAsking<'a> {
        match (self.revision.is_stateless(), self.carrier.peer) {
            (true, _) => ScopeAsking::Rounds(rounds),
            (false, Some(peer)) => ScopeAsking::Session(peer),
            (false, None) => ScopeAsking::Nowhere,
        }
    }

    pub(super) fn scope<'s>(
        &'s self,
        core: &'s Core,
        (function, origin): (&'s str, Origin),
        asking: ScopeAsking<'s>,
    ) -> Scope<'s> {
        Scope {
            states: &core.states,
            registry: &core.registry,
            subscribers: &core.subscribers,
            revision: self.revision,
            level: self.level.clone(),
            meta: self.params.envelope.whole(),
            progress_token: self.params.envelope.progress_token(),
            client_info: self.client_info,
            capabilities: self.capabilities,
            headers: self.carrier.headers,
            principal: self.carrier.caller.principal,
            outlet: self.carrier.outlet,
            function,
            module: origin.module,
            asking,
            said: self.layered,
            context: OnceCell::new(),
        }
    }

    /// The error for capabilities that the client lacks, as a reaction.
    fn lacks(&self, requires: &[Capability]) -> Option<Reaction> {
        let missing: Vec<Capability> =
            requires.iter().copied().filter(|needed| !needed.is_declared(self.capabilities.map(Json::get))).collect();
        (!missing.is_empty()).then(|| self.reject(&revision::missing_capability(self.revision, &missing)))
    }
}

/// A method of both eras.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shared {
    List(List),
    CallTool,
    ReadResource,
    GetPrompt,
    Complete,
}

impl Shared {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Shared::List(List::Tools) => "tools/list",
            Shared::List(List::Resources) => "resources/list",
            Shared::List(List::Templates) => "resources/templates/list",
            Shared::List(List::Prompts) => "prompts/list",
            Shared::CallTool => "tools/call",
            Shared::ReadResource => "resources/read",
            Shared::GetPrompt => "prompts/get",
            Shared::Complete => "completion/complete",
        }
    }

    /// The method of that name, if the server offers what it is about.
    pub(super) fn find(name: &str, declared: Declared) -> Option<Shared> {
        let (method, offered) = match name {
            "tools/list" => (Shared::List(List::Tools), declared.tools),
            "tools/call" => (Shared::CallTool, declared.tools),
            "resources/list" => (Shared::List(List::Resources), declared.resources),
            "resources/templates/list" => (Shared::List(List::Templates), declared.resources),
            "resources/read" => (Shared::ReadResource, declared.resources),
            "prompts/list" => (Shared::List(List::Prompts), declared.prompts),
            "prompts/get" => (Shared::GetPrompt, declared.prompts),
            "completion/complete" => (Shared::Complete, declared.completions),
            _ => return None,
        };
        offered.then_some(method)
    }
}

impl Core {
    pub(super) fn shared(self: &Arc<Self>, method: Shared, asked: &Asked<'_>) -> Reaction {
        // Nothing is begun that may find no place to go on.
        if self.may_wait(method) && self.is_crowded(asked) {
            return asked.crowded();
        }
        match (method, &self.layers) {
            (Shared::List(_), _) | (_, None) => self.function(method, asked),
            (_, Some(layers)) => self.layered(layers, method, asked),
        }
    }

    /// Does the method run functions, which may take their time?
    fn may_wait(&self, method: Shared) -> bool {
        match method {
            Shared::List(List::Resources) => self.registry.lists_instances(),
            Shared::List(_) => false,
            Shared::CallTool | Shared::ReadResource | Shared::GetPrompt | Shared::Complete => true,
        }
    }

    /// The method itself.
    pub(super) fn function(self: &Arc<Self>, method: Shared, asked: &Asked<'_>) -> Reaction {
        match method {
            Shared::List(list) => self.list(list, asked),
            Shared::CallTool => self.call_tool(asked),
            Shared::ReadResource => self.read_resource(asked),
            Shared::GetPrompt => self.get_prompt(asked),
            Shared::Complete => self.complete(asked),
        }
    }

    /// Has the peer, or the server, as many calls under way as it may have?
    fn is_crowded(&self, asked: &Asked<'_>) -> bool {
        let most = self.bounds.calls_per_peer;
        self.calls.is_full() || asked.carrier.peer.is_some_and(|peer| peer.in_flight.len() >= most)
    }

    fn list(self: &Arc<Self>, list: List, asked: &Asked<'_>) -> Reaction {
        let cursor = match asked.params.get(Member::Cursor).map(|_| asked.params.text(Member::Cursor)).transpose() {
            Ok(cursor) => cursor,
            Err(error) => return asked.fail(&error),
        };
        if list == List::Resources && self.registry.lists_instances() {
            return self.list_instances(cursor.as_deref(), asked);
        }
        let list = self.registry.list(list, asked.revision, &asked.carrier.caller.access);
        match list.get(cursor.as_deref()) {
            Some(page) => Reaction::Answer(Answer::ok(wire::result(asked.id, page.len(), |out| {
                out.extend_from_slice(page);
            }))),
            None => asked.fail(&foreign_cursor()),
        }
    }
}

impl Core {
    /// The answer for a request that an error keeps from its function.
    pub(super) fn refusal(&self, id: Id<'_>, revision: Revision, method: Shared, error: ToolError) -> Answer {
        if matches!(method, Shared::CallTool) && error.code().is_none() {
            error.log(method.name());
            let refused = ToolResult::error(error.into_parts().0);
            return self.tool_result(id, revision, ToolOutput::Result(&refused), None);
        }
        Answer::failure(id, &error.into_response(method.name()))
    }
}

fn foreign_cursor() -> RpcError {
    RpcError::invalid_params("the cursor is none of this list")
}

/// The text for a call beyond its function's rate.
fn too_often(wait: Duration) -> String {
    let seconds = wait.as_secs_f64().ceil();
    format!("Called too often. Try again in {seconds} s.")
}

/// The error for a request beyond its function's rate.
fn rate_exceeded(wait: Duration) -> RpcError {
    let milliseconds = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    RpcError::new(wire::INTERNAL_ERROR, too_often(wait)).with_data(&json!({"retryAfterMs": milliseconds}))
}
