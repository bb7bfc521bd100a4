//! A question as a future.

use super::{Asking, Question};
use crate::ToolError;
use crate::extract::Context;
use crate::handler::BoxFuture;
use crate::revision;
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::task::{self, Poll};

/// A question to the client. Nothing is asked before it is awaited; questions that are awaited together (`tokio::join!`)
/// travel together.
#[must_use = "a question is asked when it is awaited"]
pub struct Ask<A> {
    context: Context,
    question: Option<Result<Question, ToolError>>,
    key: Option<String>,
    read: fn(&Question, Value) -> Result<A, ToolError>,
    running: Option<BoxFuture<Result<A, ToolError>>>,
}

impl<A> Ask<A> {
    pub(crate) fn new(
        context: &Context,
        question: Result<Question, ToolError>,
        read: fn(&Question, Value) -> Result<A, ToolError>,
    ) -> Self {
        Ask { context: context.clone(), question: Some(question), key: None, read, running: None }
    }

    /// Names the question. In the stateless revision answers are found by name when the function runs again; without one a
    /// question is known by its kind and place, so name those that are asked in an order that may change.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

impl<A: Send + 'static> Future for Ask<A> {
    type Output = Result<A, ToolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let running = this.running.get_or_insert_with(|| {
            let (context, key, read) = (this.context.clone(), this.key.take(), this.read);
            match this.question.take() {
                Some(question) => Box::pin(async move {
                    let question = question?;
                    let answer = answer(&context, key, &question).await?;
                    read(&question, answer)
                }),
                // The question is there until it runs.
                None => Box::pin(std::future::pending()),
            }
        });
        running.as_mut().poll(cx)
    }
}

/// Asks, in the way of the context's era.
async fn answer(context: &Context, key: Option<String>, question: &Question) -> Result<Value, ToolError> {
    let revision = context.revision();
    if !context.supports(question.needs()) {
        let error = revision::missing_capability(revision, &[question.needs()]);
        // Where a function cannot be asked to wait for a better client, the model is told.
        return Err(if revision.is_stateless() { ToolError::rpc(error) } else { ToolError::new(error.message) });
    }
    match context.asking() {
        Asking::Nowhere => Err(ToolError::new("this request must not ask the client")),
        Asking::Rounds(rounds) => rounds.answer(key, question).await,
        Asking::Session(peer, rounds) => {
            let (key, known) = rounds.look_up(key, question);
            if let Some(answer) = known {
                return Ok(answer);
            }
            let params = revision::question_params(revision, question)?;
            let _open = context.question();
            let answer = peer.asks.ask(context.outlet(), question.method(), &params).await?;
            rounds.learn(key, answer.clone());
            Ok(answer)
        }
    }
}
