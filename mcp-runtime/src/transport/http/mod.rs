//! Streamable HTTP.

/// What an operator can set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {}
