//! What a tool gives, when a plain value is not enough.

use super::{Content, Meta};
use serde::Serialize;

/// A tool's result, spelled out: blocks of content, a structured value, or an error that the model may react to.
///
/// ```
/// use mcp_runtime::ToolResult;
///
/// let partial = ToolResult::error("3 of 5 files could not be read").with("The others: a.txt, b.txt");
/// # let _ = partial;
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToolResult {
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<String>,
    pub(crate) is_error: bool,
    pub(crate) meta: Option<Meta>,
}

impl ToolResult {
    /// An empty result.
    pub fn new() -> Self {
        Self::default()
    }

    /// An error result (`isError`) with a text for the model.
    pub fn error(text: impl Into<String>) -> Self {
        ToolResult { is_error: true, ..Self::new() }.with(text.into())
    }

    /// Adds a block of content.
    #[must_use]
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Sets `structuredContent`. A value that cannot be serialized leaves it unset and makes the result an error.
    #[must_use]
    pub fn structured(mut self, value: &impl Serialize) -> Self {
        match serde_json::to_string(value) {
            // Every message is one line: JSON that is passed through as it is may hold line breaks between its tokens.
            Ok(json) if json.contains(['\n', '\r']) => self.structured = Some(json.replace(['\n', '\r'], " ")),
            Ok(json) => self.structured = Some(json),
            Err(error) => {
                self.is_error = true;
                self.content.push(Content::text(format!("The result cannot be written as JSON: {error}")));
            }
        }
        self
    }

    /// Attaches `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}
