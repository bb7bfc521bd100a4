//! What clients of both eras have in common, and what they share.

use crate::Trouble;
use crate::links::{Links, Response};
use crate::tally::{INTERRUPTED, REQUESTS, Tally};
use mcp_endurance::http::Request;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::watch;

/// What of the server clients know.
#[derive(Clone, Copy)]
struct Life {
    /// The number of its process.
    number: u64,
    /// Does it listen, and has nobody killed it yet?
    is_up: bool,
    /// Nothing more is to be begun.
    is_over: bool,
}

/// Shared by all clients and whoever kills the server.
pub(crate) struct Stage {
    pub(crate) tally: Tally,
    life: watch::Sender<Life>,
    /// The last life in which each client got something done.
    recovered: Vec<AtomicU64>,
}

impl Stage {
    pub(crate) fn new(clients: usize) -> Self {
        Stage {
            tally: Tally::new(),
            life: watch::Sender::new(Life { number: 0, is_up: false, is_over: false }),
            recovered: (0..clients).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The server listens.
    pub(crate) fn begin(&self) {
        self.life.send_modify(|life| *life = Life { number: life.number + 1, is_up: true, ..*life });
    }

    /// The server is about to be killed: from now on whatever breaks has a reason.
    pub(crate) fn end(&self) {
        self.life.send_modify(|life| life.is_up = false);
    }

    /// Nothing more is begun.
    pub(crate) fn close(&self) {
        self.life.send_modify(|life| life.is_over = true);
    }

    /// Has every client got something done in this life?
    pub(crate) fn all_recovered(&self) -> bool {
        let number = self.life.borrow().number;
        self.recovered.iter().all(|recovered| recovered.load(Ordering::SeqCst) == number)
    }

    /// Waits until it is so, or until something has happened that must not. Whether it is so is looked at after answers.
    pub(crate) async fn until(&self, is_so: impl Fn() -> bool) {
        loop {
            let next = self.tally.answered.notified();
            let mut next = std::pin::pin!(next);
            next.as_mut().enable();
            if is_so() || self.tally.faults() > 0 {
                return;
            }
            next.await;
        }
    }
}

/// One client.
pub(crate) struct Client {
    pub(crate) number: usize,
    pub(crate) stage: Arc<Stage>,
    pub(crate) random: fastrand::Rng,
    /// The life of the server that it counts on.
    pub(crate) life: u64,
    links: Links,
    last_id: u64,
}

/// A request that is to be answered once.
pub(crate) struct Asked<'a> {
    pub(crate) id: u64,
    pub(crate) nonce: &'a str,
    pub(crate) http: Request,
}

/// What came of a request.
pub(crate) enum Outcome {
    /// The response.
    Answer(Value),
    /// There is no such session.
    Gone,
}

impl Client {
    pub(crate) fn new(number: usize, address: SocketAddr, stage: Arc<Stage>, random: fastrand::Rng) -> Self {
        Client { number, stage, random, life: 0, links: Links::new(address), last_id: 0 }
    }

    /// Waits until the server listens; false if nothing more is to be begun.
    pub(crate) async fn is_on(&mut self) -> bool {
        let mut life = self.stage.life.subscribe();
        // The sender is there as long as this client.
        let Ok(life) = life.wait_for(|life| life.is_up || life.is_over).await.map(|life| *life) else { return false };
        self.life = life.number;
        !life.is_over
    }

    /// Waits for another life of the server; false if there will be none. Only a client that has recovered may do so.
    pub(crate) async fn outlives_the_server(&mut self) -> bool {
        let before = self.life;
        let mut life = self.stage.life.subscribe();
        let _ = life.wait_for(|life| life.is_over || (life.is_up && life.number > before)).await;
        self.is_on().await
    }

    /// Has it got something done in this life?
    pub(crate) fn has_recovered(&self) -> bool {
        self.stage.recovered[self.number].load(Ordering::SeqCst) == self.life
    }

    /// Has the server that it counts on been killed?
    pub(crate) fn is_betrayed(&self) -> bool {
        let life = *self.stage.life.borrow();
        life.number != self.life || !life.is_up
    }

    /// What came of one step.
    pub(crate) fn done(&self, outcome: Result<(), Trouble>) {
        match outcome {
            Ok(()) => {
                self.stage.recovered[self.number].store(self.life, Ordering::SeqCst);
                self.stage.tally.answered.notify_waiters();
            }
            Err(Trouble::Gone) => {}
            Err(Trouble::Broken(_)) if self.is_betrayed() => {}
            Err(Trouble::Broken(text)) => {
                self.fault(&format!("a connection broke, though the server was not killed: {text}"));
            }
            Err(Trouble::Wrong(text)) => self.fault(&text),
        }
    }

    fn fault(&self, text: &str) {
        self.stage.tally.fault(format!("client {} in life {}: {text}", self.number, self.life));
    }

    /// A text that nobody else has.
    pub(crate) fn nonce(&mut self) -> String {
        format!("{}-{:016x}", self.number, self.random.u64(..))
    }

    pub(crate) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Sends what is not a request, and gives the response as it comes.
    pub(crate) async fn send(&mut self, http: Request) -> Result<Response, Trouble> {
        self.links.send(self.life, http).await
    }

    /// Sends something and waits for a response without a message.
    pub(crate) async fn tell(&mut self, http: Request, statuses: &[u16]) -> Result<u16, Trouble> {
        let mut response = self.send(http).await?;
        let message = response.reply.next().await?;
        let status = response.reply.status;
        self.links.keep(response);
        if statuses.contains(&status) {
            Ok(status)
        } else {
            Err(Trouble::Wrong(format!("status {status} instead of one of {statuses:?}: {message:?}")))
        }
    }

    /// Sends a request and reads its response to the end. Questions of the server are answered with what `answer` makes of
    /// them. Counts what comes of it, but for a session that is not there.
    pub(crate) async fn ask(
        &mut self,
        asked: Asked<'_>,
        answer: impl Fn(&Value) -> Request,
    ) -> Result<(Outcome, Option<String>), Trouble> {
        self.stage.tally.one(REQUESTS);
        let outcome = self.exchange(asked, answer).await;
        match &outcome {
            Ok((Outcome::Answer(_), _)) => self.stage.tally.answered(),
            Ok((Outcome::Gone, _)) => {}
            Err(_) => self.stage.tally.one(INTERRUPTED),
        }
        outcome
    }

    async fn exchange(
        &mut self,
        asked: Asked<'_>,
        answer: impl Fn(&Value) -> Request,
    ) -> Result<(Outcome, Option<String>), Trouble> {
        let wrong = |text: &str, message: &Value| Err(Trouble::Wrong(format!("{text}: {message} for {}", asked.nonce)));
        let mut response = self.send(asked.http).await?;
        let (reply, mut outcome) = (&mut response.reply, None);
        while let Some(message) = reply.next().await? {
            if message.get("method").is_none() {
                if reply.status == 404 {
                    outcome = Some(Outcome::Gone);
                } else if message["id"] != asked.id || outcome.is_some() {
                    return wrong("an answer to nothing that was asked", &message);
                } else {
                    outcome = Some(Outcome::Answer(message));
                }
            } else if outcome.is_some() || !is_about(&message, asked.nonce) {
                return wrong("a message that belongs to something else", &message);
            } else if message.get("id").is_some() {
                self.tell(answer(&message), &[202, 404]).await?;
            }
        }
        let session = reply.session.take();
        if outcome.is_none() && reply.status == 404 {
            outcome = Some(Outcome::Gone);
        }
        let status = reply.status;
        self.links.keep(response);
        match outcome {
            Some(outcome) => Ok((outcome, session)),
            None => Err(Trouble::Wrong(format!("status {status} and no answer for {}", asked.nonce))),
        }
    }
}

/// Is a notification or a question about the call with that nonce?
fn is_about(message: &Value, nonce: &str) -> bool {
    let params = &message["params"];
    match message["method"].as_str() {
        Some("notifications/progress") => params["progressToken"] == nonce,
        Some("notifications/message") => params["data"] == nonce,
        Some("elicitation/create") => params["message"] == nonce,
        _ => false,
    }
}

/// The answer to a question.
pub(crate) fn word_for(nonce: &str) -> Value {
    json!({"action": "accept", "content": {"word": word(nonce)}})
}

fn word(nonce: &str) -> String {
    format!("word-for-{nonce}")
}

/// The length of large texts behind the nonce.
const LARGE: usize = 300_000;

/// A tool that both eras call without more ado, and its arguments but for the nonce.
pub(crate) fn pick(random: &mut fastrand::Rng) -> (&'static str, Value) {
    match random.u8(..5) {
        0 => ("fast", json!({})),
        1 => ("slow", json!({"ms": 20})),
        2 => ("steps", json!({"count": 5})),
        3 => ("large", json!({"bytes": LARGE})),
        _ => ("who", json!({})),
    }
}

/// Is this the result of the call with that nonce, from a client of that name?
pub(crate) fn check(tool: &str, nonce: &str, name: &str, response: &Value) -> Result<(), Trouble> {
    let text = response["result"]["content"][0]["text"].as_str().unwrap_or_default();
    let is_right = match tool {
        "who" => text == format!("{nonce} {name}"),
        "ask" => text == format!("{nonce} {}", word(nonce)),
        "large" => text.strip_prefix(nonce).is_some_and(|rest| rest.len() == LARGE),
        _ => text == nonce,
    };
    let response = response.to_string();
    if is_right { Ok(()) } else { Err(Trouble::Wrong(format!("{tool} for {nonce} of {name}: {response:.300}"))) }
}
