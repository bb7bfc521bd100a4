//! Batches, in the revisions that have them.
//!
//! Source: basic/index of 2025-03-26; JSON-RPC 2.0, section 6.

use super::{Answer, Carrier, Core, Message, Reaction, Standing, settled};
use crate::handler::BoxFuture;
use crate::wire::{self, Fault, RpcError};
use std::sync::Arc;

impl Core {
    pub(super) fn receive_batch(self: &Arc<Self>, text: &str, carrier: &Carrier<'_>) -> Reaction {
        let refuse = |error: &RpcError| Reaction::Answer(Answer::error(None, error, Standing::Rejected));
        let has_batches = carrier.peer.and_then(|peer| settled(peer)).is_some_and(|r| r.features().batches);
        let elements = wire::batch(text, self.bounds.batch);
        let unreadable = |fault: &Fault<'_>, text: &str| self.unreadable(fault, text, &carrier.caller, carrier.headers);
        let elements = match elements.inspect_err(|fault| unreadable(fault, text)) {
            Err(fault @ Fault::NotJson) => return super::unanswered(&fault, carrier),
            elements if !has_batches => {
                let reason = "batches are not part of this protocol revision".into();
                let fault = Fault::Invalid { id: None, reason };
                if elements.is_ok() {
                    unreadable(&fault, text);
                }
                return refuse(&fault.error());
            }
            Err(fault) => return refuse(&fault.error()),
            Ok(elements) => elements,
        };
        let (mut answers, mut waiting, mut lost) = (Vec::new(), Vec::new(), None);
        for element in elements {
            let message = match self.parse(element).inspect_err(|fault| unreadable(fault, element)) {
                // No revision with batches knows errors without an id: one among the answers would make all of them unreadable.
                Err(fault) if fault.id().is_none() => {
                    lost = Some(fault);
                    continue;
                }
                message => message,
            };
            match self.element(message, carrier) {
                Reaction::Silence => {}
                Reaction::Answer(answer) => answers.push(answer),
                Reaction::Later(answer) => waiting.push(answer),
                // No revision with batches has subscriptions.
                Reaction::Listen(_) => {}
            }
        }
        match (answers.is_empty(), waiting.is_empty()) {
            (true, true) => lost.map_or(Reaction::Silence, |fault| super::unanswered(&fault, carrier)),
            (_, true) => Reaction::Answer(joined(&answers)),
            (_, false) => Reaction::Later(Box::pin(all(answers, waiting))),
        }
    }

    fn element(self: &Arc<Self>, message: Result<Message<'_>, Fault<'_>>, carrier: &Carrier<'_>) -> Reaction {
        match message {
            Ok(Message::Request(request)) if request.method == "initialize" => Reaction::Answer(Answer::error(
                Some(request.id),
                &RpcError::invalid_request("`initialize` must not be part of a batch"),
                Standing::Rejected,
            )),
            Ok(message) => self.handle(message, carrier),
            Err(fault) => Reaction::Answer(Answer::error(fault.id(), &fault.error(), Standing::Rejected)),
        }
    }
}

/// Waits for everything that is under way. The functions run at the same time.
async fn all(mut answers: Vec<Answer>, waiting: Vec<BoxFuture<Option<Answer>>>) -> Option<Answer> {
    let mut tasks = tokio::task::JoinSet::new();
    for answer in waiting {
        tasks.spawn(answer);
    }
    while let Some(answer) = tasks.join_next().await {
        answers.extend(answer.ok().flatten());
    }
    (!answers.is_empty()).then(|| joined(&answers))
}

/// The array of the responses.
fn joined(answers: &[Answer]) -> Answer {
    let mut body = vec![b'['];
    for (index, answer) in answers.iter().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        body.extend_from_slice(&answer.body);
    }
    body.push(b']');
    Answer::ok(body)
}
