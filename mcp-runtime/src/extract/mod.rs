//! Parameters that do not come from the client's arguments.

mod args;
mod context;
mod needs;
mod state;

pub use args::Args;
pub use context::{Context, Progress, ProgressValue};
pub(crate) use context::{Inner as ContextInner, crate_of};
pub use needs::Needs;
pub use state::State;
pub(crate) use state::States;

use crate::ToolError;
use crate::handler::{Call, ParamBuilder};

/// A type whose values are made from the request instead of decoded from its arguments.
///
/// Parameters of such a type appear in no schema. Implement it for a type of your own to have it injected:
///
/// ```
/// use mcp_runtime::{Context, FromContext, ToolError};
///
/// struct Tenant(String);
///
/// impl FromContext for Tenant {
///     fn from_context(cx: &Context) -> Result<Self, ToolError> {
///         cx.header("x-tenant").map(Tenant).ok_or_else(|| ToolError::new("the header X-Tenant is missing"))
///     }
/// }
/// ```
pub trait FromContext: Sized {
    /// Makes the value.
    ///
    /// # Errors
    /// The function does not run; its caller gets the error.
    fn from_context(cx: &Context) -> Result<Self, ToolError>;

    /// Tells what the server must provide, so that a lack is found when the server is built.
    fn needs(_needs: &mut Needs) {}
}

/// Everything that is injected: [`FromContext`], and [`Args`], which needs the call itself.
pub trait Injected: Sized {
    /// Tells about the parameter.
    #[doc(hidden)]
    fn describe(param: &mut ParamBuilder<'_>);

    /// Makes the value; `None` when the call has recorded why not.
    #[doc(hidden)]
    fn extract(call: &mut Call<'_>) -> Extracted<Self>;
}

/// The value, an error of the injection, or nothing when the arguments were wrong.
#[doc(hidden)]
pub enum Extracted<T> {
    Value(T),
    Failed(ToolError),
    Refused,
}

impl<T: FromContext> Injected for T {
    fn describe(param: &mut ParamBuilder<'_>) {
        T::needs(&mut param.describe.needs);
        param.injected();
    }

    fn extract(call: &mut Call<'_>) -> Extracted<Self> {
        match T::from_context(call.scope().context()) {
            Ok(value) => Extracted::Value(value),
            Err(error) => Extracted::Failed(error),
        }
    }
}
