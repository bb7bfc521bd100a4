//! Results of requests, as each revision can carry them.

use super::content::{content, contents, json_as_text};
use super::list::carries;
use super::listen::SUBSCRIPTION_ID;
use super::{Features, Revision};
use crate::model::{
    Implementation, ListKind, ListKinds, Message, Messages, Meta, ResourceContents, Schema, ToolResult,
};
use crate::wire::{Id, Object};
use serde_json::{Value, json};

/// How long a client may keep an answer, and whether others may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caching {
    pub(crate) ttl_ms: u64,
    pub(crate) public: bool,
}

/// What the server offers, for the `capabilities` object.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Declared {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
    pub(crate) completions: bool,
    pub(crate) logging: bool,
    /// Changes of resources, whether they are subscribed to by `resources/subscribe` or by `subscriptions/listen`.
    pub(crate) subscribe: bool,
    /// Lists that may change.
    pub(crate) changes: ListKinds,
}

impl Declared {
    fn object(self, revision: Revision) -> Value {
        let mut capabilities = json!({});
        let mut declare = |name: &str, declared: bool, settings: Value| {
            if declared {
                capabilities[name] = settings;
            }
        };
        let list = |kind| if self.changes.contains(kind) { json!({"listChanged": true}) } else { json!({}) };
        let mut resources = list(ListKind::Resources);
        if self.subscribe {
            resources["subscribe"] = true.into();
        }
        declare("tools", self.tools, list(ListKind::Tools));
        declare("resources", self.resources, resources);
        declare("prompts", self.prompts, list(ListKind::Prompts));
        declare("completions", self.completions && revision.features().completions_capability, json!({}));
        declare("logging", self.logging, json!({}));
        capabilities
    }
}

/// Who the server is, and the same as the JSON that goes with every stateless result.
#[derive(Debug)]
pub(crate) struct Identity {
    implementation: Implementation,
    stateless: String,
}

impl Identity {
    /// The server's name.
    pub(crate) fn name(&self) -> &str {
        &self.implementation.name
    }

    /// The server's version.
    #[cfg(feature = "cli")]
    pub(crate) fn version(&self) -> &str {
        &self.implementation.version
    }

    /// What the server is for, for people.
    #[cfg(feature = "cli")]
    pub(crate) fn description(&self) -> Option<&str> {
        self.implementation.description.as_deref()
    }

    pub(crate) fn new(server: Implementation) -> Self {
        let mut json = Vec::new();
        implementation(&mut json, &server, Revision::LATEST.features());
        Identity { implementation: server, stateless: String::from_utf8(json).unwrap_or_default() }
    }
}

fn implementation(out: &mut Vec<u8>, server: &Implementation, features: &Features) {
    Object::begin(out)
        .field("name", &server.name)
        .maybe("title", server.title.as_ref().filter(|_| features.titles))
        .field("version", &server.version)
        .maybe("description", server.description.as_ref().filter(|_| features.icons))
        .maybe("websiteUrl", server.website_url.as_ref().filter(|_| features.icons))
        .maybe("icons", Some(&server.icons).filter(|icons| features.icons && !icons.is_empty()))
        .end();
}

/// The result of `initialize`.
pub(crate) fn initialize(
    out: &mut Vec<u8>,
    revision: Revision,
    declared: Declared,
    server: &Identity,
    instructions: Option<&str>,
) {
    Object::begin(out)
        .field("protocolVersion", revision.as_str())
        .field("capabilities", &declared.object(revision))
        .with("serverInfo", |out| implementation(out, &server.implementation, revision.features()))
        .maybe("instructions", instructions)
        .end();
}

/// The result of `server/discover`.
pub(crate) fn discover(
    out: &mut Vec<u8>,
    revision: Revision,
    declared: Declared,
    server: &Identity,
    instructions: Option<&str>,
    caching: Caching,
) {
    let mut object = Object::begin(out);
    object
        .field("supportedVersions", &Revision::names())
        .field("capabilities", &declared.object(revision))
        .maybe("instructions", instructions);
    cacheable(&mut object, revision, caching);
    complete(&mut object, revision, Some(server), None);
    object.end();
}

/// What every complete result of the stateless revision has.
fn complete(object: &mut Object<'_>, revision: Revision, server: Option<&Identity>, meta: Option<&Meta>) {
    let features = revision.features();
    if !features.result_type {
        object.maybe("_meta", meta);
        return;
    }
    object.field("resultType", "complete");
    match (server, meta) {
        (None, None) => {}
        (server, meta) => {
            object.with("_meta", |out| {
                let mut members = Object::begin(out);
                if let Some(server) = server {
                    members.raw("io.modelcontextprotocol/serverInfo", &server.stateless);
                }
                members.members(meta.into_iter().flatten()).end();
            });
        }
    }
}

fn cacheable(object: &mut Object<'_>, revision: Revision, caching: Caching) {
    if revision.features().caching {
        object.field("ttlMs", &caching.ttl_ms).field("cacheScope", if caching.public { "public" } else { "private" });
    }
}

/// One page of a list: `key` names the member, `write` writes an item.
pub(crate) fn list<T>(
    out: &mut Vec<u8>,
    revision: Revision,
    (key, items, write): (&'static str, &[T], impl FnMut(&mut Vec<u8>, &T)),
    next_cursor: Option<&str>,
    server: &Identity,
    caching: Caching,
) {
    let mut object = Object::begin(out);
    object.list(key, items, write).maybe("nextCursor", next_cursor);
    cacheable(&mut object, revision, caching);
    complete(&mut object, revision, Some(server), None);
    object.end();
}

/// What a tool call's result is made of.
pub(crate) enum ToolOutput<'a> {
    /// A plain value's JSON text; structured if the tool has an output schema.
    Value(&'a str),
    Result(&'a ToolResult),
}

/// The result of `tools/call`.
pub(crate) fn tool_result(
    out: &mut Vec<u8>,
    revision: Revision,
    output: ToolOutput<'_>,
    output_schema: Option<&Schema>,
    server: &Identity,
) {
    let features = revision.features();
    let mut object = Object::begin(out);
    let (structured, meta) = match output {
        // A function that returns nothing gives no content.
        ToolOutput::Value("null") if output_schema.is_none() => {
            object.raw("content", "[]");
            (None, None)
        }
        ToolOutput::Value(json) => {
            object.list("content", [json], json_as_text);
            (output_schema.map(|_| json), None)
        }
        ToolOutput::Result(result) => {
            object.with("content", |out| blocks(out, revision, result));
            if result.is_error {
                object.field("isError", &true);
            }
            (result.structured.as_deref(), result.meta.as_ref())
        }
    };
    let is_object = |json: &str| output_schema.map_or_else(|| json.starts_with('{'), Schema::is_of_objects);
    let carried = structured.filter(|json| carries(features, is_object(json)));
    if let Some(json) = carried {
        object.raw("structuredContent", json);
    }
    complete(&mut object, revision, Some(server), meta);
    object.end();
}

/// The blocks of a result; a structured value without any is also given as text, for clients that read only that.
fn blocks(out: &mut Vec<u8>, revision: Revision, result: &ToolResult) {
    out.push(b'[');
    match &result.structured {
        Some(json) if result.content.is_empty() => json_as_text(out, json),
        _ => {
            for (index, block) in result.content.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                content(out, block, revision);
            }
        }
    }
    out.push(b']');
}

/// The result of `resources/read`: `uri` and `mime_type` stand in for what the contents leave open.
pub(crate) fn read(
    out: &mut Vec<u8>,
    revision: Revision,
    uri: &str,
    mime_type: Option<&str>,
    parts: &[ResourceContents],
    server: &Identity,
    caching: Caching,
) {
    let features = revision.features();
    let mut object = Object::begin(out);
    object.list("contents", parts, |out, part| contents(out, part, Some((uri, mime_type)), features));
    cacheable(&mut object, revision, caching);
    complete(&mut object, revision, Some(server), None);
    object.end();
}

/// The result of `prompts/get`.
pub(crate) fn messages(
    out: &mut Vec<u8>,
    revision: Revision,
    description: Option<&str>,
    messages: &Messages,
    server: &Identity,
) {
    let mut object = Object::begin(out);
    object.maybe("description", messages.description.as_deref().or(description));
    object.list("messages", &messages.messages, |out, message: &Message| {
        Object::begin(out)
            .field("role", &message.role)
            .with("content", |out| content(out, &message.content, revision))
            .end();
    });
    complete(&mut object, revision, Some(server), None);
    object.end();
}

/// The result of `completion/complete`: at most 100 values.
pub(crate) fn completion(out: &mut Vec<u8>, revision: Revision, values: &[String], server: &Identity) {
    const MOST: usize = 100;
    let mut object = Object::begin(out);
    object.with("completion", |out| {
        Object::begin(out)
            .field("values", &values[..values.len().min(MOST)])
            .field("total", &values.len())
            .field("hasMore", &(values.len() > MOST))
            .end();
    });
    complete(&mut object, revision, Some(server), None);
    object.end();
}

/// The result that asks the client for more: questions by key, and the state to send back with the answers.
pub(crate) fn input_required(
    out: &mut Vec<u8>,
    questions: &[(String, &'static str, Value)],
    state: Option<&str>,
    server: &Identity,
) {
    let mut object = Object::begin(out);
    object.field("resultType", "input_required");
    object.with("inputRequests", |out| {
        let requests: Vec<(String, Value)> = questions
            .iter()
            .map(|(key, method, params)| (key.clone(), json!({"method": method, "params": params})))
            .collect();
        Object::begin(out).members(requests.iter().map(|(key, request)| (key, request))).end();
    });
    object.maybe("requestState", state).with("_meta", |out| {
        Object::begin(out).raw("io.modelcontextprotocol/serverInfo", &server.stateless).end();
    });
    object.end();
}

/// The result that ends `subscriptions/listen`.
pub(crate) fn listened(out: &mut Vec<u8>, id: Id<'_>, server: &Identity) {
    let mut object = Object::begin(out);
    object.field("resultType", "complete").with("_meta", |out| {
        Object::begin(out)
            .raw("io.modelcontextprotocol/serverInfo", &server.stateless)
            .raw(SUBSCRIPTION_ID, id.as_json())
            .end();
    });
    object.end();
}

/// An empty result.
pub(crate) fn empty(out: &mut Vec<u8>, revision: Revision, server: &Identity) {
    let mut object = Object::begin(out);
    complete(&mut object, revision, Some(server), None);
    object.end();
}
