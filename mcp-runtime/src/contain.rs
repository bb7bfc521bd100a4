//! Panics of other people's code.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic that has been contained, with its text if it had one: for the log, and for nobody else.
#[derive(Debug)]
pub(crate) struct Panic(Box<str>);

impl Panic {
    /// Of what was thrown.
    pub(crate) fn of(thrown: Box<dyn Any + Send>) -> Self {
        let text = thrown.downcast_ref::<String>().map(String::as_str).or(thrown.downcast_ref::<&str>().copied());
        let panic = Panic(text.unwrap_or("something that is no text").into());
        // What is thrown may panic when it is dropped, and throw something of the kind again: that is left where it is.
        catch_unwind(AssertUnwindSafe(|| drop(thrown))).unwrap_or_else(std::mem::forget);
        panic
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it panicked: {}", self.0)
    }
}

impl Error for Panic {}

/// Runs code that may panic. If it does, the hook has reported it already.
///
/// What the code owns is dropped with it. What it shares with others must be whole after every statement of its own, since nobody
/// else undoes anything.
pub(crate) fn contain<T>(run: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(run)).map_err(Panic::of)
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
        assert_eq!(contain(|| 1).ok(), Some(1));
        let told = |thrower: fn()| contain(thrower).expect_err("it panics").to_string();
        assert_eq!(told(|| panic!("a text")), "it panicked: a text");
        assert_eq!(told(|| panic!("a text of {}", 1)), "it panicked: a text of 1");
        assert_eq!(told(|| std::panic::panic_any(Evil)), "it panicked: something that is no text");
    }
}
