//! What a result may look like in each revision: the members of its schemas, as far as this server comes to them.

use crate::peer::{REVISIONS, STATELESS};
use serde_json::{Map, Value};

/// A revision by age: 0 is the oldest.
pub(crate) type Age = usize;

const TITLES: Age = 2;
const ICONS: Age = 3;
const NOW: Age = 4;

/// Judges the result of a method for a client of the revision of that age.
pub(crate) fn result(age: Age, method: &str, result: &Value) {
    let seen = || format!("{} {method}: {result}", REVISIONS[age]);
    let object = result.as_object().unwrap_or_else(|| panic!("{}", seen()));
    if REVISIONS[age] == STATELESS {
        match object.get("resultType").and_then(Value::as_str) {
            Some("complete") => {}
            Some("input_required") => return questions(object),
            other => panic!("the result type is {other:?}: {}", seen()),
        }
        assert!(object["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(), "{}", seen());
    }
    let mut known = Members::of(object, age).since(NOW, &["resultType"]).both(&["_meta"]);
    if let "tools/list"
    | "prompts/list"
    | "resources/list"
    | "resources/templates/list"
    | "resources/read"
    | "server/discover" = method
    {
        known = known.since(NOW, &["ttlMs", "cacheScope"]);
        assert_eq!(object.get("ttlMs").is_some_and(Value::is_u64), age >= NOW, "{}", seen());
    }
    let (members, later) = members(method);
    known.both(members).since(TITLES, later).close(&seen);
    let each = |name: &str| object[name].as_array().unwrap_or_else(|| panic!("{}", seen())).iter();
    match method {
        "tools/list" => each("tools").for_each(|item| tool(age, item)),
        "prompts/list" => each("prompts").for_each(|item| prompt(age, item)),
        "resources/list" => each("resources").for_each(|item| resource(age, item)),
        "resources/templates/list" => each("resourceTemplates").for_each(|item| resource(age, item)),
        "tools/call" => {
            let structured = object.get("structuredContent");
            assert!(age >= NOW || structured.is_none_or(Value::is_object), "{}", seen());
            each("content").for_each(|block| content(age, block));
        }
        "resources/read" => each("contents").for_each(|part| contents(age, part)),
        "prompts/get" => {
            for message in each("messages") {
                assert!(matches!(message["role"].as_str(), Some("user" | "assistant")), "{}", seen());
                content(age, &message["content"]);
            }
        }
        "completion/complete" => {
            let values = object["completion"]["values"].as_array().unwrap_or_else(|| panic!("{}", seen()));
            assert!(values.len() <= 100 && values.iter().all(Value::is_string), "{}", seen());
        }
        _ => {}
    }
}

/// The members that a method's result has in every revision, and those that came later.
fn members(method: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match method {
        "tools/list" => (&["tools", "nextCursor"], &[]),
        "prompts/list" => (&["prompts", "nextCursor"], &[]),
        "resources/list" => (&["resources", "nextCursor"], &[]),
        "resources/templates/list" => (&["resourceTemplates", "nextCursor"], &[]),
        "tools/call" => (&["content", "isError"], &["structuredContent"]),
        "resources/read" => (&["contents"], &[]),
        "prompts/get" => (&["description", "messages"], &[]),
        "completion/complete" => (&["completion"], &[]),
        "initialize" => (&["protocolVersion", "capabilities", "serverInfo", "instructions"], &[]),
        "server/discover" => (&["supportedVersions", "capabilities", "instructions"], &[]),
        _ => (&[], &[]),
    }
}

/// Judges an error.
pub(crate) fn error(age: Age, error: &Value) {
    let code = error["code"].as_i64().expect("a code");
    let usual = (-32603..=-32600).contains(&code) || code == -32700;
    let own = match REVISIONS[age] == STATELESS {
        true => (-32022..=-32020).contains(&code),
        false => code == -32002,
    };
    assert!(usual || own, "{}: {error}", REVISIONS[age]);
}

fn questions(result: &Map<String, Value>) {
    let asked = result.get("inputRequests").and_then(Value::as_object);
    let state = result.get("requestState");
    assert!(asked.is_some_and(|asked| !asked.is_empty()) || state.is_some(), "{result:?}");
    for question in asked.into_iter().flat_map(Map::values) {
        let method = question["method"].as_str();
        assert!(matches!(method, Some("elicitation/create" | "sampling/createMessage" | "roots/list")), "{question}");
        assert!(question["params"].is_object() && question.get("id").is_none(), "{question}");
    }
    assert!(state.is_none_or(Value::is_string), "{result:?}");
    assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none(), "{result:?}");
}

fn tool(age: Age, tool: &Value) {
    let seen = || tool.to_string();
    assert!(tool["name"].is_string() && tool["inputSchema"]["type"] == "object", "{}", seen());
    if age < NOW {
        assert!(tool.get("outputSchema").is_none_or(|schema| schema["type"] == "object"), "{}", seen());
    }
    Members::of(object(tool), age)
        .both(&["name", "description", "inputSchema"])
        .since(1, &["annotations"])
        .since(TITLES, &["title", "outputSchema", "_meta"])
        .since(ICONS, &["icons"])
        .close(&seen);
}

fn prompt(age: Age, prompt: &Value) {
    let seen = || prompt.to_string();
    Members::of(object(prompt), age)
        .both(&["name", "description", "arguments"])
        .since(TITLES, &["title", "_meta"])
        .since(ICONS, &["icons"])
        .close(&seen);
}

fn resource(age: Age, resource: &Value) {
    let seen = || resource.to_string();
    Members::of(object(resource), age)
        .both(&["uri", "uriTemplate", "name", "description", "mimeType", "size", "annotations"])
        .since(TITLES, &["title", "_meta"])
        .since(ICONS, &["icons"])
        .close(&seen);
    annotations(age, resource);
}

fn content(age: Age, block: &Value) {
    let seen = || format!("{}: {block}", REVISIONS[age]);
    let known = Members::of(object(block), age).both(&["type", "annotations"]).since(TITLES, &["_meta"]);
    let known = match block["type"].as_str() {
        Some("text") => known.both(&["text"]),
        Some("image") => known.both(&["data", "mimeType"]),
        Some("audio") if age >= 1 => known.both(&["data", "mimeType"]),
        Some("resource") => {
            contents(age, &block["resource"]);
            known.both(&["resource"])
        }
        Some("resource_link") if age >= TITLES => {
            known.both(&["uri", "name", "title", "description", "mimeType", "size"]).since(ICONS, &["icons"])
        }
        _ => panic!("{}", seen()),
    };
    known.close(&seen);
    annotations(age, block);
}

fn contents(age: Age, part: &Value) {
    let seen = || part.to_string();
    assert!(part["uri"].is_string() && (part["text"].is_string() != part["blob"].is_string()), "{}", seen());
    Members::of(object(part), age).both(&["uri", "mimeType", "text", "blob"]).since(TITLES, &["_meta"]).close(&seen);
}

fn annotations(age: Age, of: &Value) {
    if let Some(annotations) = of.get("annotations") {
        let known = Members::of(object(annotations), age).both(&["audience", "priority"]);
        known.since(TITLES, &["lastModified"]).close(&|| of.to_string());
    }
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap_or_else(|| panic!("no object: {value}"))
}

/// The members that are not accounted for yet.
struct Members<'v> {
    age: Age,
    rest: Vec<&'v str>,
}

impl<'v> Members<'v> {
    fn of(object: &'v Map<String, Value>, age: Age) -> Self {
        Members { age, rest: object.keys().map(String::as_str).collect() }
    }

    /// Members of every revision.
    fn both(self, names: &[&str]) -> Self {
        self.since(0, names)
    }

    /// Members of that revision and later ones.
    fn since(mut self, age: Age, names: &[&str]) -> Self {
        if self.age >= age {
            self.rest.retain(|name| !names.contains(name));
        }
        self
    }

    fn close(self, seen: &dyn Fn() -> String) {
        assert!(self.rest.is_empty(), "{:?} are not part of the revision: {}", self.rest, seen());
    }
}
