//! What a call tells its client on its way: in order, and nothing behind the answer.

use super::Outlet;
use crate::client_logs;
use crate::sync::{Mutex, MutexGuard};
use std::sync::PoisonError;

/// The voice of one call. Work that a function has left behind may still hold it when the call is over.
#[derive(Default)]
pub(crate) struct Voice(Mutex<State>);

#[derive(Default)]
struct State {
    over: bool,
    /// How far the call has said that it is.
    progress: Option<f64>,
}

impl Voice {
    /// Sends a message, unless the call is over.
    pub(crate) fn say(&self, outlet: &dyn Outlet, message: Vec<u8>) {
        self.send_if(outlet, |state| !state.over, || message);
    }

    /// Sends a report of progress, unless the call is over or has said that it is as far, or further.
    pub(crate) fn report(&self, outlet: &dyn Outlet, progress: f64, message: impl FnOnce() -> Vec<u8>) {
        let advances = |state: &mut State| {
            let advances = !state.over && state.progress.is_none_or(|last| progress > last);
            if advances {
                state.progress = Some(progress);
            }
            advances
        };
        self.send_if(outlet, advances, message);
    }

    /// Sends under the lock: between the look at it and the message nobody else may say more, or end the call. Outlets never
    /// block.
    fn send_if(&self, outlet: &dyn Outlet, fits: impl FnOnce(&mut State) -> bool, message: impl FnOnce() -> Vec<u8>) {
        // What others log about the message must not want the lock again.
        client_logs::within(None, || {
            let mut state = self.lock();
            if fits(&mut state) {
                outlet.send(message());
            }
        });
    }

    /// The call is over: whoever is sending something is waited for, and nothing more is sent.
    pub(crate) fn end(&self) {
        self.lock().over = true;
    }

    pub(crate) fn is_over(&self) -> bool {
        self.lock().over
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, shuttle))]
mod schedules;
