//! The methods that both eras share.

mod completion;
mod prompts;
mod resources;
mod tools;

pub(super) use resources::not_found;

use super::{Answer, Carrier, Core, Reaction, Standing};
use crate::ToolError;
use crate::model::Capability;
use crate::registry::List;
use crate::revision::{Declared, Params, Revision, text_member};
use crate::session::{LevelSource, Scope};
use crate::wire::{self, Id, RpcError};
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::sync::Arc;

/// One request, whatever era it came from.
pub(super) struct Asked<'a> {
    pub(super) id: Id<'a>,
    pub(super) revision: Revision,
    pub(super) params: &'a Params<'a>,
    pub(super) level: LevelSource,
    pub(super) progress_token: Option<&'a RawValue>,
    pub(super) client_info: Option<&'a RawValue>,
    pub(super) capabilities: Option<&'a RawValue>,
    pub(super) carrier: &'a Carrier<'a>,
}

impl<'a> Asked<'a> {
    fn fail(&self, error: &RpcError) -> Reaction {
        Reaction::Answer(Answer::error(Some(self.id), error, Standing::Dispatched))
    }

    /// A failure that HTTP answers with an error status in the stateless era.
    fn reject(&self, error: &RpcError) -> Reaction {
        Reaction::Answer(Answer::error(Some(self.id), error, Standing::Rejected))
    }

    fn scope<'s>(&'s self, core: &'s Core, function: &'s str) -> Scope<'s> {
        Scope {
            states: &core.states,
            subscribers: &core.subscribers,
            revision: self.revision,
            level: self.level.clone(),
            meta: self.params.meta,
            progress_token: self.progress_token,
            client_info: self.client_info,
            capabilities: self.capabilities,
            headers: self.carrier.headers,
            outlet: self.carrier.outlet,
            function,
            context: OnceCell::new(),
        }
    }

    /// The error for capabilities that the client lacks, as a reaction.
    fn lacks(&self, requires: &[Capability]) -> Option<Reaction> {
        super::stateless::missing_capability(self, requires).map(|error| self.reject(&error))
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
        match method {
            Shared::List(list) => self.list(list, asked),
            Shared::CallTool => self.call_tool(asked),
            Shared::ReadResource => self.read_resource(asked),
            Shared::GetPrompt => self.get_prompt(asked),
            Shared::Complete => self.complete(asked),
        }
    }

    fn list(&self, list: List, asked: &Asked<'_>) -> Reaction {
        let cursor = match asked.params.cursor.map(|raw| text_member("cursor", Some(raw))).transpose() {
            Ok(cursor) => cursor,
            Err(error) => return asked.fail(&error),
        };
        match self.registry.pages().get(list, asked.revision, cursor.as_deref()) {
            Some(page) => Reaction::Answer(Answer::ok(wire::result(asked.id, page.len(), |out| {
                out.extend_from_slice(page);
            }))),
            None => asked.fail(&RpcError::invalid_params("the cursor is none of this list")),
        }
    }
}

/// Puts the cause of a failure into the log, where the client does not see it.
fn log_failure(function: &str, error: &ToolError) {
    if let Some(cause) = error.cause() {
        tracing::error!(function, cause = format!("{cause:#}"), "a function failed");
    }
}
