//! The schemas of a large server, in every revision: whether every client can take them, and whether what they say is
//! what the running server does.

#![allow(missing_docs, unreachable_pub)]

mod mutants;
mod rules;
#[path = "../integration/support/stdio.rs"]
#[allow(dead_code)]
mod stdio;

use serde_json::{Map, Value, json};
use stdio::Process;

const STATELESS: &str = "2026-07-28";
const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS];

/// A client of a process of its own.
struct Client {
    process: Process,
    revision: &'static str,
    last_id: u64,
}

impl Client {
    fn start(revision: &'static str) -> Self {
        let mut client =
            Client { process: Process::start(env!("CARGO_BIN_EXE_schema-fixture"), &[]), revision, last_id: 0 };
        if revision != STATELESS {
            let info = json!({"name": "tests", "version": "0"});
            client.request("initialize", json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": info}));
            client.process.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        client
    }

    /// The text of the response.
    fn ask(&mut self, method: &str, mut params: Value) -> String {
        self.last_id += 1;
        if self.revision == STATELESS {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let request = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        self.process.line(&request.to_string());
        self.process.read().expect("an answer")
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        serde_json::from_str(&self.ask(method, params)).expect("JSON")
    }

    fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", json!({}))["result"]["tools"].as_array().expect("tools").clone()
    }

    fn call(&mut self, tool: &Value, arguments: &Value) -> Value {
        self.request("tools/call", json!({"name": tool["name"], "arguments": arguments}))
    }

    /// What is told about arguments that must be refused; nothing if they are not.
    fn refusal(&mut self, tool: &Value, arguments: &Value) -> Option<String> {
        let answer = self.call(tool, arguments);
        let text = match self.revision {
            "2025-11-25" | STATELESS if answer["result"]["isError"] == true => &answer["result"]["content"][0]["text"],
            _ if answer["error"]["code"] == -32602 => &answer["error"]["message"],
            _ => return None,
        };
        text.as_str().filter(|text| text.starts_with("Invalid arguments")).map(str::to_owned)
    }
}

/// The arguments that the schema itself gives as examples.
fn example(tool: &Value) -> Value {
    let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
    let examples =
        properties.iter().filter_map(|(name, schema)| Some((name.clone(), schema["examples"].get(0)?.clone())));
    examples.collect::<Map<_, _>>().into()
}

#[test]
fn every_schema_keeps_every_rule_in_every_revision() {
    for revision in REVISIONS {
        let tools = Client::start(revision).tools();
        assert!(tools.len() >= 80, "{}", tools.len());
        let mut broken = Vec::new();
        for tool in &tools {
            // What authors write themselves is theirs.
            let inputs = rules::BOTH.iter().chain(&rules::INPUTS).map(|rule| ("inputSchema", rule));
            let outputs = rules::BOTH.iter().map(|rule| ("outputSchema", rule));
            for (of, (name, rule)) in inputs.chain(outputs) {
                let problem = tool.get(of).map_or(Ok(()), rule);
                broken.extend(problem.err().map(|problem| format!("{} {of}: {name}: {problem}", tool["name"])));
            }
            let closed = tool["inputSchema"]["additionalProperties"] == false;
            let is_open = ["whole_open"].iter().any(|open| tool["name"] == *open);
            if closed == is_open {
                broken.push(format!("{} is closed: {closed}", tool["name"]));
            }
            let has_output = tool.get("outputSchema").is_some();
            if has_output && revision != STATELESS && tool["outputSchema"]["type"] != "object" {
                broken.push(format!("{} {}", tool["name"], tool["outputSchema"]));
            }
            if has_output && revision < "2025-06-18" {
                broken.push(format!("{} has an output schema in {revision}", tool["name"]));
            }
        }
        assert!(broken.is_empty(), "{revision}: {broken:#?}");
    }
}

#[test]
fn the_list_is_the_same_in_every_process() {
    for revision in REVISIONS {
        let [first, second] = [(); 2].map(|()| Client::start(revision).ask("tools/list", json!({})));
        assert_eq!(first, second);
    }
}

/// Tools whose call is meant to fail.
const FAILING: [&str; 3] = ["not_a_number", "out_of_bounds", "fails"];

#[test]
fn every_example_is_taken_and_every_result_is_what_its_schema_says() {
    for revision in REVISIONS {
        let mut client = Client::start(revision);
        for tool in client.tools() {
            let arguments = example(&tool);
            let answer = client.call(&tool, &arguments);
            let (result, name) = (&answer["result"], tool["name"].as_str().expect("a name"));
            assert_eq!(result["isError"] == true, FAILING.contains(&name), "{revision} {name} {arguments} {answer}");
            let structured = result.get("structuredContent");
            let schema = tool.get("outputSchema").filter(|_| result["isError"] != true);
            assert_eq!(structured.is_some(), schema.is_some(), "{revision} {name} {answer}");
            let (Some(structured), Some(schema)) = (structured, schema) else { continue };
            let validator = jsonschema::draft202012::new(schema).expect("a valid schema");
            assert!(validator.is_valid(structured), "{revision} {name} {structured} {schema}");
            let text = result["content"][0]["text"].as_str().expect("a text");
            assert_eq!(&serde_json::from_str::<Value>(text).expect("JSON"), structured, "{name}");
        }
    }
}

#[test]
fn everything_that_a_schema_says_is_enforced_and_the_argument_is_named() {
    for revision in REVISIONS {
        let mut client = Client::start(revision);
        let (mut broken, mut count) = (Vec::new(), 0);
        for tool in client.tools() {
            for mutant in mutants::of(&tool["inputSchema"], &example(&tool)) {
                count += 1;
                match client.refusal(&tool, &mutant.arguments) {
                    Some(text) if text.contains(&mutant.argument) && text.len() <= 1100 => {}
                    other => broken.push(format!("{} {} {}: {other:?}", tool["name"], mutant.broken, mutant.arguments)),
                }
            }
        }
        assert!(broken.is_empty(), "{revision}: {} of {count}: {broken:#?}", broken.len());
        assert!(count > 1000, "{count}");
    }
}

#[test]
fn the_arguments_are_an_object_with_names() {
    for revision in REVISIONS {
        let mut client = Client::start(revision);
        for tool in client.tools() {
            let values: Vec<Value> = example(&tool).as_object().expect("an object").values().cloned().collect();
            for arguments in [values.into(), json!("x"), json!(1), json!(false)] {
                let answer = client.call(&tool, &arguments);
                let refused = answer["result"]["isError"] == true || answer["error"]["code"] == -32602;
                assert!(refused, "{revision} {} {arguments} {answer}", tool["name"]);
            }
        }
    }
}

#[test]
fn all_wrong_members_are_listed_with_their_paths_however_deep() {
    let mut client = Client::start(STATELESS);
    for (name, value, paths) in [
        ("list_lists", json!([[{"x": "1", "y": 2}, {"x": 1}], 5]), &["value[0][0].x", "value[0][1].y", "value[1]"][..]),
        ("map_hash", json!({"a": {"x": true, "y": 2}, "b": {"y": 1.5}}), &["value.a.x", "value.b.x", "value.b.y"]),
        (
            "tree",
            json!({"name": "a", "kids": [{"name": 1, "kids": [{"kids": []}]}]}),
            &["value.kids[0].name", "value.kids[0].kids[0].name"],
        ),
        ("garde", json!({"stars": 6, "word": "a"}), &["value.stars", "value.word"]),
        ("validated", json!({"stars": 0, "word": "abcde"}), &["value.stars", "value.word"]),
        (
            "optioned",
            json!({
                "small": 3, "around_one": 2, "word": "a", "lower": "A", "day": "1", "list": [], "map": {},
                "unit": "kelvin", "power": 3, "lang": "deu",
            }),
            &[
                "value.small",
                "value.around_one",
                "value.word",
                "value.lower",
                "value.day",
                "value.list",
                "value.map",
                "value.unit",
                "value.power",
                "value.lang",
            ],
        ),
    ] {
        let text = client.refusal(&json!({"name": name}), &json!({"value": value})).expect("a refusal");
        for path in paths {
            assert!(text.contains(&format!("`{path}`: ")), "{path} in {text}");
        }
        assert!(text.lines().count() == paths.len() + 1 && text.len() <= 1100, "{text}");
    }
}
