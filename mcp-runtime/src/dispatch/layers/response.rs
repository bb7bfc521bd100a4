//! What comes back through layers.

use crate::ToolError;
use crate::dispatch::methods::Shared;
use crate::dispatch::observe::Ending;
use crate::dispatch::{Answer, Core, Lacking, Standing};
use crate::reply::{IntoToolError, Refusal, Unreached};
use crate::revision::Revision;
use crate::wire::{self, Id, Json, RpcError, value_into};
use serde::Deserialize;
use serde_json::Value;
use std::error::Error as StdError;
use std::fmt;

/// What a request to a function came to: see [`Server::layer`](crate::Server::layer).
pub struct CallResponse(Came);

enum Came {
    /// From the function, or from what stands in front of it: an unknown name and wrong arguments are answers as well. With
    /// the number of the request.
    Answer(Answer, u64),
    /// From a layer.
    Refused(ToolError),
    /// From a layer as well.
    Lacking(Lacking),
}

/// A result, and whose answer it is.
#[derive(Deserialize)]
struct Success<'a> {
    #[serde(borrow)]
    id: &'a serde_json::value::RawValue,
    result: Value,
}

impl CallResponse {
    /// The response of a layer that does not let a request through. For a tool it is a result with `isError`, whose text the model
    /// reads; for anything else a JSON-RPC error with that text. A [`ToolError::protocol`] is the JSON-RPC error that it says, the
    /// cause of a [`ToolError`] goes to the log.
    pub fn refused(error: impl IntoToolError) -> Self {
        CallResponse(Came::Refused(error.into_tool_error()))
    }

    /// The response of a layer for a caller who needs these scopes: over HTTP the status 403 and, with
    /// [`Server::authorization`](crate::Server::authorization), the challenge `insufficient_scope` that makes clients get a better
    /// token, unless the event stream of the answer has begun. Elsewhere it is the JSON-RPC error -32600.
    ///
    /// For what is the same in every call of a function there is its option `scopes`, which also hides it.
    pub fn insufficient_scope<S: Into<String>>(scopes: impl IntoIterator<Item = S>) -> Self {
        CallResponse(Came::Lacking(Lacking(scopes.into_iter().map(Into::into).collect())))
    }

    fn broken() -> Self {
        CallResponse(Came::Refused(ToolError::rpc(RpcError::internal())))
    }

    /// The answer to the request of that number.
    pub(super) fn answered(answer: Answer, number: u64) -> Self {
        CallResponse(Came::Answer(answer, number))
    }

    /// A failure of a layer itself, whose text is nobody's business unless it says that it is.
    pub(super) fn failed(error: Box<dyn StdError + Send + Sync>) -> Self {
        CallResponse(Came::Refused(match error.downcast::<Refused>() {
            Ok(refused) => refused.0,
            Err(cause) => ToolError::internal(cause),
        }))
    }

    /// Has it failed: with an error response, or with a result that tells the model of an error?
    #[must_use]
    pub fn is_error(&self) -> bool {
        match &self.0 {
            Came::Answer(answer, _) => answer.ending != Ending::Fine,
            Came::Refused(_) | Came::Lacking(_) => true,
        }
    }

    /// The code of a JSON-RPC error; `None` for results, also for those that tell of an error.
    #[must_use]
    pub fn error_code(&self) -> Option<i32> {
        match &self.0 {
            Came::Answer(Answer { ending: Ending::Error(code), .. }, _) => Some(*code),
            Came::Answer(..) => None,
            Came::Refused(error) => error.code(),
            Came::Lacking(_) => Some(wire::INVALID_REQUEST),
        }
    }

    /// The result as the client's revision has it, for example `{"content": [..]}` or, if the function asks the client something,
    /// `{"resultType": "input_required", ..}`. It is read from the text of the answer each time. `None` for errors, and
    /// for what no [`Value`] holds (more than 127 levels, `1e999`); numbers that need more than 64 bits are rounded.
    #[must_use]
    pub fn result(&self) -> Option<Value> {
        let Came::Answer(answer, _) = &self.0 else { return None };
        serde_json::from_slice(&answer.body).ok().map(|success: Success<'_>| success.result)
    }

    /// Changes the result, which has the shape that the client's revision gives it; errors stay as they are. A structured result
    /// that no longer fits the tool's output schema is not noticed. A result that cannot be [read](Self::result) becomes an internal
    /// error: what was to be changed must not go out as it was.
    #[must_use]
    pub fn map_result(self, change: impl FnOnce(&mut Value)) -> Self {
        let Came::Answer(answer, number) = self.0 else { return self };
        if matches!(answer.ending, Ending::Error(_)) {
            return CallResponse(Came::Answer(answer, number));
        }
        let changed = serde_json::from_slice(&answer.body).ok().and_then(|Success { id, mut result }| {
            change(&mut result);
            let id = Json::of(id.get()).and_then(Id::new)?;
            let body = wire::result(id, answer.body.len(), |out| value_into(out, &result));
            let is_error = result.get("isError").is_some_and(|is_error| is_error == true);
            Some(if is_error { Answer::tool_error(body) } else { Answer::ok(body) })
        });
        let Some(changed) = changed else {
            tracing::error!("a layer was to change a result that cannot be read");
            return CallResponse::broken();
        };
        CallResponse(Came::Answer(changed, number))
    }

    /// The answer to the request of that id, method and number.
    pub(super) fn into_answer(
        self,
        core: &Core,
        id: Id<'_>,
        revision: Revision,
        (method, number): (Shared, u64),
    ) -> Answer {
        match self.0 {
            Came::Answer(answer, of) if of == number => answer,
            Came::Answer(..) => {
                tracing::error!(method = method.name(), "a layer gave the response of another request");
                Answer::error(Some(id), &RpcError::internal(), Standing::Dispatched)
            }
            Came::Refused(error) => core.refusal(id, revision, method, error),
            Came::Lacking(lacking) => {
                let error = RpcError::invalid_request("the token does not allow this");
                Answer { lacking: Some(Box::new(lacking)), ..Answer::error(Some(id), &error, Standing::Dispatched) }
            }
        }
    }
}

impl Unreached for CallResponse {
    fn refused(_: Refusal) -> Self {
        Self::broken()
    }

    fn failed(error: ToolError) -> Self {
        CallResponse(Came::Refused(error))
    }

    fn may_pass(&self) -> bool {
        false
    }
}

impl fmt::Debug for CallResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallResponse")
            .field("is_error", &self.is_error())
            .field("error_code", &self.error_code())
            .finish_non_exhaustive()
    }
}

/// An error of a layer whose text is for the client. All other errors that a layer fails with are internal: the client reads a
/// general text, the log has the cause.
///
/// It is what `tower`'s own layers need to refuse: a predicate of `filter`, say, or `map_err` around a limit.
///
/// ```
/// use mcp_runtime::Refused;
///
/// let error: Box<dyn std::error::Error + Send + Sync> = Refused::new("We are closed.").into();
/// assert_eq!(error.to_string(), "We are closed.");
/// ```
#[derive(Debug)]
pub struct Refused(ToolError);

impl Refused {
    /// Refuses with that error: see [`CallResponse::refused`].
    pub fn new(error: impl IntoToolError) -> Self {
        Refused(error.into_tool_error())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl StdError for Refused {}
