//! A client of the era without sessions: after a kill its calls simply succeed again.

use crate::Trouble;
use crate::client::{Asked, Client, Outcome, check, pick, word_for};
use crate::tally::{CHANGES, HANDED_OVER};
use mcp_endurance::http::{Identity, Request};
use mcp_endurance::message::{STATELESS, request};
use serde_json::{Value, json};

/// The client.
pub(crate) struct StatelessClient {
    client: Client,
    /// Can a server go on with a call of several rounds that another one has begun?
    shares_keys: bool,
}

impl StatelessClient {
    pub(crate) fn new(client: Client, shares_keys: bool) -> Self {
        StatelessClient { client, shares_keys }
    }

    /// Uses the server until nothing more is to be begun.
    pub(crate) async fn run(mut self) {
        while self.client.is_on().await {
            let outcome = match self.client.random.u8(..10) {
                0 => self.listen().await,
                1 | 2 => self.rounds().await,
                _ => {
                    let (tool, arguments) = pick(&mut self.client.random);
                    self.call(tool, arguments).await
                }
            };
            self.client.done(outcome);
        }
    }

    fn http(id: u64, method: &str, mut params: Value, (nonce, own): (&str, &str)) -> Request {
        params["_meta"] = json!({
            "io.modelcontextprotocol/clientInfo": {"name": own, "version": "0"},
            "io.modelcontextprotocol/logLevel": "info",
            "progressToken": nonce,
        });
        Identity { revision: STATELESS, session: None }.post(&request(STATELESS, &json!(id), method, params))
    }

    /// One round of a call.
    async fn round(&mut self, tool: &str, (nonce, own): (&str, &str), params: Value) -> Result<Value, Trouble> {
        let id = self.client.next_id();
        let http = Self::http(id, "tools/call", params, (nonce, own));
        // The era knows no questions on a stream: whoever gets one sends what nobody takes.
        let outcome = self.client.ask(Asked { id, nonce, http }, |_| Request::default()).await?.0;
        match outcome {
            Outcome::Answer(answer) => Ok(answer),
            Outcome::Gone => Err(Trouble::Wrong(format!("{tool} got a 404"))),
        }
    }

    async fn call(&mut self, tool: &str, mut arguments: Value) -> Result<(), Trouble> {
        let (nonce, own) = (self.client.nonce(), self.client.nonce());
        arguments["nonce"] = json!(nonce);
        let answer = self.round(tool, (&nonce, &own), json!({"name": tool, "arguments": arguments})).await?;
        check(tool, &nonce, &own, &answer)
    }

    /// A call of two rounds. Now and then the server is killed in between.
    async fn rounds(&mut self) -> Result<(), Trouble> {
        let (nonce, own) = (self.client.nonce(), self.client.nonce());
        let mut params = json!({"name": "ask", "arguments": {"nonce": nonce}});
        let first = self.round("ask", (&nonce, &own), params.clone()).await?;
        let (result, begun) = (&first["result"], self.client.life);
        let mut questions = result["inputRequests"].as_object().into_iter().flatten();
        let Some((key, _)) = questions.find(|(_, question)| question["params"]["message"] == nonce.as_str()) else {
            return Err(Trouble::Wrong(format!("no question for {nonce}: {first}")));
        };
        if self.client.is_betrayed() {
            // Nobody knows which of the two has begun it.
            return Ok(());
        }
        params["inputResponses"] = json!({key: word_for(&nonce)});
        params["requestState"] = result["requestState"].clone();
        if self.client.random.bool() && self.client.has_recovered() && !self.client.outlives_the_server().await {
            return Ok(());
        }
        let second = self.round("ask", (&nonce, &own), params).await?;
        let is_another = self.client.life != begun || self.client.is_betrayed();
        if is_another && !self.shares_keys && second["error"]["code"] == -32602 {
            // Only who has sealed the state can open it.
            return Ok(());
        }
        check("ask", &nonce, &own, &second)?;
        if self.client.life != begun {
            if !self.shares_keys {
                return Err(Trouble::Wrong(format!("a state that another server has sealed was taken: {second}")));
            }
            self.client.stage.tally.one(HANDED_OVER);
        }
        Ok(())
    }

    /// Subscribes to a resource of its own, makes a change, and waits until it is told of it.
    async fn listen(&mut self) -> Result<(), Trouble> {
        let (nonce, own) = (self.client.nonce(), self.client.nonce());
        let uri = format!("thing://{nonce}");
        let id = self.client.next_id();
        let params = json!({"notifications": {"resourceSubscriptions": [uri]}});
        let http = Self::http(id, "subscriptions/listen", params, (&nonce, &own));
        let mut stream = self.client.send(http).await?;
        for expected in ["notifications/subscriptions/acknowledged", "notifications/resources/updated"] {
            let message =
                stream.reply.next().await?.ok_or_else(|| Trouble::Broken("the stream has ended".to_owned()))?;
            let params = &message["params"];
            let is_own = params["_meta"]["io.modelcontextprotocol/subscriptionId"] == id
                && (params["uri"].is_null() || params["uri"] == uri.as_str());
            if message["method"] != expected || !is_own {
                return Err(Trouble::Wrong(format!("on the subscription {id} to {uri}: {message}")));
            }
            if expected.ends_with("acknowledged") {
                self.call("touch", json!({"uri": uri})).await?;
            }
        }
        self.client.stage.tally.one(CHANGES);
        Ok(())
    }
}
