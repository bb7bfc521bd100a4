//! A client that makes the calls, in either era.

use super::steps::{Act, Step};
use crate::fixture;
use crate::peer::{Peer, REVISIONS, Received, STATELESS, run};
use serde_json::{Value, json};

/// The client.
pub(super) struct Client {
    peer: Peer,
    stateless: bool,
    received: Received,
}

/// What a step came to.
#[derive(Debug)]
pub(super) struct Outcome {
    /// None: it has no answer.
    pub(super) outcome: Option<Result<Value, Value>>,
    /// How far the call said it was.
    pub(super) progress: Vec<Value>,
}

impl Client {
    pub(super) fn with_session() -> Self {
        Client { peer: Peer::of(fixture::server(), REVISIONS[3]), stateless: false, received: Received::default() }
    }

    pub(super) fn stateless() -> Self {
        Client { peer: Peer::speaking(STATELESS), stateless: true, received: Received::default() }
    }

    /// Takes all steps, and gives what came of each.
    pub(super) fn go(mut self, steps: &[Step<'_>]) -> Vec<Outcome> {
        let received = run(async move {
            for (number, step) in steps.iter().enumerate() {
                match (step, step.request()) {
                    (Step::Confirm { first, second, .. }, Some((method, params))) => {
                        self.confirm(number, method, &params, [*first, *second]).await;
                    }
                    (_, Some((method, params))) => self.send(number, method, params),
                    (step @ Step::Cancel { .. }, _) => {
                        let id = step.cancels(number);
                        let text =
                            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
                        self.peer.send(&text.to_string());
                    }
                    _ => {}
                }
            }
            let mut received = self.peer.finish().await;
            self.received.responses.append(&mut received.responses);
            self.received.others.append(&mut received.others);
            self.received
        });
        (0..steps.len()).map(|number| outcome(&received, number)).collect()
    }

    fn send(&mut self, number: usize, method: &str, mut params: Value) {
        params["_meta"] = json!({"progressToken": number});
        if self.stateless {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = STATELESS.into();
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
        }
        let text = json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params});
        self.peer.send(&text.to_string());
    }

    /// Makes a call that asks, and goes on until it is answered.
    async fn confirm(&mut self, number: usize, method: &str, params: &Value, acts: [Act; 2]) {
        let mut params = params.clone();
        self.send(number, method, params.clone());
        let act = |first: bool| acts[usize::from(!first)].answer();
        loop {
            let (responses, others) = (self.received.responses.len(), self.received.others.len());
            self.received.take(&self.peer.receive().await);
            for (method, question) in &self.received.others[others..] {
                if method == "elicitation/create" {
                    let is_first = question["message"].as_str().is_some_and(|text| !text.contains(" for "));
                    let id = self.received.asked.last().expect("an id").clone();
                    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#, act(is_first));
                    self.peer.send(&text);
                }
            }
            let own = Some(number.to_string());
            let Some(at) = self.received.responses[responses..].iter().position(|response| response.id == own) else {
                continue;
            };
            let response = &self.received.responses[responses + at];
            let Some(asked) = response.outcome.as_ref().ok().and_then(|result| result.get("inputRequests")) else {
                return;
            };
            for key in asked.as_object().expect("questions").keys() {
                params["inputResponses"][key.as_str()] = act(key == "first");
            }
            let state = response.outcome.as_ref().ok().and_then(|result| result.get("requestState"));
            if let Some(state) = state {
                params["requestState"] = state.clone();
            }
            self.received.responses.remove(responses + at);
            self.send(number, method, params.clone());
        }
    }
}

fn outcome(received: &Received, number: usize) -> Outcome {
    let id = number.to_string();
    let mut answers = received.responses.iter().filter(|response| response.id.as_deref() == Some(&id));
    let outcome = answers.next().map(|response| response.outcome.clone());
    assert!(answers.next().is_none(), "two answers to {number}: {received:?}");
    let reports = received
        .others
        .iter()
        .filter(|(method, params)| method == "notifications/progress" && params["progressToken"] == number);
    Outcome { outcome, progress: reports.map(|(_, params)| params["progress"].clone()).collect() }
}
