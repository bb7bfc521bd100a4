//! A client inside of the process, as convenient as a test wants it.

use super::ClientError;
use crate::revision::Revision;
use crate::{BuiltServer, Connection};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// So many times a request is sent again with answers: a function that asks for ever is a mistake.
const MOST_ROUNDS: usize = 100;

/// Answers a question of the server: method and params in, result out.
type Answer = Box<dyn FnMut(&str, &Value) -> Value + Send>;

/// A client of a server in the same process. Its messages are those that a client of any transport sends, through the real codec,
/// one request at a time; it speaks the newest revision unless told to speak [another](Client::revision), and shakes hands
/// where that one wants it, with the first request.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::testing::{Client, ClientError};
/// use serde_json::json;
///
/// /// Divides.
/// #[mcp_tool]
/// fn divide(a: i64, #[arg(min = 1)] b: i64) -> i64 {
///     a / b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = server!().tools(tools![divide]).build()?;
/// for revision in ["2024-11-05", "2025-11-25", "2026-07-28"] {
///     let mut client = Client::new(&server).revision(revision);
///     assert_eq!(client.call::<i64>("divide", json!({"a": 6, "b": 3})).await?, 2);
///     assert!(client.call::<i64>("divide", json!({"a": 6, "b": 0})).await.is_err());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Client {
    connection: Connection,
    revision: Revision,
    capabilities: Value,
    answer: Option<Answer>,
    last_id: u64,
    /// What the server said of itself; not asked yet if there is nothing.
    server: Option<Value>,
    notifications: Vec<Value>,
}

impl Client {
    /// A client that speaks the newest revision and is capable of nothing beyond calls.
    pub fn new(server: &BuiltServer) -> Self {
        Client {
            connection: server.connect(),
            revision: Revision::LATEST,
            capabilities: json!({}),
            answer: None,
            last_id: 0,
            server: None,
            notifications: Vec::new(),
        }
    }

    /// Speaks the revision of that name.
    ///
    /// # Panics
    /// Panics if there is no such revision.
    pub fn revision(mut self, name: &str) -> Self {
        let revision = Revision::from_name(name);
        self.revision =
            revision.unwrap_or_else(|| panic!("no revision `{name}`, but {}", Revision::names().join(", ")));
        self
    }

    /// Declares these capabilities, an object such as `{"elicitation": {"form": {}}}`.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Answers what the server asks (`elicitation/create`, `sampling/createMessage`, `roots/list`) in either era: the method and its
    /// params go in, its result comes out. Declares the capabilities for it; [`capabilities`](Client::capabilities) after
    /// this declares others.
    pub fn answering(mut self, answer: impl FnMut(&str, &Value) -> Value + Send + 'static) -> Self {
        self.answer = Some(Box::new(answer));
        self.capabilities(json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}))
    }

    /// Calls a tool and decodes its result: the structured content where the revision has it, else the one text, as it is if
    /// `T` takes a string and else as JSON; `()` and `None` where there is nothing.
    ///
    /// # Errors
    /// [`ClientError::Failed`] if the result says `isError`, and the errors of [`request`](Client::request).
    pub async fn call<T: DeserializeOwned>(&mut self, tool: &str, arguments: impl Serialize) -> Result<T, ClientError> {
        let result = self.call_result(tool, arguments).await?;
        if result["isError"] == true {
            return Err(ClientError::Failed(texts(&result["content"])));
        }
        decoded(&result).ok_or_else(|| ClientError::unexpected(format_args!("not what was asked for: {result}")))
    }

    /// Calls a tool and gives its whole result, with `content` and all, whether it says `isError` or not.
    ///
    /// # Errors
    /// Those of [`request`](Client::request).
    pub async fn call_result(&mut self, tool: &str, arguments: impl Serialize) -> Result<Value, ClientError> {
        let arguments = serde_json::to_value(arguments).map_err(ClientError::unexpected)?;
        self.request("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Reads a resource: the text of its contents.
    ///
    /// # Errors
    /// [`ClientError::Unexpected`] if it has none, and the errors of [`request`](Client::request), which also
    /// gives contents of several parts and of bytes.
    pub async fn read(&mut self, uri: &str) -> Result<String, ClientError> {
        let result = self.request("resources/read", json!({"uri": uri})).await?;
        let text = result["contents"][0]["text"].as_str();
        text.map(str::to_owned).ok_or_else(|| ClientError::unexpected(format_args!("no text: {result}")))
    }

    /// Gets a prompt: its messages. Its arguments are an object of strings.
    ///
    /// # Errors
    /// Those of [`request`](Client::request).
    pub async fn prompt(&mut self, name: &str, arguments: impl Serialize) -> Result<Vec<Value>, ClientError> {
        let arguments = serde_json::to_value(arguments).map_err(ClientError::unexpected)?;
        let result = self.request("prompts/get", json!({"name": name, "arguments": arguments})).await?;
        list(&result, "messages")
    }

    /// All items of a list, page by page: `what` is `tools`, `resources`, `resourceTemplates` or `prompts`.
    ///
    /// # Errors
    /// Those of [`request`](Client::request).
    pub async fn list(&mut self, what: &str) -> Result<Vec<Value>, ClientError> {
        let method = if what == "resourceTemplates" { "resources/templates/list" } else { &format!("{what}/list") };
        let (mut items, mut params) = (Vec::new(), json!({}));
        loop {
            let mut page = self.request(method, params).await?;
            items.extend(list(&page, what)?);
            match page.get_mut("nextCursor") {
                Some(cursor) => params = json!({"cursor": cursor.take()}),
                None => return Ok(items),
            }
        }
    }

    /// Everything that the server lists, as JSON for people: a text for [`golden`](super::golden).
    ///
    /// # Errors
    /// Those of [`request`](Client::request).
    pub async fn listing(&mut self) -> Result<String, ClientError> {
        let capabilities = self.server().await?["capabilities"].clone();
        let mut listing = serde_json::Map::new();
        for (what, capability) in
            [("tools", "tools"), ("resources", "resources"), ("resourceTemplates", "resources"), ("prompts", "prompts")]
        {
            if capabilities.get(capability).is_some() {
                listing.insert(what.to_owned(), self.list(what).await?.into());
            }
        }
        Ok(format!("{:#}\n", Value::Object(listing)))
    }

    /// What the server says of itself: the result of `server/discover`, or of `initialize` where the revision has that.
    ///
    /// # Errors
    /// Those of [`request`](Client::request).
    pub async fn server(&mut self) -> Result<Value, ClientError> {
        if let Some(server) = &self.server {
            return Ok(server.clone());
        }
        let server = if self.revision.is_stateless() {
            self.rounds("server/discover", json!({})).await?
        } else {
            let server = self.rounds("initialize", self.hello()).await?;
            self.notify("notifications/initialized", json!({}));
            server
        };
        Ok(self.server.insert(server).clone())
    }

    /// Sends a request and gives its result, having answered what the server asked on the way. `params` is an object; what it has
    /// in `_meta` is sent beside what every request has there.
    ///
    /// # Errors
    /// [`ClientError::Refused`] for a JSON-RPC error, [`ClientError::Unexpected`] for what is no answer.
    ///
    /// # Panics
    /// Panics outside of a tokio runtime when the request runs a function that waits, and if `params` is no object.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, ClientError> {
        if !self.revision.is_stateless() {
            self.server().await?;
        }
        self.rounds(method, params).await
    }

    /// Sends a notification. `params` is an object.
    pub fn notify(&self, method: &str, params: Value) {
        self.connection.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// The notifications that have come since this was last called: progress, log messages, news of changes.
    pub fn notifications(&mut self) -> Vec<Value> {
        while let Some(message) = self.connection.try_receive() {
            self.notifications.extend(serde_json::from_str::<Value>(&message));
        }
        std::mem::take(&mut self.notifications)
    }

    fn hello(&self) -> Value {
        json!({"protocolVersion": self.revision.as_str(), "capabilities": self.capabilities, "clientInfo": info()})
    }

    /// Sends a request again and again, each time with the answers to what the server has asked instead of giving a result.
    async fn rounds(&mut self, method: &str, mut params: Value) -> Result<Value, ClientError> {
        for _ in 0..MOST_ROUNDS {
            let result = self.exchange(method, &params).await?;
            if result["resultType"] != "input_required" {
                return Ok(result);
            }
            let mut responses = json!({});
            for (key, question) in result["inputRequests"].as_object().into_iter().flatten() {
                responses[key] = self.reply(&question["method"], &question["params"])?;
            }
            params["inputResponses"] = responses;
            match result.get("requestState") {
                Some(state) => params["requestState"] = state.clone(),
                None => drop(params.as_object_mut().and_then(|params| params.remove("requestState"))),
            }
        }
        Err(ClientError::unexpected(format_args!("`{method}` still asks after {MOST_ROUNDS} rounds")))
    }

    /// Sends a request and gives its result; answers the requests of the server that come before.
    async fn exchange(&mut self, method: &str, params: &Value) -> Result<Value, ClientError> {
        let mut params = params.clone();
        self.last_id += 1;
        self.add_meta(&mut params);
        let request = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        self.connection.send(&request.to_string());
        let result = self.response().await;
        if matches!(result, Err(ClientError::Unexpected(_))) {
            // What it was for is over for this client.
            self.notify("notifications/cancelled", json!({"requestId": self.last_id}));
        }
        result
    }

    /// Waits for the response to the last request.
    async fn response(&mut self) -> Result<Value, ClientError> {
        loop {
            let message =
                self.connection.receive().await.ok_or_else(|| ClientError::unexpected("the server has gone"))?;
            let mut message: Value = serde_json::from_str(&message).map_err(ClientError::unexpected)?;
            match (message.get("method"), message.get("id")) {
                (Some(method), Some(id)) => {
                    let result = self.reply(method, &message["params"])?;
                    self.connection.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
                }
                (Some(_), None) => self.notifications.push(message),
                (None, Some(id)) if *id == self.last_id => {
                    return match message.get("error") {
                        Some(error) => Err(ClientError::refused(error)),
                        None => Ok(message["result"].take()),
                    };
                }
                // That of a request which the test has not waited for.
                (None, Some(id)) if id.as_u64().is_some_and(|id| id < self.last_id) => {}
                (None, _) => return Err(ClientError::unexpected(format_args!("nobody's answer: {message}"))),
            }
        }
    }

    /// Adds to `_meta` what every request has, unless the test says something else there.
    fn add_meta(&self, params: &mut Value) {
        let mut meta = json!({"progressToken": self.last_id});
        if self.revision.is_stateless() {
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            meta["io.modelcontextprotocol/clientInfo"] = info();
        }
        if let Some(Value::Object(own)) = params.get("_meta") {
            for (key, value) in own {
                meta[key] = value.clone();
            }
        }
        params["_meta"] = meta;
    }

    /// The answer to a question of the server.
    fn reply(&mut self, method: &Value, params: &Value) -> Result<Value, ClientError> {
        match (&mut self.answer, method.as_str()) {
            (Some(answer), Some(method)) => Ok(answer(method, params)),
            _ => Err(ClientError::unexpected(format_args!("the server asks, and nobody answers: {method} {params}"))),
        }
    }
}

fn info() -> Value {
    json!({"name": concat!(env!("CARGO_PKG_NAME"), " tests"), "version": env!("CARGO_PKG_VERSION")})
}

/// The texts of content blocks, a line each.
fn texts(content: &Value) -> String {
    let texts = content.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// What a tool has given, in one of the forms in which it may be there.
fn decoded<T: DeserializeOwned>(result: &Value) -> Option<T> {
    if let Some(structured) = result.get("structuredContent")
        && let Ok(value) = T::deserialize(structured)
    {
        return Some(value);
    }
    match result["content"][0]["text"].as_str() {
        Some(text) => T::deserialize(Value::from(text)).ok().or_else(|| serde_json::from_str(text).ok()),
        None => T::deserialize(Value::Null).ok(),
    }
}

fn list(result: &Value, key: &str) -> Result<Vec<Value>, ClientError> {
    let items = result[key].as_array().cloned();
    items.ok_or_else(|| ClientError::unexpected(format_args!("no `{key}`: {result}")))
}
