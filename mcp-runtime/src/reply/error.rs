//! Errors of functions.

use crate::ToolError;
use std::any::{Any, type_name};
use std::error::Error as StdError;
use std::fmt::Display;
use std::io;
use tokio::task::JoinError;

/// Types that hold whatever error came along, of crates that this one does not know.
const ERASED: [&str; 2] = ["anyhow::Error", "eyre::Report"];

/// The error type of a function: anything that can be shown. The text goes to the client, but for errors that come from the system
/// or may hold any other one (`std::io::Error`, `tokio::task::JoinError`, `Box<dyn Error>`, `anyhow::Error`, `eyre::Report`): of these
/// the client learns that there was one, and the log has the cause ([`ToolError::internal`]).
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
        match (known(&mut error), error) {
            (Some(known), _) => known,
            (None, Some(error)) if ERASED.contains(&type_name::<E>()) => ToolError::internal(format!("{error:#}")),
            (None, error) => error.map_or_else(|| ToolError::new(""), ToolError::new),
        }
    }
}

/// Takes an error out of its `Option` if its text is not for clients, or if it knows itself whether it is.
fn known(error: &mut dyn Any) -> Option<ToolError> {
    fn take<E: 'static>(error: &mut dyn Any) -> Option<E> {
        error.downcast_mut::<Option<E>>().and_then(Option::take)
    }
    let internal = |error: Box<dyn StdError + Send + Sync>| ToolError::internal(error);
    take::<ToolError>(error)
        .or_else(|| take::<io::Error>(error).map(ToolError::internal))
        .or_else(|| take::<JoinError>(error).map(ToolError::internal))
        .or_else(|| take::<Box<dyn StdError + Send + Sync>>(error).map(internal))
        .or_else(|| take::<Box<dyn StdError + Send>>(error).map(|error| ToolError::internal(error.to_string())))
        .or_else(|| take::<Box<dyn StdError>>(error).map(|error| ToolError::internal(error.to_string())))
}
