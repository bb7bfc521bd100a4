//! The errors that authors of functions and of servers meet.

use crate::contain::Panic;
use crate::wire::{INTERNAL_ERROR, INVALID_PARAMS, RpcError};
use std::error::Error as StdError;
use std::fmt;
use tokio::task::JoinError;

/// What a function returns when it fails: a text for the client, and optionally the cause for the log alone.
///
/// Any `Display` type can be the error of a function; its text then goes to the client as it is. This type is for
/// functions that must not tell everything: `?` on an ordinary error gives a `ToolError` whose client sees a general
/// text while the log gets the cause. So do errors of the system and errors of any kind (`std::io::Error`, `Box<dyn Error>`,
/// `anyhow::Error`) that a function returns itself, because nobody has chosen their text for clients.
///
/// ```
/// use mcp_runtime::ToolError;
///
/// fn load(path: &str) -> Result<String, ToolError> {
///     if path.is_empty() {
///         return Err(ToolError::new("give a path such as `notes/today.md`"));
///     }
///     Ok(std::fs::read_to_string(path)?) // the path and the cause stay in the log
/// }
/// # assert_eq!(load("").unwrap_err().to_string(), "give a path such as `notes/today.md`");
/// # assert!(!load("/no/such").unwrap_err().to_string().contains("such"));
/// ```
pub struct ToolError {
    text: String,
    cause: Option<Box<dyn StdError + Send + Sync>>,
    protocol: Option<RpcError>,
    transient: bool,
    /// Stands in the text and in the log.
    reference: Option<u32>,
}

impl ToolError {
    /// An error whose text goes to the client.
    pub fn new(text: impl fmt::Display) -> Self {
        ToolError { text: text.to_string(), cause: None, protocol: None, transient: false, reference: None }
    }

    /// An error of which the client learns only that there was one, and under which number the log has its cause: "The server
    /// failed to do this; its log has the cause under 0af76519." The log has it with the same number as `reference`.
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        // Without randomness the time and the function still tell which one it is.
        let reference = getrandom::u32().unwrap_or_default();
        let text = format_args!("The server failed to do this; its log has the cause under {reference:08x}.");
        ToolError { reference: Some(reference), ..ToolError::new(text).caused_by(cause) }
    }

    /// The failure of code that has panicked. It is the server's fault and no model's affair: an error response, whose text finds the
    /// panic in the log.
    pub(crate) fn panicked(panic: Panic) -> Self {
        let error = ToolError::internal(panic);
        let protocol = Some(RpcError::new(INTERNAL_ERROR, error.text.clone()));
        ToolError { protocol, ..error }
    }

    /// The failure of a task that has ended without a result: it has panicked, or it was given up.
    pub(crate) fn unfinished(task: JoinError) -> Self {
        match task.try_into_panic() {
            Ok(thrown) => ToolError::panicked(Panic::of(thrown)),
            Err(_) => ToolError::rpc(RpcError::internal()),
        }
    }

    /// Attaches a cause for the log.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// Marks a failure that may pass: a function with `retry` is then called again, with the same arguments, up to as many
    /// times as it says and within its `timeout`. Without `retry` the mark changes nothing.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// # fn ask_upstream(_city: &str) -> std::io::Result<String> { Ok("sunny".to_owned()) }
    /// /// Tells the weather.
    /// #[mcp_tool(retry = 3)]
    /// fn weather(city: String) -> Result<String, ToolError> {
    ///     ask_upstream(&city).map_err(|error| ToolError::internal(error).transient())
    /// }
    /// # assert_eq!(weather("Rome".into()).ok().as_deref(), Some("sunny"));
    /// ```
    #[must_use]
    pub fn transient(mut self) -> Self {
        self.transient = true;
        self
    }

    /// Is it marked as a failure that may pass?
    pub fn is_transient(&self) -> bool {
        self.transient
    }

    /// A JSON-RPC error instead of a result, for the rare case that a client, not the model, must react.
    ///
    /// Codes from -32768 to -32000 belong to the protocol; other than -32602 and -32603 they are replaced by -32603.
    pub fn protocol(code: i32, message: impl Into<String>) -> Self {
        let message = message.into();
        let reserved = (-32768..=-32000).contains(&code);
        let allowed = [INVALID_PARAMS, INTERNAL_ERROR].contains(&code);
        let code = if reserved && !allowed { INTERNAL_ERROR } else { code };
        let protocol = Some(RpcError::new(code, message.clone()));
        ToolError { protocol, ..ToolError::new(message) }
    }

    /// An error response as it is.
    pub(crate) fn rpc(error: RpcError) -> Self {
        let text = error.message.to_string();
        ToolError { protocol: Some(error), ..ToolError::new(text) }
    }

    /// The code of a JSON-RPC error, if it is one.
    pub(crate) fn code(&self) -> Option<i32> {
        self.protocol.as_ref().map(|error| error.code)
    }

    /// The internal cause, if there is one.
    pub fn cause(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        self.cause.as_deref()
    }

    /// Puts the cause into the log, where the client does not see it, under the number that its text gives.
    pub(crate) fn log(&self, function: &str) {
        if let Some(cause) = &self.cause {
            let reference = self.reference.map(|reference| format!("{reference:08x}"));
            tracing::error!(function, reference, cause = format!("{cause:#}"), "a function failed");
        }
    }

    /// The error response, where no model reads a text. The cause goes into the log.
    pub(crate) fn into_response(self, function: &str) -> RpcError {
        self.log(function);
        let (text, protocol) = self.into_parts();
        protocol.unwrap_or_else(|| RpcError::new(INTERNAL_ERROR, text))
    }

    /// The error with its text changed; not that of a protocol error.
    pub(crate) fn with_text(mut self, change: impl FnOnce(&mut String)) -> Self {
        change(&mut self.text);
        self
    }

    pub(crate) fn into_parts(self) -> (String, Option<RpcError>) {
        (self.text, self.protocol)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError").field("text", &self.text).field("cause", &self.cause).finish_non_exhaustive()
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for ToolError {
    fn from(cause: E) -> Self {
        ToolError::internal(cause)
    }
}

/// Everything that is wrong with a server, found when it is built, all at once.
#[derive(Debug)]
pub struct BuildError {
    problems: Vec<String>,
}

impl BuildError {
    pub(crate) fn new(problems: Vec<String>) -> Self {
        BuildError { problems }
    }

    /// One text for each problem.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [one] => f.write_str(one),
            many => {
                write!(f, "{} problems:", many.len())?;
                many.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
            }
        }
    }
}

impl StdError for BuildError {}
