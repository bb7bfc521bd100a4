//! A client with a session, which it opens again whenever the server has lost it.

use crate::Trouble;
use crate::client::{Asked, Client, Outcome, check, pick, word_for};
use crate::tally::{ATTEMPTS, CHANGES, GONE, REQUESTS};
use mcp_endurance::http::Identity;
use mcp_endurance::message::{call, initialize, notification, request};
use serde_json::{Value, json};

/// The client.
pub(crate) struct SessionClient {
    client: Client,
    revision: &'static str,
    session: Option<Session>,
    /// Sessions that are over, with the last event of each.
    dead: Vec<(String, Option<String>)>,
}

#[derive(Clone)]
struct Session {
    id: String,
    /// What the client has called itself in it, and nowhere else.
    secret: String,
    /// The life of the server in which it was opened.
    life: u64,
    last_event: Option<String>,
}

impl SessionClient {
    pub(crate) fn new(client: Client, revision: &'static str) -> Self {
        SessionClient { client, revision, session: None, dead: Vec::new() }
    }

    /// Uses the server until nothing more is to be begun.
    pub(crate) async fn run(mut self) {
        while self.client.is_on().await {
            let outcome = self.step().await;
            self.client.done(outcome);
        }
    }

    async fn step(&mut self) -> Result<(), Trouble> {
        let Some(session) = self.session.clone() else { return self.open().await };
        match self.client.random.u8(..10) {
            0 => self.watch(&session).await,
            1 => self.leave(&session).await,
            2 => self.look_back(&session).await,
            // Older revisions cannot ask.
            3 | 4 if self.revision > "2025-03-26" => self.call(&session, "ask", json!({})).await,
            _ => {
                let (tool, arguments) = pick(&mut self.client.random);
                self.call(&session, tool, arguments).await
            }
        }
    }

    /// The client, with that session or without one.
    fn who(&self, session: Option<&str>) -> Identity {
        Identity { revision: self.revision, session: session.map(str::to_owned) }
    }

    async fn request(
        &mut self,
        session: Option<&str>,
        nonce: &str,
        message: impl FnOnce(&Value) -> Value,
    ) -> Result<(Outcome, Option<String>), Trouble> {
        let (id, who) = (self.client.next_id(), self.who(session));
        let asked = Asked { id, nonce, http: who.post(&message(&json!(id))) };
        let answer =
            |question: &Value| who.post(&json!({"jsonrpc": "2.0", "id": question["id"], "result": word_for(nonce)}));
        self.client.ask(asked, answer).await
    }

    async fn open(&mut self) -> Result<(), Trouble> {
        let secret = format!("secret-{}", self.client.nonce());
        let revision = self.revision;
        let (outcome, id) = self.request(None, &secret, |id| initialize(revision, id, &secret)).await?;
        let id = match (outcome, id) {
            (Outcome::Answer(answer), Some(id)) if answer["result"]["protocolVersion"] == self.revision => id,
            (Outcome::Answer(answer), _) => return Err(Trouble::Wrong(format!("no session: {answer}"))),
            (Outcome::Gone, _) => return Err(Trouble::Wrong("`initialize` got a 404".to_owned())),
        };
        if !self.client.stage.tally.opened(&id) {
            return Err(Trouble::Wrong(format!("the session id {id} was given out twice")));
        }
        if self.client.is_betrayed() {
            // Nobody knows which of the two has opened it.
            return Ok(());
        }
        let session = Session { id, secret, life: self.client.life, last_event: None };
        self.session = Some(session.clone());
        let initialized = notification("notifications/initialized", &json!({}));
        let told = self.who(Some(&session.id)).post(&initialized);
        if self.client.tell(told, &[202, 404]).await? == 404 {
            return self.lost(&session);
        }
        self.expect(&session, "logging/setLevel", json!({"level": "info"})).await?;
        self.expect(&session, "resources/subscribe", json!({"uri": uri(&session)})).await
    }

    /// A request whose result is empty.
    async fn expect(&mut self, session: &Session, method: &str, params: Value) -> Result<(), Trouble> {
        let (nonce, revision) = (self.client.nonce(), self.revision);
        match self.request(Some(&session.id), &nonce, |id| request(revision, id, method, params)).await?.0 {
            Outcome::Answer(answer) if answer["result"].is_object() => self.served(session),
            Outcome::Answer(answer) => Err(Trouble::Wrong(format!("{method}: {answer}"))),
            Outcome::Gone => self.request_lost(session),
        }
    }

    async fn call(&mut self, session: &Session, tool: &str, mut arguments: Value) -> Result<(), Trouble> {
        let (nonce, revision) = (self.client.nonce(), self.revision);
        arguments["nonce"] = json!(nonce);
        let message = |id: &Value| call(revision, id, tool, &arguments, &nonce);
        match self.request(Some(&session.id), &nonce, message).await?.0 {
            Outcome::Answer(answer) => {
                check(tool, &nonce, &session.secret, &answer)?;
                self.served(session)
            }
            Outcome::Gone => self.request_lost(session),
        }
    }

    /// Something was done in the session: then it must be one of this life.
    fn served(&self, session: &Session) -> Result<(), Trouble> {
        let text = || Trouble::Wrong(format!("the session {} of life {} is served", session.id, session.life));
        if session.life < self.client.life { Err(text()) } else { Ok(()) }
    }

    /// There is no such session any more: then it must have died with the server.
    fn lost(&mut self, session: &Session) -> Result<(), Trouble> {
        self.session = None;
        if session.life == self.client.life && !self.client.is_betrayed() {
            return Err(Trouble::Wrong(format!("the session {} is gone, though the server lives", session.id)));
        }
        self.dead.push((session.id.clone(), session.last_event.clone()));
        Err(Trouble::Gone)
    }

    /// The same, when a request was answered with it.
    fn request_lost(&mut self, session: &Session) -> Result<(), Trouble> {
        self.client.stage.tally.one(GONE);
        self.lost(session)
    }

    /// Opens the standing stream, makes a change, and waits until it is told of it.
    async fn watch(&mut self, session: &Session) -> Result<(), Trouble> {
        let mut stream = self.client.send(self.who(Some(&session.id)).get(None)).await?;
        if stream.reply.status == 404 {
            return self.lost(session);
        }
        if stream.reply.status != 200 {
            return Err(Trouble::Wrong(format!("a standing stream got {}", stream.reply.status)));
        }
        self.call(session, "touch", json!({"uri": uri(session)})).await?;
        let message = stream.reply.next().await?.ok_or_else(|| Trouble::Broken("the stream has ended".to_owned()))?;
        if message["method"] != "notifications/resources/updated" || message["params"]["uri"] != uri(session) {
            return Err(Trouble::Wrong(format!("on the stream of {}: {message}", session.secret)));
        }
        self.client.stage.tally.one(CHANGES);
        if let Some(session) = &mut self.session {
            session.last_event = stream.reply.last_event.take();
        }
        Ok(())
    }

    /// Ends the session; it is gone then.
    async fn leave(&mut self, session: &Session) -> Result<(), Trouble> {
        let status = self.client.tell(self.who(Some(&session.id)).delete(), &[204, 404]).await?;
        if status == 404 {
            return self.lost(session);
        }
        self.served(session)?;
        self.session = None;
        self.dead.push((session.id.clone(), session.last_event.clone()));
        self.must_be_gone(&session.id).await
    }

    async fn must_be_gone(&mut self, id: &str) -> Result<(), Trouble> {
        let (nonce, revision) = (self.client.nonce(), self.revision);
        let message = |request: &Value| call(revision, request, "who", &json!({"nonce": nonce}), &nonce);
        match self.request(Some(id), &nonce, message).await?.0 {
            Outcome::Answer(answer) => {
                Err(Trouble::Wrong(format!("the session {id}, which is over, answers {answer}")))
            }
            Outcome::Gone => {
                self.client.stage.tally.one(ATTEMPTS);
                Ok(())
            }
        }
    }

    /// Tries what is over: a session, and its events in the present session.
    async fn look_back(&mut self, session: &Session) -> Result<(), Trouble> {
        let Some((id, event)) = self.client.random.choice(&self.dead).cloned() else { return Ok(()) };
        self.must_be_gone(&id).await?;
        if let Some(event) = event {
            let request = self.who(Some(&session.id)).get(Some(&event));
            let status = self.client.tell(request, &[400, 404]).await?;
            if status == 404 {
                return self.lost(session);
            }
            self.client.stage.tally.one(REQUESTS);
            self.client.stage.tally.one(ATTEMPTS);
        }
        Ok(())
    }
}

/// The resource that is the session's own.
fn uri(session: &Session) -> String {
    format!("thing://{}", session.secret)
}
