//! What a resource gives: text or bytes.

use super::Meta;

/// The contents of one resource, or of one part of it.
///
/// Inside of a resource function the URI may be left out: it is then the URI that was asked for.
///
/// ```
/// use mcp_runtime::ResourceContents;
///
/// let page = ResourceContents::text("# Notes").mime_type("text/markdown");
/// let logo = ResourceContents::blob([0x89, b'P']).mime_type("image/png").with_uri("site://logo");
/// # let _ = (page, logo);
/// ```
#[derive(Debug, Clone)]
pub struct ResourceContents {
    pub(crate) uri: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) body: Body,
    pub(crate) meta: Option<Meta>,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Text(String),
    Blob(Vec<u8>),
}

impl ResourceContents {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        ResourceContents { uri: None, mime_type: None, body: Body::Text(text.into()), meta: None }
    }

    /// Bytes; they travel as base64.
    pub fn blob(bytes: impl Into<Vec<u8>>) -> Self {
        ResourceContents { uri: None, mime_type: None, body: Body::Blob(bytes.into()), meta: None }
    }

    /// The size of the body in bytes, as it was given.
    pub(crate) fn size(&self) -> usize {
        match &self.body {
            Body::Text(text) => text.len(),
            Body::Blob(bytes) => bytes.len(),
        }
    }

    /// Sets the URI.
    #[must_use]
    pub fn with_uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// Sets the MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Attaches `_meta`.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}
