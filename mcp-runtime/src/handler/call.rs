//! One call of a function, as its expansion sees it: take the parameters, run, reply.

use super::param::DefaultOfType;
use super::slots::Slots;
use super::{Outcome, ParamPlan};
use crate::ToolError;
use crate::client_logs;
use crate::extract::{Extracted, Injected};
use crate::meter;
use crate::reply::{Refusal, Unreached};
use crate::session::Scope;
use crate::wire::Json;
use serde::de::DeserializeOwned;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::task::AbortOnDropHandle;
use tracing::Span;

/// A place among the calls that there may be at a time.
pub(crate) type Place = Option<Arc<OwnedSemaphorePermit>>;

/// The places that a call holds while it runs.
#[derive(Clone, Default)]
#[allow(dead_code, reason = "places are held, and not looked at")]
pub(crate) struct Turn {
    /// Among the calls of its principal.
    pub(crate) principal: Place,
    /// Among the calls of its function.
    pub(crate) function: Place,
    /// Among all calls of the server.
    pub(crate) server: Place,
}

/// What a call that waits for a thread holds: a call that is given up meanwhile must not hold it until the pool has a thread to find
/// that out.
struct Waiting(Arc<Mutex<Option<(meter::Open, Turn)>>>);

impl Waiting {
    fn end(&self) -> Option<(meter::Open, Turn)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.end();
    }
}

/// The call.
pub struct Call<'a> {
    slots: Slots<'a>,
    arguments: Option<Json<'a>>,
    scope: &'a Scope<'a>,
    failure: Option<ToolError>,
    turn: Turn,
}

impl<'a> Call<'a> {
    pub(crate) fn new(scope: &'a Scope<'a>, slots: Slots<'a>, arguments: Option<Json<'a>>) -> Self {
        Call { slots, arguments, scope, failure: None, turn: Turn::default() }
    }

    /// The same call, in its turn.
    pub(crate) fn in_turn(self, turn: Turn) -> Self {
        Call { turn, ..self }
    }

    /// The value of parameter `index`. `None` is recorded: take the other parameters all the same, then [`refuse`].
    ///
    /// [`refuse`]: Self::refuse
    pub fn take<T, K>(&mut self, index: usize, plan: ParamPlan<T, K>) -> Option<T> {
        (plan.take)(self, index)
    }

    /// The value of parameter `index`, or its default.
    pub fn take_or<T, K>(&mut self, index: usize, plan: ParamPlan<T, K>, default: fn() -> T) -> Option<T> {
        (plan.take_or)(self, index, default)
    }

    /// The value of parameter `index`, or the default of its type.
    pub fn take_or_default<T, K>(&mut self, index: usize, plan: ParamPlan<T, K>) -> Option<T>
    where
        K: DefaultOfType<T>,
    {
        self.take_or(index, plan, K::default)
    }

    /// Is there nothing wrong beside the values taken (unknown arguments)?
    pub fn is_sound(&self) -> bool {
        self.failure.is_none() && self.slots.problems().is_empty()
    }

    /// Ends a call that must not reach the function.
    pub fn refuse<R: Unreached>(self) -> Outcome<R> {
        // An argument that the client can mend comes before a failure that it cannot.
        let problems = self.slots.into_problems();
        Outcome::Ready(match self.failure {
            Some(failure) if problems.is_empty() => R::failed(failure),
            _ => R::refused(Refusal(problems)),
        })
    }

    /// Ends the call with what a sync function came to.
    pub fn reply<R>(self, reply: R) -> Outcome<R> {
        Outcome::Ready(reply)
    }

    /// Ends the call with what an async function will come to.
    pub fn later<R, F>(self, future: F) -> Outcome<R>
    where
        F: Future<Output = R> + Send + 'static,
    {
        Outcome::Pending(Box::pin(future))
    }

    /// Ends the call with a sync function that runs on the pool for blocking work.
    pub fn blocking<R, F>(self, function: F) -> Outcome<R>
    where
        R: Unreached + Send + 'static,
        F: FnOnce() -> R + Send + 'static,
    {
        let (logged, span) = (self.scope.logged().cloned(), Span::current());
        let waiting = Waiting(Arc::new(Mutex::new(Some((meter::Open::waiting_for_thread(), self.turn)))));
        let begun = Waiting(Arc::clone(&waiting.0));
        let task = tokio::task::spawn_blocking(move || {
            // A call that is given up from now on still has its turn until the thread is done.
            let _turn = begun.end().map(|(_, turn)| turn);
            span.in_scope(|| client_logs::within(logged.as_ref(), function))
        });
        // A call that is given up while it waits for a thread never begins.
        let task = AbortOnDropHandle::new(task);
        Outcome::Pending(Box::pin(async move {
            let _waiting = waiting;
            // The pool catches a panic.
            task.await.unwrap_or_else(|task| R::failed(ToolError::unfinished(task)))
        }))
    }

    pub(super) fn decode<T: DeserializeOwned>(&mut self, index: usize) -> Option<T> {
        self.slots.decode(index)
    }

    pub(super) fn decode_or<T: DeserializeOwned>(&mut self, index: usize, default: fn() -> T) -> Option<T> {
        self.slots.decode_or(index, default)
    }

    /// Reads a text; see [`Slots::read`].
    pub(super) fn read<T>(&mut self, index: usize, read: impl FnOnce(&str) -> Result<T, String>) -> Option<Option<T>> {
        self.slots.read(index, read)
    }

    pub(super) fn lacks<T>(&mut self, index: usize) -> Option<T> {
        self.slots.lacks(index)
    }

    pub(super) fn inject<T: Injected>(&mut self) -> Option<T> {
        match T::extract(self) {
            Extracted::Value(value) => Some(value),
            Extracted::Failed(failure) => {
                self.failure.get_or_insert(failure);
                None
            }
            Extracted::Refused => None,
        }
    }

    /// Decodes the whole arguments object.
    pub(crate) fn decode_whole<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.slots.decode_whole(self.arguments)
    }

    /// The request under way.
    pub(crate) fn scope(&self) -> &'a Scope<'a> {
        self.scope
    }
}
