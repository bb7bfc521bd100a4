//! Errors of functions.

use crate::ToolError;
use std::any::Any;
use std::fmt::Display;

/// The error type of a function: anything that can be shown.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of an MCP function",
    label = "this error type has no `Display`",
    note = "implement `std::fmt::Display` for it: its text goes to the client; or return `mcp_runtime::ToolError`"
)]
pub trait IntoToolError {
    /// The error as the framework keeps it.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        let mut error = Some(self);
        match (&mut error as &mut dyn Any).downcast_mut::<Option<ToolError>>().and_then(Option::take) {
            Some(tool_error) => tool_error,
            None => error.map_or_else(|| ToolError::new(""), ToolError::new),
        }
    }
}
