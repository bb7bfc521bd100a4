//! `requestState`: what clients carry between the rounds of a call is taken only as it was given, and only for its call.
//!
//! The input says which of several real states is taken, how it is changed, with which call it comes, and what comes as
//! `inputResponses`. A state that is not, byte for byte, one that was given for this very call is refused; one that is goes
//! on where it was. What the call remembers is its own: answers cannot be changed by the client afterwards.

use crate::peer::{ENVELOPE, Peer, Response, STATELESS, run};
use arbitrary::{Arbitrary, Unstructured};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::sync::{Once, OnceLock};

/// A call that asks, with what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Arbitrary)]
enum Calls {
    Tea,
    Coffee,
    TeaWithBlanks,
    Survey,
}

/// What is done to a state. Places and bytes refer to what is sealed, not to its base64.
#[derive(Debug, Arbitrary)]
enum Change<'a> {
    Flip {
        at: usize,
        by: u8,
    },
    Cut {
        to: usize,
    },
    Skip {
        from: usize,
    },
    Insert {
        at: usize,
        byte: u8,
    },
    Swap {
        at: usize,
        with: usize,
    },
    /// The head of one state and the rest of another.
    Splice {
        at: usize,
        other: u8,
    },
    Append(&'a [u8]),
    /// Changes of the text itself.
    Text {
        at: usize,
        with: &'a str,
    },
    Whole(&'a str),
}

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    state: u8,
    changes: Vec<Change<'a>>,
    call: Calls,
    sure: Option<bool>,
    /// More members of `inputResponses`.
    responses: Vec<(&'a str, &'a str)>,
}

/// A state that the server has given.
struct Given {
    call: Calls,
    /// How many of its questions are answered.
    answered: usize,
    text: String,
}

/// See the module.
pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else { return };
    static TRIED: Once = Once::new();
    TRIED.call_once(try_out);
    judge(&input);
}

/// What is not changed is accepted, for its own call and no other.
fn try_out() {
    for (number, given) in given().iter().enumerate() {
        for call in [Calls::Tea, Calls::Coffee, Calls::TeaWithBlanks, Calls::Survey] {
            let response = ask(call, Some(&given.text), None);
            assert_eq!(response.outcome.is_ok(), call.is(given.call), "{number} {call:?}: {response:?}");
        }
    }
}

fn judge(input: &Input<'_>) {
    let given = &given()[usize::from(input.state) % given().len()];
    let text = changed(&given.text, &input.changes);
    let mut responses = json!({});
    for (key, answer) in &input.responses {
        responses[*key] = serde_json::from_str(answer).unwrap_or_else(|_| Value::from(*answer));
    }
    if let Some(sure) = input.sure {
        responses["second"] = json!({"action": "accept", "content": {"sure": sure}});
    }
    let response = ask(input.call, Some(&text), Some(&responses));
    let fits = self::given().iter().find(|given| given.text == text && input.call.is(given.call));
    match (fits, &response.outcome) {
        (None, Err(error)) => assert_eq!(error["code"], -32602, "{error}"),
        (None, Ok(result)) => panic!("{text:?} is accepted for {:?}: {result}", input.call),
        (Some(_), Err(error)) => assert!(input.is_blamed(error), "{text:?} is refused: {error}"),
        (Some(given), Ok(result)) => went_on(given, input, result),
    }
}

impl Input<'_> {
    /// An answer that was made up does not fit its question, and the error says which one.
    fn is_blamed(&self, error: &Value) -> bool {
        let text = error["message"].as_str().unwrap_or_default();
        let mut made_up = self.responses.iter().filter(|(key, _)| self.sure.is_none() || *key != "second");
        error["code"] == -32602 && made_up.any(|(key, _)| text.starts_with(&format!("the client's answer to {key} ")))
    }
}

impl Calls {
    fn request(self) -> &'static str {
        match self {
            Calls::Tea => r#""name":"confirm","arguments":{"what":"tea"}"#,
            Calls::Coffee => r#""name":"confirm","arguments":{"what":"coffee"}"#,
            Calls::TeaWithBlanks => r#""arguments" : { "wh\u0061t" : "te\u0061" } , "name":"confirm""#,
            Calls::Survey => r#""name":"survey","arguments":{}"#,
        }
    }

    /// Is it the same call, however it is written?
    fn is(self, other: Calls) -> bool {
        let plain = |call| if call == Calls::TeaWithBlanks { Calls::Tea } else { call };
        plain(self) == plain(other)
    }
}

/// The call goes on with what its state remembers.
fn went_on(given: &Given, input: &Input<'_>, result: &Value) {
    let asked = result["inputRequests"].as_object();
    match (given.call, given.answered, input.sure) {
        // The first question has been answered: it is not asked again, and its answer is not taken again.
        (Calls::Tea | Calls::Coffee, 1, None) if input.responses.is_empty() => {
            assert!(asked.is_some_and(|asked| asked.contains_key("second") && asked.len() == 1), "{result}");
        }
        (Calls::Tea | Calls::Coffee, 1, Some(sure)) => {
            let (what, price) = if given.call == Calls::Tea { ("tea", 3) } else { ("coffee", 6) };
            assert_eq!(result["content"][0]["text"], format!("{what} true {price} {sure}"), "{result}");
        }
        _ => {}
    }
}

/// The states that the server has given, for two calls after their first answers, and for one that asks all at once.
fn given() -> &'static [Given] {
    static GIVEN: OnceLock<Vec<Given>> = OnceLock::new();
    GIVEN.get_or_init(|| {
        let yes = json!({"action": "accept", "content": {"sure": true}});
        let one = |call: Calls, answered: usize, responses: Value| {
            let response = ask(call, None, Some(&responses));
            let result = response.outcome.expect("a result");
            let text = result["requestState"].as_str().unwrap_or_else(|| panic!("no state: {result}")).to_owned();
            Given { call, answered, text }
        };
        vec![
            one(Calls::Tea, 1, json!({"first": yes})),
            one(Calls::Tea, 1, json!({"first": yes})),
            one(Calls::Coffee, 1, json!({"first": yes})),
            one(Calls::Survey, 1, json!({"form-1": yes})),
        ]
    })
}

fn ask(call: Calls, state: Option<&str>, responses: Option<&Value>) -> Response {
    let mut peer = Peer::speaking(STATELESS);
    let mut params = format!(r#""_meta":{{{ENVELOPE}}},{}"#, call.request());
    if let Some(state) = state {
        params.push_str(&format!(r#","requestState":{}"#, Value::from(state)));
    }
    if let Some(responses) = responses {
        params.push_str(&format!(r#","inputResponses":{responses}"#));
    }
    let received = run(async {
        peer.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{params}}}}}"#));
        peer.finish().await
    });
    received.only("1").clone()
}

fn changed(text: &str, changes: &[Change<'_>]) -> String {
    let mut bytes = URL_SAFE_NO_PAD.decode(text).expect("base64");
    let mut text = text.to_owned();
    for change in changes {
        let place = |at: usize, bytes: &[u8]| at % bytes.len().max(1);
        match change {
            Change::Flip { at, by } => {
                let at = place(*at, &bytes);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= by);
            }
            Change::Cut { to } => bytes.truncate(place(*to, &bytes)),
            Change::Skip { from } => drop(bytes.drain(..place(*from, &bytes))),
            Change::Insert { at, byte } => bytes.insert(place(*at, &bytes), *byte),
            Change::Swap { at, with } if !bytes.is_empty() => {
                let (at, with) = (place(*at, &bytes), place(*with, &bytes));
                bytes.swap(at, with);
            }
            Change::Swap { .. } => {}
            Change::Splice { at, other } => {
                let other = URL_SAFE_NO_PAD.decode(&given()[usize::from(*other) % given().len()].text).expect("base64");
                bytes.truncate(place(*at, &bytes));
                bytes.extend(other.iter().skip(bytes.len()));
            }
            Change::Append(more) => bytes.extend_from_slice(more),
            Change::Text { at, with } => {
                let at = at % (text.len() + 1);
                if text.is_char_boundary(at) {
                    text.insert_str(at, with);
                }
                continue;
            }
            Change::Whole(whole) => {
                text = (*whole).to_owned();
                continue;
            }
        }
        text = URL_SAFE_NO_PAD.encode(&bytes);
    }
    text
}
