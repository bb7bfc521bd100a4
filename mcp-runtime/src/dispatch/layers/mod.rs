//! What the operator of a server puts around the calls of its functions: layers of `tower`, and functions that stand for one.
//!
//! Every request to a function passes its layers once, whatever transport and era it comes from, behind the checks of its envelope
//! and in front of everything that is known of the function: limits, arguments, whether there is one. A server without layers
//! takes one look at a `None`.

mod request;
mod response;
mod service;

pub use request::{CallRequest, FunctionKind};
pub use response::{CallResponse, Refused};
pub use service::CallService;

use super::methods::{Asked, Shared};
use super::run::{Subject, guarded, react};
use super::{Core, Reaction};
use crate::handler::{Origin, Outcome};
use crate::session::{LevelSource, Scope, ScopeAsking};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

impl Core {
    /// Sends a request through the layers around its function.
    pub(super) fn layered(self: &Arc<Self>, layers: &CallService, method: Shared, asked: &Asked<'_>) -> Reaction {
        let nowhere = Origin::at("", 0, "");
        // What layers log is no message of the function's to its client.
        let level = LevelSource::Request(None);
        let scope = Scope { level, ..asked.scope(self, (method.name(), nowhere), ScopeAsking::Nowhere) };
        let subject = Subject { method: method.name(), name: "", function: method.name(), timeout: None };
        let life = CancellationToken::new();
        let request = CallRequest::new(self, method, asked, life.clone());
        let (revision, number) = (asked.revision, request.number());
        let outcome = guarded(&scope, || {
            // What layers put into other tasks ends with the request.
            let end = life.drop_guard();
            let response = layers.start(request);
            Outcome::Pending(Box::pin(async move {
                let _end = end;
                response.await
            }))
        });
        react(self, outcome, asked, &subject, &scope, move |core, id, response: CallResponse| {
            response.into_answer(core, id, revision, (method, number))
        })
    }
}
