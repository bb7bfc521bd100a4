//! `resources/list` where templates list their instances.

use super::{Asked, failed};
use crate::ToolError;
use crate::dispatch::run::{Subject, guarded, react};
use crate::dispatch::{Answer, Core, Reaction};
use crate::extract::Context;
use crate::handler::Outcome;
use crate::instances::Listed;
use crate::model::ResourceLink;
use crate::registry::{After, List, Owner};
use crate::reply::{Refusal, Unreached};
use crate::session::ScopeAsking;
use crate::wire::{self, Id, RpcError};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

/// What all templates have listed, or why one of them could not.
struct Instances(Result<Vec<(Owner, Vec<ResourceLink>)>, RpcError>);

impl Unreached for Instances {
    fn refused(_: Refusal) -> Self {
        Instances(Err(RpcError::internal()))
    }

    fn failed(error: ToolError) -> Self {
        let (text, _) = error.into_parts();
        Instances(Err(RpcError::new(wire::INTERNAL_ERROR, text)))
    }

    fn panicked() -> Self {
        Instances(Err(RpcError::internal()))
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
            return asked.fail(&super::foreign_cursor());
        }
        let (after, listers) = (after.flatten(), self.registry.listers(&asked.carrier.caller.access));
        let Some(((_, first), _)) = listers.first() else {
            let access = &asked.carrier.caller.access;
            let page = self.registry.resources_page(Vec::new(), access, after.as_ref(), asked.revision);
            return Reaction::Answer(answer(asked.id, &page));
        };
        if let Err(wait) = asked.admit_beside(self) {
            return asked.fail(&super::rate_exceeded(wait));
        }
        let scope = asked.scope(self, ("resources/list", first.origin), ScopeAsking::Nowhere);
        let subject = Subject { method: "resources/list", name: "", timeout: self.timeout };
        let outcome = guarded(&scope, || {
            let context = || -> Context { scope.context().clone() };
            together(listers.iter().map(|(owner, list)| (*owner, list(&context))).collect())
        });
        let (revision, access) = (asked.revision, asked.carrier.caller.access.clone());
        react(self, outcome, asked, &subject, &scope, move |core, id, Instances(listed)| match listed {
            Ok(listed) => answer(id, &core.registry.resources_page(listed, &access, after.as_ref(), revision)),
            Err(error) => Answer::failure(id, &error),
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
        Outcome::Ready(Err(error)) => Err(failed(owner.1.name, error)),
        Outcome::Pending(_) => Err(RpcError::internal()),
    };
    Instances(outcomes.into_iter().map(list).collect())
}
