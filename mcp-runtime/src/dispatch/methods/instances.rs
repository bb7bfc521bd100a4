//! `resources/list` where templates list their instances.

use super::{Asked, foreign_cursor, rate_exceeded};
use crate::ToolError;
use crate::dispatch::run::{Subject, react};
use crate::dispatch::{Answer, Core, Reaction};
use crate::extract::Context;
use crate::handler::Outcome;
use crate::instances::Listed;
use crate::model::ResourceLink;
use crate::registry::{After, List, Owner};
use crate::reply::{Refusal, Unreached};
use crate::session::{Scope, ScopeAsking};
use crate::wire::{self, Id, RpcError};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

/// The method.
const LIST: &str = "resources/list";

/// What each template has listed.
type Lists = Vec<(Owner, Vec<ResourceLink>)>;

/// What all templates have listed, or whose list there is not, and why.
struct Instances(Result<Lists, (&'static str, ToolError)>);

impl Unreached for Instances {
    fn refused(_: Refusal) -> Self {
        Self::failed(ToolError::rpc(RpcError::internal()))
    }

    fn failed(error: ToolError) -> Self {
        Instances(Err((LIST, error)))
    }

    fn may_pass(&self) -> bool {
        false
    }
}

impl Core {
    /// Runs the functions that list instances, all at the same time.
    pub(super) fn list_instances(self: &Arc<Self>, cursor: Option<&str>, asked: &Asked<'_>) -> Reaction {
        let after = cursor.map(|cursor| After::read(List::Resources, cursor));
        if let Some(None) = after {
            return asked.fail(&foreign_cursor());
        }
        let (after, listers) = (after.flatten(), self.registry.listers(&asked.carrier.caller.access));
        let Some(((_, first), _)) = listers.first() else {
            let access = &asked.carrier.caller.access;
            let page = self.registry.resources_page(Vec::new(), access, after.as_ref(), asked.revision);
            return Reaction::Answer(answer(asked.id, &page));
        };
        let admitted = match asked.admit(self, None) {
            Ok(admitted) => admitted,
            Err(wait) => return asked.fail(&rate_exceeded(wait)),
        };
        let scope = asked.scope(self, (LIST, first.origin), ScopeAsking::Nowhere);
        let subject = Subject { method: LIST, name: "", function: LIST, timeout: self.timeout };
        let list = move |scope: &Scope<'_>| {
            let context = || -> Context { scope.context().clone() };
            together(listers.iter().map(|(owner, list)| (*owner, list(&context))).collect())
        };
        let outcome = admitted.run(
            &scope,
            || list(&scope),
            || {
                let list = list.clone();
                move |scope: &Scope<'_>, _| list(scope)
            },
        );
        let (revision, access) = (asked.revision, asked.carrier.caller.access.clone());
        react(self, outcome, asked, &subject, &scope, move |core, id, Instances(listed)| match listed {
            Ok(listed) => answer(id, &core.registry.resources_page(listed, &access, after.as_ref(), revision)),
            Err((function, error)) => Answer::failure(id, &error.into_response(function)),
        })
    }
}

fn answer(id: Id<'_>, page: &[u8]) -> Answer {
    Answer::ok(wire::result(id, page.len(), |out| out.extend_from_slice(page)))
}

/// Waits for all lists together.
fn together(mut outcomes: Vec<(Owner, Outcome<Listed>)>) -> Outcome<Instances> {
    if outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Ready(_))) {
        return Outcome::Ready(gathered(outcomes));
    }
    Outcome::Pending(Box::pin(async move {
        poll_fn(|cx| {
            let mut is_ready = true;
            for (_, outcome) in &mut outcomes {
                if let Outcome::Pending(future) = outcome {
                    match future.as_mut().poll(cx) {
                        Poll::Ready(listed) => *outcome = Outcome::Ready(listed),
                        Poll::Pending => is_ready = false,
                    }
                }
            }
            if is_ready { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        gathered(outcomes)
    }))
}

/// The lists that are ready. One that could not be made fails them all: a part would look like the whole.
fn gathered(outcomes: Vec<(Owner, Outcome<Listed>)>) -> Instances {
    let list = |(owner, outcome): (Owner, Outcome<Listed>)| match outcome {
        Outcome::Ready(Ok(links)) => Ok((owner, links)),
        Outcome::Ready(Err(error)) => Err((owner.1.name, error)),
        Outcome::Pending(_) => Err((owner.1.name, ToolError::rpc(RpcError::internal()))),
    };
    Instances(outcomes.into_iter().map(list).collect())
}
