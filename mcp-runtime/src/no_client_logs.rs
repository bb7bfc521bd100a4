//! Without the feature `log` functions have only their context for log messages.

use crate::extract::Context;

/// Is there a layer that hands events on?
pub(crate) fn are_on() -> bool {
    false
}

/// Runs something as part of a call.
pub(crate) fn within<R>(_: Option<&Context>, run: impl FnOnce() -> R) -> R {
    run()
}
