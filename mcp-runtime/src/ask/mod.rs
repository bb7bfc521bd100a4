//! Questions to the client: forms, URLs, its model, its directories.
//!
//! One handler serves both eras. With a session a question is a request to the client, and the handler waits for the
//! response ([`Asks`]). In the stateless revision the handler ends, the client gets the questions, and sends the request
//! again with the answers: the handler runs from the top and finds them there ([`Rounds`]).

mod asks;
mod canonical;
mod elicit;
mod form;
mod future;
mod rounds;
mod sample;
mod seal;
mod state;

pub(crate) use asks::Asks;
pub use elicit::{Declined, Elicited};
pub use future::Ask;
pub(crate) use rounds::Outgoing;
pub(crate) use rounds::Rounds;
pub(crate) use sample::SampleContent;
pub use sample::{Root, Sample, SampleTool, Sampled, ToolChoice};
pub(crate) use seal::Seal;
pub use seal::{StateKey, StateKeyError};
pub use state::SingleUse;
pub(crate) use state::{Binding, StateKeeper, StateSettings, UsedHere};

use crate::ToolError;
use crate::model::Capability;
use crate::session::Peer;
use serde_json::Value;
use std::sync::Arc;

/// A question as the model has it: the revision writes it in its own way.
#[derive(Debug, Clone)]
pub(crate) enum Question {
    /// A form to fill in: the message and the form's schema.
    Form { message: String, schema: Value },
    /// A URL to open.
    Url { message: String, url: String },
    /// Something for the client's model.
    Sample(Box<Sample>),
    /// The client's directories.
    Roots,
}

impl Question {
    /// The method that asks it.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Question::Form { .. } | Question::Url { .. } => "elicitation/create",
            Question::Sample(_) => "sampling/createMessage",
            Question::Roots => "roots/list",
        }
    }

    /// What the client must have declared.
    pub(crate) fn needs(&self) -> Capability {
        match self {
            Question::Form { .. } => Capability::Elicitation,
            Question::Url { .. } => Capability::ElicitationUrl,
            Question::Sample(sample) if sample.uses_tools() => Capability::SamplingTools,
            Question::Sample(_) => Capability::Sampling,
            Question::Roots => Capability::Roots,
        }
    }

    /// The beginning of the key under which it travels, when the author gave none.
    fn stem(&self) -> &'static str {
        match self {
            Question::Form { .. } => "form",
            Question::Url { .. } => "url",
            Question::Sample(_) => "sample",
            Question::Roots => "roots",
        }
    }
}

/// Where a context's questions go.
pub(crate) enum Asking {
    /// Nowhere: this request must not ask.
    Nowhere,
    /// To the client of a session.
    Session(Arc<Peer>, Box<Rounds>),
    /// Into the result of this round.
    Rounds(Arc<Rounds>),
}

impl Asking {
    /// What the call remembers when its function runs again.
    pub(crate) fn memory(&self) -> Option<&Rounds> {
        match self {
            Asking::Nowhere => None,
            Asking::Session(_, rounds) => Some(rounds),
            Asking::Rounds(rounds) => Some(rounds),
        }
    }
}

/// An answer that does not have the form that it should.
pub(crate) fn unfit(what: &str, problem: impl std::fmt::Display) -> ToolError {
    ToolError::protocol(crate::wire::INVALID_PARAMS, format!("the client's answer to {what} does not fit: {problem}"))
}
