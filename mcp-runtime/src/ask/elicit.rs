//! Forms and URLs for the person behind the client.
//!
//! Source: client/elicitation of 2026-07-28.

use super::{Ask, Question, form, unfit};
use crate::ToolError;
use crate::extract::Context;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

/// What became of a form or a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elicited<T> {
    /// The person has answered.
    Accepted(T),
    /// The person does not want to.
    Declined,
    /// The person has closed it without a decision.
    Cancelled,
}

impl<T> Elicited<T> {
    /// The answer, or an error that tells the model that there is none.
    ///
    /// # Errors
    /// [`Declined`] if the person declined or closed the question.
    pub fn accepted(self) -> Result<T, Declined> {
        match self {
            Elicited::Accepted(answer) => Ok(answer),
            Elicited::Declined => Err(Declined { closed: false }),
            Elicited::Cancelled => Err(Declined { closed: true }),
        }
    }
}

/// The person did not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declined {
    closed: bool,
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.closed {
            true => "The user closed the question without an answer.",
            false => "The user declined to answer.",
        })
    }
}

impl From<Declined> for ToolError {
    /// The text is for the model: unlike other errors it is no secret.
    fn from(declined: Declined) -> Self {
        ToolError::new(declined)
    }
}

impl Context {
    /// Asks the person behind the client to fill in a form. Its fields are those of `T`, a flat `#[mcp_type]` struct: text
    /// (with `min_length`, `max_length`, `pattern`, `format`), numbers (with `min`, `max`), booleans, one choice (an enum
    /// without data) or several (a `Vec` of such an enum); `Option` for what may be left empty, `default` for what is filled
    /// in already. The answer has been checked against the form.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// #[mcp_type]
    /// struct Seat {
    ///     /// The row, from the front.
    ///     #[arg(min = 1, max = 40)]
    ///     row: u8,
    ///     /// At the window?
    ///     #[arg(default = true)]
    ///     window: bool,
    /// }
    ///
    /// /// Books a seat.
    /// #[mcp_tool(requires(elicitation))]
    /// async fn book(cx: Context) -> Result<String, ToolError> {
    ///     let seat: Seat = cx.elicit("Which seat?").await?.accepted()?;
    ///     Ok(format!("Row {} it is.", seat.row))
    /// }
    /// ```
    ///
    /// # Errors
    /// The client did not declare forms, cannot be reached, or gave an answer that does not fit. Return these with `?`.
    pub fn elicit<T>(&self, message: impl Into<String>) -> Ask<Elicited<T>>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
    {
        let question = form::of::<T>().map(|schema| Question::Form { message: message.into(), schema });
        Ask::new(self, question, |question, answer| {
            read(question, answer, |content| serde_json::from_value(content).map_err(|error| unfit("a form", error)))
        })
    }

    /// Asks for a form that is described by a JSON Schema: a flat object of the kinds that [`elicit`](Self::elicit) lists.
    ///
    /// # Errors
    /// As for [`elicit`](Self::elicit).
    pub fn elicit_with(&self, message: impl Into<String>, schema: Value) -> Ask<Elicited<Map<String, Value>>> {
        let question = form::checked(schema).map(|schema| Question::Form { message: message.into(), schema });
        Ask::new(self, question, |question, answer| {
            read(question, answer, |content| match content {
                Value::Object(content) => Ok(content),
                _ => Err(unfit("a form", "expected an object")),
            })
        })
    }

    /// Asks the person to open a URL and do something there that must not pass through the client, such as entering a
    /// secret. Accepted means that the person agreed to open it, not that anything has been done there.
    ///
    /// Put no secret and nothing personal into the URL, and verify on your page that whoever opens it is the same person.
    ///
    /// # Errors
    /// As for [`elicit`](Self::elicit); clients before 2025-11-25 cannot do it.
    pub fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> Ask<Elicited<()>> {
        let question = Question::Url { message: message.into(), url: url.into() };
        Ask::new(self, Ok(question), |question, answer| read(question, answer, |_| Ok(())))
    }
}

fn read<T>(
    question: &Question,
    mut answer: Value,
    accept: impl FnOnce(Value) -> Result<T, ToolError>,
) -> Result<Elicited<T>, ToolError> {
    match answer.get("action").and_then(Value::as_str) {
        Some("accept") => {
            let content = answer.get_mut("content").map_or(Value::Null, Value::take);
            // A form without required fields may come back without content.
            let content = if content.is_null() { Value::Object(Map::new()) } else { content };
            if let Question::Form { schema, .. } = question {
                form::check(schema, &content)?;
            }
            accept(content).map(Elicited::Accepted)
        }
        Some("decline") => Ok(Elicited::Declined),
        Some("cancel") => Ok(Elicited::Cancelled),
        _ => Err(unfit("a question", "`action` must be \"accept\", \"decline\" or \"cancel\"")),
    }
}
