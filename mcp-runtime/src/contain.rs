//! Panics of other people's code.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code that may panic; `None` if it does. The hook has reported it then.
///
/// What the code owns is dropped with it. What it shares with others must be whole after every statement of its own, since nobody
/// else undoes anything.
pub(crate) fn contain<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => Some(value),
        Err(thrown) => {
            // What is thrown may panic when it is dropped, and throw something of the kind again: that is left where it is.
            catch_unwind(AssertUnwindSafe(|| drop(thrown))).unwrap_or_else(std::mem::forget);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Throws another one of its kind when it is dropped.
    struct Evil;

    impl Drop for Evil {
        fn drop(&mut self) {
            std::panic::panic_any(Evil)
        }
    }

    #[test]
    fn whatever_is_thrown_is_contained() {
        assert_eq!(contain(|| 1), Some(1));
        assert_eq!(contain(|| -> u8 { panic!("a text") }), None);
        assert_eq!(contain(|| -> u8 { std::panic::panic_any(Evil) }), None);
    }
}
