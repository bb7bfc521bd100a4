//! What a call knows of its earlier rounds and attempts, and what a stateless one asks in this round.

use super::{Question, unfit};
use crate::ToolError;
use crate::sync::{Mutex, MutexGuard};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::PoisonError;
use std::task::{Context, Poll, Waker};

/// The rounds of one call. With a session there is one round, and more than one only of attempts.
#[derive(Default)]
pub(crate) struct Rounds(Mutex<State>);

#[derive(Default)]
struct State {
    /// Answers by key: those of this round, and those that the client has carried along.
    answers: Map<String, Value>,
    /// Answers that came during this attempt, for the next one.
    fresh: Map<String, Value>,
    /// Keys of answers that are worth carrying along: those that were asked for, as far as is known.
    wanted: BTreeSet<String>,
    /// Results of steps that must not run twice, by key.
    steps: Map<String, Value>,
    /// How many rounds there have been before.
    round: u32,
    /// Questions of each kind so far, for the keys of those without a name.
    counts: BTreeMap<&'static str, usize>,
    /// What is asked in this round, in order.
    asked: Vec<(String, Question)>,
    /// Steps that are running: a round does not end in the middle of one, or it would run again.
    running: usize,
    /// Whoever runs the call, to be told of the first question.
    runner: Option<Waker>,
}

/// What goes out of this round, and what has to be remembered for the next one.
pub(crate) struct Outgoing {
    pub(crate) asked: Vec<(String, Question)>,
    pub(crate) memory: Memory,
}

/// What a call remembers from round to round.
#[derive(Debug, Default, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Memory {
    #[serde(rename = "a", default, skip_serializing_if = "Map::is_empty")]
    pub(crate) answers: Map<String, Value>,
    #[serde(rename = "s", default, skip_serializing_if = "Map::is_empty")]
    pub(crate) steps: Map<String, Value>,
    /// Keys that were asked for in the last round.
    #[serde(rename = "q", default)]
    pub(crate) asked: Vec<String>,
    #[serde(rename = "r", default)]
    pub(crate) round: u32,
}

impl Memory {
    /// Is there nothing that the next round could not do without?
    pub(crate) fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.steps.is_empty()
    }
}

/// A step that is running.
pub(crate) struct Step<'a>(&'a Rounds);

impl Drop for Step<'_> {
    fn drop(&mut self) {
        let runner = {
            let mut state = self.0.lock();
            state.running -= 1;
            state.runner.take()
        };
        if let Some(runner) = runner {
            runner.wake();
        }
    }
}

impl Rounds {
    /// The call as it goes on: what it remembers, if it does, and the answers that have come now.
    pub(crate) fn resume(memory: Option<Memory>, mut responses: Map<String, Value>) -> Self {
        let Some(memory) = memory else { return Rounds(Mutex::new(State { answers: responses, ..State::default() })) };
        responses.retain(|key, _| memory.asked.contains(key));
        let mut answers = memory.answers;
        // What was answered before stays answered: a client cannot change it afterwards.
        for (key, response) in responses {
            answers.entry(key).or_insert(response);
        }
        let wanted = answers.keys().cloned().collect();
        Rounds(Mutex::new(State { answers, wanted, steps: memory.steps, round: memory.round, ..State::default() }))
    }

    /// The function runs from the top again, in the same round: its questions are the same as before, from the first one on.
    pub(crate) fn begin_again(&self) {
        let mut state = self.lock();
        state.counts.clear();
        state.asked.clear();
        let fresh = std::mem::take(&mut state.fresh);
        state.answers.extend(fresh);
    }

    /// The key of the next question, and its answer if there is one.
    pub(super) fn look_up(&self, key: Option<String>, question: &Question) -> (String, Option<Value>) {
        let mut state = self.lock();
        let count = state.counts.entry(question.stem()).or_default();
        *count += 1;
        let key = key.unwrap_or_else(|| format!("{}-{count}", question.stem()));
        let answer = state.answers.get(&key).cloned();
        (key, answer)
    }

    /// Remembers an answer for further attempts.
    pub(super) fn learn(&self, key: String, answer: Value) {
        self.lock().fresh.insert(key, answer);
    }

    /// The answer to a question, if there is one; otherwise it is asked in this round, and the future never ends: the call
    /// does, and begins again with the answer.
    pub(super) async fn answer(&self, key: Option<String>, question: &Question) -> Result<Value, ToolError> {
        let (key, answer) = self.look_up(key, question);
        if let Some(answer) = answer {
            self.lock().wanted.insert(key.clone());
            return if answer.is_object() { Ok(answer) } else { Err(unfit(&key, "expected an object")) };
        }
        if self.lock().asked.iter().any(|(asked, _)| *asked == key) {
            return Err(ToolError::internal(format!("two questions of one call have the key `{key}`")));
        }
        let runner = {
            let mut state = self.lock();
            state.asked.push((key, question.clone()));
            state.runner.take()
        };
        if let Some(runner) = runner {
            runner.wake();
        }
        std::future::pending().await
    }

    /// The result of a step that has run in an earlier round.
    pub(crate) fn step(&self, key: &str) -> Option<Value> {
        self.lock().steps.get(key).cloned()
    }

    /// Remembers the result of a step.
    pub(crate) fn remember(&self, key: &str, result: Value) {
        self.lock().steps.insert(key.to_owned(), result);
    }

    /// A step begins; it has ended when what this gives is dropped.
    pub(crate) fn begin_step(&self) -> Step<'_> {
        self.lock().running += 1;
        Step(self)
    }

    /// Has anything been asked, and is no step running? If not, the task is woken when something is.
    pub(crate) fn poll_asked(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.asked.is_empty() || state.running > 0 {
            state.runner = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    /// Waits for a question.
    pub(crate) async fn asked(&self) {
        poll_fn(|cx| self.poll_asked(cx)).await;
    }

    /// Ends the round: the questions, and the memory for the next one. What a client sent that nobody asked for is not
    /// carried along.
    pub(crate) fn end(&self) -> Outgoing {
        let mut state = self.lock();
        let asked = std::mem::take(&mut state.asked);
        let mut answers = state.answers.clone();
        answers.retain(|key, _| state.wanted.contains(key));
        let memory = Memory {
            answers,
            steps: state.steps.clone(),
            asked: asked.iter().map(|(key, _)| key.clone()).collect(),
            round: state.round + 1,
        };
        Outgoing { asked, memory }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, shuttle))]
mod schedules;
