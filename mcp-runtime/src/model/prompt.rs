//! What a prompt gives: messages with roles.

use super::{Content, Role};

/// One message of a prompt.
///
/// ```
/// use mcp_runtime::Message;
///
/// let talk = [Message::user("Translate: bonjour"), Message::assistant("hello")];
/// # let _ = talk;
/// ```
#[derive(Debug, Clone)]
pub struct Message {
    pub(crate) role: Role,
    pub(crate) content: Content,
}

impl Message {
    /// A message of the person.
    pub fn user(content: impl Into<Content>) -> Self {
        Message { role: Role::User, content: content.into() }
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Message { role: Role::Assistant, content: content.into() }
    }
}

/// Several messages, with a description if there is one for this very call.
#[derive(Debug, Clone, Default)]
pub struct Messages {
    pub(crate) description: Option<String>,
    pub(crate) messages: Vec<Message>,
}

impl Messages {
    /// No messages yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Describes this very prompt.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds a message of the person.
    #[must_use]
    pub fn user(mut self, content: impl Into<Content>) -> Self {
        self.messages.push(Message::user(content));
        self
    }

    /// Adds a message of the model.
    #[must_use]
    pub fn assistant(mut self, content: impl Into<Content>) -> Self {
        self.messages.push(Message::assistant(content));
        self
    }
}

impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        Messages { description: None, messages: messages.into_iter().collect() }
    }
}

impl From<Vec<Message>> for Messages {
    fn from(messages: Vec<Message>) -> Self {
        messages.into_iter().collect()
    }
}
