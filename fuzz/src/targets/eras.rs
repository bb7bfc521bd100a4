//! Both eras: a random sequence of calls, made by a client with a session and by one without.
//!
//! The two get the same answers to the same calls: the same content, the same errors, the same reports of progress, apart
//! from what the revisions define differently. Calls are made without waiting for answers, and cancelled; calls that ask
//! are answered, by a response in one era and by another round in the other.

mod drive;
mod steps;

use arbitrary::{Arbitrary, Unstructured};
use drive::Client;
use serde_json::Value;
use steps::Step;

/// Longer sequences show nothing more.
const MOST: usize = 24;

/// See the module.
pub fn check(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut steps = Vec::new();
    while steps.len() < MOST && !input.is_empty() {
        let Ok(step) = Step::arbitrary(&mut input) else { break };
        steps.push(step);
    }
    let [session, stateless] = [Client::with_session(), Client::stateless()].map(|client| client.go(&steps));
    assert_eq!(session.len(), stateless.len());
    for (number, ((step, one), other)) in steps.iter().zip(session).zip(stateless).enumerate() {
        if is_raced(&steps, number) {
            continue;
        }
        assert_eq!(one.progress, other.progress, "{step:?}");
        match (one.outcome, other.outcome) {
            (Some(Ok(one)), Some(Ok(other))) => assert_eq!(older(one), older(other), "{step:?}"),
            (Some(Err(one)), Some(Err(other))) => assert_eq!(older(one), older(other), "{step:?}"),
            (None, None) => {}
            (one, other) => panic!("{step:?}: {one:?} with a session, {other:?} without"),
        }
    }
}

/// Is the call cancelled after another has been waited for? How far it came until then differs from era to era: a question takes
/// a message there and back in one, and a call from the beginning in the other.
fn is_raced(steps: &[Step<'_>], number: usize) -> bool {
    let later = steps.iter().enumerate().skip(number + 1);
    let mut asked = later.clone().filter(|(_, step)| matches!(step, Step::Confirm { .. })).map(|(at, _)| at);
    let Some(asked) = asked.next() else { return false };
    later.skip_while(|(at, _)| *at < asked).any(|(at, step)| step.cancels(at) == Some(number))
}

/// A result or an error without what only the stateless revision has.
fn older(mut answer: Value) -> Value {
    let Some(members) = answer.as_object_mut() else { return answer };
    for name in ["resultType", "ttlMs", "cacheScope"] {
        members.remove(name);
    }
    if let Some(meta) = members.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            members.remove("_meta");
        }
    }
    // The older revision has schemas of objects only, and values that have one.
    if members.get("structuredContent").is_some_and(|value| !value.is_object()) {
        members.remove("structuredContent");
    }
    for tool in members.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
        if tool.get("outputSchema").is_some_and(|schema| schema["type"] != "object") {
            tool.as_object_mut().map(|tool| tool.remove("outputSchema"));
        }
        let properties = tool["inputSchema"].get_mut("properties").and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
            if *property == Value::Bool(true) {
                *property = Value::Object(Default::default());
            }
        }
    }
    // A resource that does not exist.
    if members.get("code").is_some_and(|code| code == -32002) {
        members.insert("code".to_owned(), Value::from(-32602));
    }
    answer
}
