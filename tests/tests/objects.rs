//! Methods and modules as functions for clients, and several servers in one program. A program of its own: what is
//! registered here would be part of every other server.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, Connection, Server};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Default)]
struct Counter {
    count: AtomicI64,
}

#[mcp_server(list = functions)]
impl Counter {
    /// Never changes.
    const STEP: i64 = 1;

    /// Counts.
    #[mcp_tool]
    async fn count(
        &self,
        /// How much.
        #[arg(default = Self::STEP, min = 1)]
        by: i64,
        cx: &Context,
    ) -> i64 {
        cx.progress(1, 1);
        self.add(by)
    }

    /// Counts on the pool.
    #[mcp_tool(blocking)]
    fn count_slowly(self: Arc<Self>) -> i64 {
        self.add(1)
    }

    /// Tells how many hold the object: this call, at least.
    #[mcp_tool(name = "holders")]
    fn held(self: &Arc<Self>) -> usize {
        Arc::strong_count(self)
    }

    /// Adds two numbers, for which it needs no object.
    #[mcp_tool]
    fn sum(a: i64, b: i64) -> Result<i64, String> {
        a.checked_add(b).ok_or_else(|| "too much".to_owned())
    }

    fn add(&self, by: i64) -> i64 {
        self.count.fetch_add(by, Ordering::SeqCst) + by
    }
}

mod elsewhere {
    use super::{Counter, Describes};
    use mcp_runtime::prelude::*;
    use std::sync::atomic::Ordering;

    #[mcp_server(prefix = "counter", list = readings)]
    impl Counter {
        /// The count, times something.
        #[mcp_resource(uri = "counter://times/{factor}")]
        fn times(&self, #[arg(complete = factors)] factor: i64) -> Option<String> {
            (factor > 0).then(|| (self.count.load(Ordering::SeqCst) * factor).to_string())
        }

        /// Asks about the count.
        #[mcp_prompt]
        async fn ask(&self, who: &str) -> String {
            format!("{who}: is {} much?", self.count.load(Ordering::SeqCst))
        }
    }

    fn factors(_: &str) -> Vec<&'static str> {
        vec!["2", "3"]
    }

    #[mcp_server]
    impl Describes for Counter {
        /// Describes the counter.
        #[mcp_tool]
        async fn describe(&self) -> String {
            "a counter".to_owned()
        }
    }
}

trait Describes {
    fn describe(&self) -> impl Future<Output = String> + Send;
}

trait Shop: Send + Sync + 'static {
    fn price(&self) -> u32;
}

struct At<const PRICE: u32>;

impl<const PRICE: u32> Shop for At<PRICE> {
    fn price(&self) -> u32 {
        PRICE
    }
}

type Dear = At<100>;
type Cheap = At<1>;

struct Buyer<S>(S);

#[mcp_server(list = functions)]
impl<S> Buyer<S>
where
    S: Shop,
{
    /// Buys some.
    #[mcp_tool]
    fn get(&self, count: u32) -> u32 {
        self.0.price() * count
    }
}

/// A second type with a tool of that name.
struct Map;

#[mcp_server(list = functions)]
impl Map {
    /// Gets a place.
    #[mcp_tool]
    fn get(&self, name: String) -> String {
        name
    }
}

#[mcp_module(prefix = "file", list = functions)]
mod file {
    use mcp_runtime::prelude::*;

    /// Gets a file.
    #[mcp_tool]
    pub(super) fn get(path: String) -> String {
        format!("file {path}")
    }

    /// A file.
    #[mcp_resource(uri = "file:///{+path}", name = "any")]
    fn read(path: String) -> String {
        path
    }

    /// Never there.
    #[cfg(any())]
    #[mcp_tool]
    fn never() {}

    mod plain {
        use mcp_runtime::prelude::*;

        /// Asks for an order.
        #[mcp_prompt]
        fn sort() -> &'static str {
            "Sort the files."
        }
    }

    #[mcp_module(prefix = "old", separator = ".")]
    mod old {
        use mcp_runtime::prelude::*;

        /// Gets an old file.
        #[mcp_tool(title = "Old")]
        fn get() -> &'static str {
            "old"
        }

        pub(in super::super) struct Archive;

        #[mcp_server(prefix = "archive")]
        impl Archive {
            /// Gets an archive.
            #[mcp_tool]
            fn get(&self) -> &'static str {
                "archive"
            }
        }
    }

    pub(super) use old::Archive;
}

/// The `_meta` of stateless requests. (Naming anything of the tests' own crate would register its functions here.)
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A client of one era.
struct Client {
    connection: Connection,
    meta: &'static str,
}

impl Client {
    fn stateless(server: &BuiltServer) -> Self {
        Client { connection: server.connect(), meta: META }
    }

    async fn with_session(server: &BuiltServer) -> Self {
        let mut client = Client { connection: server.connect(), meta: r#""_meta":{}"# };
        let hello = r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}"#;
        client.request("initialize", hello).await;
        client.connection.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    /// The result of a request; `params` are members, as JSON text.
    async fn request(&mut self, method: &str, params: &str) -> Value {
        let (meta, comma) = (self.meta, if params.is_empty() { "" } else { "," });
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{meta}{comma}{params}}}}}"#);
        self.connection.send(&message);
        let answer: Value = serde_json::from_str(&self.connection.receive().await.expect("an answer")).expect("JSON");
        answer.get("result").unwrap_or_else(|| panic!("a result in {answer}")).clone()
    }

    async fn call(&mut self, tool: &str, arguments: &str) -> String {
        let result = self.request("tools/call", &format!(r#""name":"{tool}","arguments":{{{arguments}}}"#)).await;
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("a text in {result}")).to_owned()
    }

    async fn read(&mut self, uri: &str) -> String {
        let result = self.request("resources/read", &format!(r#""uri":"{uri}""#)).await;
        result["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("a text in {result}")).to_owned()
    }

    async fn names(&mut self, list: &str) -> Vec<String> {
        let (method, member) = match list {
            "templates" => ("resources/templates/list".to_owned(), "resourceTemplates"),
            list => (format!("{list}/list"), list),
        };
        let result = self.request(&method, "").await;
        let items = result[member].as_array().unwrap_or_else(|| panic!("a list in {result}"));
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    }
}

#[mcp_module(prefix = "git", separator = ".", list = functions)]
mod git {
    use mcp_runtime::prelude::*;

    /// Gets a commit.
    #[mcp_tool]
    fn get(id: String) -> String {
        format!("commit {id}")
    }

    /// A commit.
    #[mcp_resource(uri = "git:///{+path}", name = "any")]
    fn read(path: String) -> String {
        format!("git {path}")
    }
}

fn counting() -> Server {
    server!().functions(Counter::functions()).functions(Counter::readings())
}

fn problem(server: Server) -> String {
    server.build().expect_err("it must not build").to_string()
}

#[test]
fn methods_stay_methods() {
    let counter = Arc::new(Counter::default());
    assert_eq!(Arc::clone(&counter).count_slowly(), 1);
    assert_eq!(counter.held(), 1);
    assert_eq!(Counter::sum(1, 2), Ok(3));
}

#[tokio::test]
async fn methods_answer_clients_of_both_eras() {
    let counter = Arc::new(Counter::default());
    let server = counting().shared_state(Arc::clone(&counter)).build().expect("it builds");
    for mut client in [Client::stateless(&server), Client::with_session(&server).await] {
        counter.count.store(0, Ordering::SeqCst);
        assert_eq!(client.names("tools").await, ["count", "count_slowly", "holders", "sum"]);
        assert_eq!(client.names("prompts").await, ["counter_ask"]);
        assert_eq!(client.names("templates").await, ["counter_times"]);
        assert_eq!(client.call("count", r#""by":4"#).await, "4");
        assert_eq!(client.call("count", "").await, "5");
        assert_eq!(client.call("count_slowly", "").await, "6");
        assert_eq!(client.call("holders", "").await, "3", "the test, the server and the call");
        assert_eq!(client.call("sum", r#""a":1,"b":2"#).await, "3");
        assert_eq!(client.read("counter://times/7").await, "42");
        let asked = client.request("prompts/get", r#""name":"counter_ask","arguments":{"who":"Ada"}"#).await;
        assert_eq!(asked["messages"][0]["content"]["text"], "Ada: is 6 much?");
        let typed =
            r#""ref":{"type":"ref/resource","uri":"counter://times/{factor}"},"argument":{"name":"factor","value":""}"#;
        assert_eq!(client.request("completion/complete", typed).await["completion"]["values"], json!(["2", "3"]));
        assert_eq!(counter.count.load(Ordering::SeqCst), 6);
    }
}

#[tokio::test]
async fn what_is_said_of_an_argument_holds_in_methods() {
    let server = counting().state(Counter::default()).build().expect("it builds");
    let mut client = Client::stateless(&server);
    let tools = client.request("tools/list", "").await["tools"].clone();
    assert_eq!(
        tools[0],
        json!({
            "name": "count",
            "description": "Counts.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "by": {"type": "integer", "description": "How much.", "default": 1, "minimum": 1}
                },
                "additionalProperties": false
            }
        })
    );
    assert!(client.call("count", r#""by":0"#).await.contains("by"));
    assert!(client.call("sum", &format!(r#""a":{},"b":1"#, i64::MAX)).await.contains("too much"));
}

#[tokio::test]
async fn several_servers_have_an_object_and_a_list_each() {
    let dear = server!().functions(Buyer::<Dear>::functions()).state(Buyer(At::<100>)).build().expect("it builds");
    let cheap = server!()
        .functions(Buyer::<Cheap>::functions())
        .functions(Counter::functions())
        .state(Buyer(At::<1>))
        .state(Counter::default())
        .build()
        .expect("it builds");
    let (mut dear, mut cheap) = (Client::stateless(&dear), Client::stateless(&cheap));
    assert_eq!(dear.names("tools").await, ["get"]);
    assert_eq!(cheap.names("tools").await, ["count", "count_slowly", "get", "holders", "sum"]);
    assert_eq!(dear.call("get", r#""count":3"#).await, "300");
    assert_eq!(cheap.call("get", r#""count":3"#).await, "3");
}

#[test]
fn a_missing_object_names_the_methods_that_need_it() {
    let text = problem(counting());
    assert!(text.contains("Counter"), "{text}");
    for name in ["`count`", "`count_slowly`", "`holders`", "`counter_times`", "`counter_ask`"] {
        assert!(text.contains(name), "{name} in {text}");
    }
    assert!(!text.contains("`sum`"), "{text}");
}

#[test]
fn two_types_with_one_name_are_told_with_both_places() {
    let both = server!().functions(Map::functions()).functions(Buyer::<Dear>::functions());
    let text = problem(both.state(Map).state(Buyer(At::<100>)));
    assert!(text.contains("the tool `get` exists 2 times"), "{text}");
    assert_eq!(text.matches("objects.rs:").count(), 2, "{text}");
}

#[tokio::test]
async fn a_module_gives_its_prefix_to_everything_inside() {
    let listed = server!().functions(file::functions()).state(file::Archive).build().expect("it builds");
    let all = server!().state(file::Archive).state(Counter::default()).state(Map).build().expect("it builds");
    let tools = ["file_get", "file_old.archive_get", "file_old.get"];
    let mut client = Client::stateless(&listed);
    assert_eq!(client.names("tools").await, tools);
    assert_eq!(client.names("prompts").await, ["file_sort"]);
    assert_eq!(client.names("templates").await, ["file_any"]);
    let mut everything = Client::stateless(&all);
    assert_eq!(everything.names("prompts").await, ["counter_ask", "file_sort"]);
    let names = everything.names("tools").await;
    assert!(tools.iter().all(|tool| names.iter().any(|name| name == tool)), "{names:?}");
    assert!(names.contains(&"describe".to_owned()), "the method of a trait: {names:?}");
    for client in [&mut client, &mut everything] {
        assert_eq!(client.call("file_get", r#""path":"x""#).await, "file x");
        assert_eq!(client.call("file_old.get", "").await, "old");
        assert_eq!(client.call("file_old.archive_get", "").await, "archive");
        assert_eq!(client.read("file:///a/b").await, "a/b");
    }
    assert_eq!(everything.call("describe", "").await, "a counter");
}

#[tokio::test]
async fn two_modules_have_functions_of_the_same_names() {
    let both = server!().functions(file::functions()).functions(git::functions()).state(file::Archive);
    let mut client = Client::stateless(&both.build().expect("it builds"));
    assert_eq!(client.names("templates").await, ["file_any", "git.any"]);
    assert_eq!(client.names("tools").await, ["file_get", "file_old.archive_get", "file_old.get", "git.get"]);
    assert_eq!(client.call("file_get", r#""path":"x""#).await, "file x");
    assert_eq!(client.call("git.get", r#""id":"x""#).await, "commit x");
    assert_eq!(client.read("file:///a").await, "a");
    assert_eq!(client.read("git:///a").await, "git a");
}

#[tokio::test]
async fn a_function_of_a_module_is_listed_by_its_path() {
    assert_eq!(file::get("y".to_owned()), "file y");
    let server = server!().tools(tools![file::get]).build().expect("it builds");
    assert_eq!(Client::stateless(&server).names("tools").await, ["file_get"]);
}
