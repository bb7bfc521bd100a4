//! Questions and steps of one round.

use super::*;
use crate::sync::schedules::explore;
use serde_json::json;
use shuttle::future::block_on;
use shuttle::thread;
use std::pin::pin;
use std::sync::Arc;

fn question() -> Question {
    Question::Form { message: "?".to_owned(), schema: json!({}) }
}

#[test]
fn the_round_ends_when_something_is_asked_and_no_step_runs() {
    explore("rounds", || {
        let rounds = Arc::<Rounds>::default();
        let asking = thread::spawn({
            let rounds = Arc::clone(&rounds);
            move || {
                let question = question();
                let mut answer = pin!(rounds.answer(Some("key".to_owned()), &question));
                assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
        });
        let working = thread::spawn({
            let rounds = Arc::clone(&rounds);
            move || {
                let step = rounds.begin_step();
                rounds.remember("step", json!(1));
                drop(step);
                rounds.step("step").expect("it is remembered");
            }
        });
        // The call waits for exactly this; it must be woken by whichever of the two comes last.
        block_on(rounds.asked());
        asking.join().expect("it ends");
        working.join().expect("it ends");
        let Outgoing { asked, memory } = rounds.end();
        assert_eq!(asked.len(), 1);
        assert_eq!(memory.steps.get("step"), Some(&json!(1)));
    });
}
