//! From what a function returns to a neutral reply.

mod cut;
mod error;
mod prompt;
mod resource;
mod tool;

pub use error::IntoToolError;
pub(crate) use prompt::PromptOutcome;
pub use prompt::{IntoPromptReply, PromptReply, PromptReturn};
pub(crate) use resource::ResourceOutcome;
pub use resource::{IntoResourceReply, Json, ResourceReply, ResourceReturn};
pub(crate) use tool::ToolOutcome;
pub use tool::{IntoToolReply, PlainToolReturn, ToolReply, ToolReturn};

use crate::handler::{DecodeProblem, Describe};

/// How a function's return type becomes a reply: what it adds to the description, and the conversion.
pub struct ReturnPlan<T, R> {
    pub(crate) describe: fn(&mut Describe),
    pub(crate) convert: fn(T) -> R,
}

impl<T, R> ReturnPlan<T, R> {
    /// Makes the reply.
    pub fn reply(self, value: T) -> R {
        (self.convert)(value)
    }
}

impl<T, R> Clone for ReturnPlan<T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, R> Copy for ReturnPlan<T, R> {}

/// A reply that stands for a call which never reached the function.
pub trait Unreached: Sized {
    /// The arguments were refused.
    #[doc(hidden)]
    fn refused(problems: Refusal) -> Self;
    /// An injected value could not be made, or the function panicked.
    #[doc(hidden)]
    fn failed(error: crate::ToolError) -> Self;
    /// Is it a failure that another attempt may not meet?
    #[doc(hidden)]
    fn may_pass(&self) -> bool;
}

/// The arguments' problems, still by parameter.
pub struct Refusal(pub(crate) Vec<DecodeProblem>);
