//! Results of tools.
//!
//! `Result` is serializable itself, so it would fall under the blanket impl for plain values; the inherent `resolve` of
//! [`ToolReturn<Result<..>>`](ToolReturn) shadows the trait's, as in `handler::param`.

use super::{IntoToolError, Refusal, ReturnPlan, Unreached};
use crate::ToolError;
use crate::handler::Describe;
use crate::model::{Audio, Content, Contents, Image, ResourceContents, ResourceLink, ToolResult};
use crate::wire::to_json;
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

/// What a tool call came to.
pub struct ToolReply(pub(crate) ToolOutcome);

pub(crate) enum ToolOutcome {
    /// A plain value's JSON text: text for scalars, structured otherwise, as the tool's own output schema says.
    Value(String),
    Result(ToolResult),
    Refused(Refusal),
    /// The arguments were refused, and this is why.
    Invalid(String),
    Failed(ToolError),
}

impl From<ToolResult> for ToolReply {
    fn from(result: ToolResult) -> Self {
        ToolReply(ToolOutcome::Result(result))
    }
}

impl Unreached for ToolReply {
    fn refused(problems: Refusal) -> Self {
        ToolReply(ToolOutcome::Refused(problems))
    }

    fn failed(error: ToolError) -> Self {
        ToolReply(ToolOutcome::Failed(error))
    }

    fn may_pass(&self) -> bool {
        matches!(&self.0, ToolOutcome::Failed(error) if error.is_transient())
    }
}

/// A type that a tool can return (bare, or as the `Ok` of a `Result`).
///
/// Implemented for every `Serialize + JsonSchema` type and for the framework's own results. Implement it for a type of
/// your own that is not serializable:
///
/// ```
/// use mcp_runtime::{IntoToolReply, ToolReply, ToolResult};
///
/// struct Greeting(&'static str);
///
/// impl IntoToolReply for Greeting {
///     fn into_reply(self) -> ToolReply {
///         ToolResult::new().with(self.0).into()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "not a tool result",
    note = "a result's type needs `#[mcp_type]` on it, and so does what is inside of it (or any `serde::Serialize` + \
            `schemars::JsonSchema`)",
    note = "or return `Content`, `Contents` (in place of `Vec<Content>`), `Image`, `Audio`, `ResourceLink`, `ToolResult`, or a \
            `Result` of one of these"
)]
pub trait IntoToolReply: Sized {
    /// Tells the output schema, if the type has one.
    #[doc(hidden)]
    fn describe(_describe: &mut Describe) {}

    /// Converts the value.
    fn into_reply(self) -> ToolReply;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> IntoToolReply for T {
    fn describe(describe: &mut Describe) {
        describe.output::<T>();
    }

    fn into_reply(self) -> ToolReply {
        ToolReply(match to_json(&self) {
            Ok(json) => ToolOutcome::Value(json),
            Err(error) => ToolOutcome::Failed(ToolError::internal(error)),
        })
    }
}

impl IntoToolReply for ToolResult {
    fn into_reply(self) -> ToolReply {
        self.into()
    }
}

impl IntoToolReply for Contents {
    fn into_reply(self) -> ToolReply {
        ToolResult { content: self.0, ..ToolResult::new() }.into()
    }
}

macro_rules! one_block {
    ($($block:ty),*) => {$(
        impl IntoToolReply for $block {
            fn into_reply(self) -> ToolReply {
                ToolResult::new().with(self).into()
            }
        }
    )*};
}

one_block!(Content, Image, Audio, ResourceLink, ResourceContents);

/// The question "how does a tool's return type become a reply?".
pub struct ToolReturn<T>(PhantomData<fn() -> T>);

impl<T> ToolReturn<T> {
    /// The one value.
    pub const HERE: Self = ToolReturn(PhantomData);
}

impl<T, E> ToolReturn<Result<T, E>> {
    /// `Err` is an error for the model.
    pub fn resolve(self) -> ReturnPlan<Result<T, E>, ToolReply>
    where
        T: IntoToolReply,
        E: IntoToolError,
    {
        ReturnPlan {
            describe: T::describe,
            convert: |result| match result {
                Ok(value) => value.into_reply(),
                Err(error) => ToolReply(ToolOutcome::Failed(error.into_tool_error())),
            },
        }
    }
}

/// Every type but `Result`.
pub trait PlainToolReturn<T> {
    /// The value is the result.
    fn resolve(self) -> ReturnPlan<T, ToolReply>
    where
        T: IntoToolReply;
}

impl<T> PlainToolReturn<T> for ToolReturn<T> {
    fn resolve(self) -> ReturnPlan<T, ToolReply>
    where
        T: IntoToolReply,
    {
        ReturnPlan { describe: T::describe, convert: T::into_reply }
    }
}
