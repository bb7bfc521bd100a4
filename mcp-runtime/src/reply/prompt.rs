//! Messages of prompts.

use super::{IntoToolError, Refusal, ReturnPlan, Unreached};
use crate::ToolError;
use crate::model::{Content, Message, Messages};
use std::marker::PhantomData;

/// What a prompt came to.
pub struct PromptReply(pub(crate) PromptOutcome);

pub(crate) enum PromptOutcome {
    Messages(Messages),
    Refused(Refusal),
    Failed(ToolError),
}

impl Unreached for PromptReply {
    fn refused(problems: Refusal) -> Self {
        PromptReply(PromptOutcome::Refused(problems))
    }

    fn failed(error: ToolError) -> Self {
        PromptReply(PromptOutcome::Failed(error))
    }

    fn may_pass(&self) -> bool {
        matches!(&self.0, PromptOutcome::Failed(error) if error.is_transient())
    }
}

/// A type that a prompt function can return: text (one user message), a [`Message`], many, [`Messages`], or a `Result`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the messages of a prompt",
    label = "not a prompt's messages",
    note = "return `String`, `&'static str`, `Message`, `Vec<Message>`, `Messages`, or a `Result` of one of these"
)]
pub trait IntoPromptReply: Sized {
    /// Converts the value.
    fn into_reply(self) -> PromptReply;
}

macro_rules! one_message {
    ($($text:ty),*) => {$(
        impl IntoPromptReply for $text {
            fn into_reply(self) -> PromptReply {
                Message::user(self).into_reply()
            }
        }
    )*};
}

one_message!(String, &'static str, Content);

impl IntoPromptReply for Message {
    fn into_reply(self) -> PromptReply {
        vec![self].into_reply()
    }
}

impl IntoPromptReply for Vec<Message> {
    fn into_reply(self) -> PromptReply {
        Messages::from(self).into_reply()
    }
}

impl<const N: usize> IntoPromptReply for [Message; N] {
    fn into_reply(self) -> PromptReply {
        Vec::from(self).into_reply()
    }
}

impl IntoPromptReply for Messages {
    fn into_reply(self) -> PromptReply {
        PromptReply(PromptOutcome::Messages(self))
    }
}

impl<T: IntoPromptReply, E: IntoToolError> IntoPromptReply for Result<T, E> {
    fn into_reply(self) -> PromptReply {
        match self {
            Ok(value) => value.into_reply(),
            Err(error) => PromptReply(PromptOutcome::Failed(error.into_tool_error())),
        }
    }
}

/// The question "how does a prompt function's return type become a reply?".
pub struct PromptReturn<T>(PhantomData<fn() -> T>);

impl<T> PromptReturn<T> {
    /// The one value.
    pub const HERE: Self = PromptReturn(PhantomData);

    /// The value is the messages.
    pub fn resolve(self) -> ReturnPlan<T, PromptReply>
    where
        T: IntoPromptReply,
    {
        ReturnPlan { describe: |_| {}, convert: T::into_reply }
    }
}
