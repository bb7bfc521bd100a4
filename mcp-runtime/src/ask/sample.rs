//! Questions to the client's model, and to the client itself.
//!
//! Source: client/sampling and client/roots of 2026-07-28.

use super::{Ask, Question, unfit};
use crate::extract::Context;
use crate::model::{Content, Role};
use serde::Deserialize;
use serde_json::{Value, json};

/// Something for the client's model to answer.
///
/// ```
/// use mcp_runtime::Sample;
///
/// let question = Sample::new(100).system("Answer in one word.").user("What is the capital of France?");
/// # let _ = question;
/// ```
#[derive(Debug, Clone)]
pub struct Sample {
    pub(crate) messages: Vec<(Role, Vec<SampleContent>)>,
    /// Everything but messages and tools, in the newest shape.
    pub(crate) settings: Value,
    pub(crate) tools: Vec<SampleTool>,
    pub(crate) tool_choice: Option<ToolChoice>,
}

#[derive(Debug, Clone)]
pub(crate) enum SampleContent {
    Block(Content),
    /// What the model said, given back to it as it was.
    Said(Value),
    ToolResult {
        id: String,
        content: Content,
    },
}

/// A tool that the model may use while it answers.
#[derive(Debug, Clone)]
pub struct SampleTool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) input_schema: Value,
}

impl SampleTool {
    /// A tool with the JSON Schema of its arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: Value) -> Self {
        SampleTool { name: name.into(), description: description.into(), input_schema }
    }
}

/// Whether the model uses tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// As it sees fit.
    Auto,
    /// It must use one.
    Required,
    /// It must not.
    None,
}

impl Sample {
    /// A question whose answer has at most `max_tokens` tokens.
    pub fn new(max_tokens: u32) -> Self {
        let settings = json!({"maxTokens": max_tokens});
        Sample { messages: Vec::new(), settings, tools: Vec::new(), tool_choice: None }
    }

    /// Adds a message of the person.
    #[must_use]
    pub fn user(self, content: impl Into<Content>) -> Self {
        self.message(Role::User, vec![SampleContent::Block(content.into())])
    }

    /// Adds a message of the model.
    #[must_use]
    pub fn assistant(self, content: impl Into<Content>) -> Self {
        self.message(Role::Assistant, vec![SampleContent::Block(content.into())])
    }

    /// Goes on after an answer in which the model used tools: what it said, then the results by the ids of its uses. Every
    /// use needs its result.
    #[must_use]
    pub fn tool_results<C: Into<Content>>(
        self,
        answer: &Sampled,
        results: impl IntoIterator<Item = (String, C)>,
    ) -> Self {
        let said = answer.content.iter().cloned().map(SampleContent::Said).collect();
        let results = results
            .into_iter()
            .map(|(id, content)| SampleContent::ToolResult { id, content: content.into() })
            .collect();
        self.message(Role::Assistant, said).message(Role::User, results)
    }

    /// Sets the system prompt.
    #[must_use]
    pub fn system(self, prompt: impl Into<String>) -> Self {
        self.setting("systemPrompt", prompt.into())
    }

    /// Sets the temperature.
    #[must_use]
    pub fn temperature(self, temperature: f64) -> Self {
        self.setting("temperature", temperature)
    }

    /// Sets texts at which the answer ends.
    #[must_use]
    pub fn stop_sequences<S: Into<String>>(self, sequences: impl IntoIterator<Item = S>) -> Self {
        self.setting("stopSequences", sequences.into_iter().map(Into::into).collect::<Vec<String>>())
    }

    /// Prefers models whose name contains one of these, the first most.
    #[must_use]
    pub fn model_hints<S: Into<String>>(mut self, hints: impl IntoIterator<Item = S>) -> Self {
        let hints: Vec<Value> = hints.into_iter().map(|name| json!({"name": name.into()})).collect();
        self.settings["modelPreferences"]["hints"] = hints.into();
        self
    }

    /// How much cost, speed and intelligence matter, each from 0 to 1.
    #[must_use]
    pub fn priorities(mut self, cost: f64, speed: f64, intelligence: f64) -> Self {
        let preferences = &mut self.settings["modelPreferences"];
        preferences["costPriority"] = cost.clamp(0.0, 1.0).into();
        preferences["speedPriority"] = speed.clamp(0.0, 1.0).into();
        preferences["intelligencePriority"] = intelligence.clamp(0.0, 1.0).into();
        self
    }

    /// Adds a tool. The client must have declared tools for sampling.
    #[must_use]
    pub fn tool(mut self, tool: SampleTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Says whether tools are to be used.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    fn message(mut self, role: Role, content: Vec<SampleContent>) -> Self {
        self.messages.push((role, content));
        self
    }

    fn setting(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.settings[name] = value.into();
        self
    }

    /// Does it need a client with tools for sampling?
    pub(crate) fn uses_tools(&self) -> bool {
        let results = self.messages.iter().flat_map(|(_, content)| content);
        !self.tools.is_empty()
            || self.tool_choice.is_some()
            || results.into_iter().any(|content| matches!(content, SampleContent::ToolResult { .. }))
    }
}

/// What the client's model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// The blocks of the answer, as they came.
    pub content: Vec<Value>,
    /// The model that answered.
    pub model: String,
    /// Why it ended, for example `endTurn` or `toolUse`.
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// The text of all text blocks.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter(|block| block["type"] == "text");
        texts.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The uses of tools that the answer asks for: id, name and arguments.
    pub fn tool_uses(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        let uses = self.content.iter().filter(|block| block["type"] == "tool_use");
        uses.filter_map(|block| Some((block["id"].as_str()?, block["name"].as_str()?, &block["input"])))
    }
}

/// A directory or another place that the client lets servers work in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// A `file:` URI.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}

impl Context {
    /// Asks the client's model.
    ///
    /// # Errors
    /// The client did not declare sampling (or tools for it, if there are any), cannot be reached, or did not let the model
    /// answer. Return these with `?`.
    pub fn sample(&self, question: Sample) -> Ask<Sampled> {
        Ask::new(self, Ok(Question::Sample(Box::new(question))), |_, answer| {
            let sampled = || {
                let content = match answer.get("content")? {
                    Value::Array(blocks) => blocks.clone(),
                    block @ Value::Object(_) => vec![block.clone()],
                    _ => return None,
                };
                Some(Sampled {
                    content,
                    model: answer.get("model")?.as_str()?.to_owned(),
                    stop_reason: answer.get("stopReason").and_then(Value::as_str).map(str::to_owned),
                })
            };
            sampled().ok_or_else(|| unfit("a sampling request", "it needs `content` and `model`"))
        })
    }

    /// Asks the client for its roots.
    ///
    /// # Errors
    /// The client did not declare roots, cannot be reached, or gave something else. Return these with `?`.
    pub fn roots(&self) -> Ask<Vec<Root>> {
        Ask::new(self, Ok(Question::Roots), |_, mut answer| {
            let roots = answer.get_mut("roots").map_or(Value::Null, Value::take);
            serde_json::from_value(roots).map_err(|error| unfit("a request for roots", error))
        })
    }
}
