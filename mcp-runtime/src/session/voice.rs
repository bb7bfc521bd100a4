//! What a call tells its client on its way: in order, and nothing behind the answer.

use super::Outlet;
use crate::client_logs;
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard};
use std::sync::{Arc, PoisonError};

/// How far a request has said that it is. All calls that are made for it share that: the attempts of a layer, say.
#[derive(Clone, Default)]
pub(crate) struct Said(Arc<Progress>);

type Progress = Mutex<Option<f64>>;

/// The voice of one call. Work that a function has left behind may still hold it when the call is over.
#[derive(Default)]
pub(crate) struct Voice {
    /// How far a call has said that it is that shares this with no other.
    own: Progress,
    shared: Option<Said>,
    /// Changes under the lock of what is said.
    over: AtomicBool,
}

impl Voice {
    /// The voice of a call; of one among others for a request, if they share something.
    pub(crate) fn of(shared: Option<Said>) -> Self {
        Voice { shared, ..Voice::default() }
    }

    /// Sends a message, unless the call is over.
    pub(crate) fn say(&self, outlet: &dyn Outlet, message: Vec<u8>) {
        self.send_if(outlet, |_| true, || message);
    }

    /// Sends a report of progress, unless the call is over or its request has said that it is as far, or further.
    pub(crate) fn report(&self, outlet: &dyn Outlet, progress: f64, message: impl FnOnce() -> Vec<u8>) {
        let advances = |said: &mut Option<f64>| {
            let advances = said.is_none_or(|last| progress > last);
            if advances {
                *said = Some(progress);
            }
            advances
        };
        self.send_if(outlet, advances, message);
    }

    /// Sends under the lock: between the look at it and the message nobody else may say more, or end the call. Outlets never
    /// block.
    fn send_if(
        &self,
        outlet: &dyn Outlet,
        fits: impl FnOnce(&mut Option<f64>) -> bool,
        message: impl FnOnce() -> Vec<u8>,
    ) {
        // What others log about the message must not want the lock again.
        client_logs::within(None, || {
            let mut said = self.lock();
            if !self.is_over() && fits(&mut said) {
                outlet.send(message());
            }
        });
    }

    /// The call is over: whoever is sending something is waited for, and nothing more is sent.
    pub(crate) fn end(&self) {
        let _said = self.lock();
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Option<f64>> {
        let said = self.shared.as_ref().map_or(&self.own, |said| &*said.0);
        // It is whole after every statement.
        said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, shuttle))]
mod schedules;
