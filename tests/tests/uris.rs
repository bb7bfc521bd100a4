//! URI templates of whole servers: types of variables, order, conflicts, and the instances that templates list.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::{AnyText, BuiltServer, Connection};
use mcp_tests::ask;
use serde_json::{Value, json};
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A version, which no client could send as JSON: it has `FromStr` alone.
struct Version(u32, u32);

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (major, minor) = text.split_once('.').ok_or("a version has a point")?;
        let number = |text: &str| text.parse().map_err(|_| format!("{text} is no number"));
        Ok(Version(number(major)?, number(minor)?))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} {}", self.0, self.1)
    }
}

#[mcp_type]
enum Kind {
    #[serde(rename = "text/plain")]
    Plain,
    Other,
}

/// Reads a version.
#[mcp_resource(uri = "version://{version}{?since}")]
fn version(version: Version, since: Option<Version>) -> String {
    since.map_or_else(|| version.to_string(), |since| format!("{version} since {since}"))
}

/// Borrows a version.
#[mcp_resource(uri = "borrowed://{version}")]
fn borrowed(version: &Version) -> String {
    version.to_string()
}

/// Types that were fit before.
#[mcp_resource(uri = "types://{address}/{flag}/{kind}{?number}")]
fn types(address: IpAddr, flag: bool, kind: Kind, number: Option<f64>) -> String {
    let kind = match kind {
        Kind::Plain => "plain",
        Kind::Other => "other",
    };
    format!("{address} {flag} {kind} {number:?}")
}

/// The name of a file.
#[mcp_resource(uri = "name://{name}")]
fn name(name: String) -> String {
    name
}

/// Any text.
#[mcp_resource(uri = "any://{text}{?more}")]
fn any(text: AnyText, more: Option<AnyText<PathBuf>>) -> String {
    more.map_or_else(|| text.to_string(), |more| format!("{} {}", *text, more.display()))
}

/// Any text in place of a path.
#[mcp_resource(uri = "far://{+target}")]
fn far(target: AnyText) -> String {
    target.0
}

/// A path in a query.
#[mcp_resource(uri = "paths://at{?path}")]
fn paths(path: Option<PathBuf>) -> String {
    format!("{path:?}")
}

/// A borrowed path.
#[mcp_resource(uri = "path://{path}")]
fn path(path: &Path) -> String {
    path.display().to_string()
}

/// Panics when it is read.
struct Bomb;

impl FromStr for Bomb {
    type Err = String;

    fn from_str(_: &str) -> Result<Self, String> {
        panic!("the secret of the bomb")
    }
}

/// Panics.
#[mcp_resource(uri = "bomb://{bomb}")]
fn bomb(#[allow(unused)] bomb: Bomb) -> String {
    String::new()
}

fn server() -> BuiltServer {
    mcp_runtime::server!()
        .resources(resources![version, borrowed, types, name, any, far, paths, path, bomb])
        .build()
        .expect("it builds")
}

fn read(server: &BuiltServer, uri: &str) -> Result<String, Value> {
    let answer = ask(server, "resources/read", &format!(r#""uri":{}"#, json!(uri)));
    match answer["result"]["contents"][0]["text"].as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(answer["error"].clone()),
    }
}

#[test]
fn variables_have_types() {
    let server = server();
    for (uri, text) in [
        ("version://1.2", "version 1 2"),
        ("version://1.2?since=0.9", "version 1 2 since version 0 9"),
        ("borrowed://3.4", "version 3 4"),
        ("types://127.0.0.1/true/Other?number=1.5", "127.0.0.1 true other Some(1.5)"),
        ("types://%3A%3A1/false/text%2Fplain", "::1 false plain None"),
        ("paths://at?path=a%2Fb", "Some(\"a/b\")"),
        ("path://a.b", "a.b"),
    ] {
        assert_eq!(read(&server, uri).as_deref(), Ok(text), "{uri}");
    }
    for uri in
        ["version://1", "version://a.1", "version://1.2?since=x", "types://x/true/Other", "types://::1/true/Other"]
    {
        let error = read(&server, uri).expect_err(uri);
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)), "{error}");
    }
    let error = read(&server, "version://x.1").expect_err("no number");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("x is no number")), "{error}");
    let error = read(&server, "bomb://x").expect_err("it panics");
    assert_eq!(error["code"], -32603);
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn a_value_leads_out_only_where_any_text_is_asked_for() {
    let server = server();
    for value in
        ["..", "..%2Fetc", "%2e%2E%2fetc", "a%2Fb", "%2Fetc", "a%5Cb", "%00", "a%00", "C%3A", "%5C%5Chost%5Cshare", "."]
    {
        for scheme in ["name", "path"] {
            let uri = format!("{scheme}://{value}");
            assert_eq!(read(&server, &uri).expect_err(&uri)["code"], -32602, "{uri}");
        }
        assert!(read(&server, &format!("any://{value}")).is_ok(), "{value}");
    }
    assert_eq!(read(&server, "name://%252e%252e%252fetc").as_deref(), Ok("%2e%2e%2fetc"), "decoded once");
    assert_eq!(read(&server, "far:///etc/../passwd").as_deref(), Ok("/etc/../passwd"));
    assert_eq!(read(&server, "any://x?more=..%2Fy").as_deref(), Ok("x ../y"));
    for path in ["..%2Fx", "%2Fetc", "a%2F..%2F..%2Fb", "C%3A%5Cx"] {
        let uri = format!("paths://at?path={path}");
        assert_eq!(read(&server, &uri).expect_err(&uri)["code"], -32602, "{uri}");
    }
}

mod order {
    use super::*;

    /// Fixed.
    #[mcp_resource(uri = "a://x/y")]
    pub(crate) fn fixed() -> &'static str {
        "fixed"
    }

    /// One variable.
    #[mcp_resource(uri = "a://x/{y}")]
    pub(crate) fn one(y: &str) -> String {
        format!("one {y}")
    }

    /// Two variables, and more text than the one before has.
    #[mcp_resource(uri = "a://{x}/{long_name_of_a_variable}")]
    pub(crate) fn two(x: &str, long_name_of_a_variable: &str) -> String {
        format!("two {x} {long_name_of_a_variable}")
    }

    /// A path.
    #[mcp_resource(uri = "a://{+path}")]
    pub(crate) fn path(path: &str) -> String {
        format!("path {path}")
    }

    /// Paths with an end that is long.
    #[mcp_resource(uri = "a://{+path}/a-long-literal-at-the-end")]
    pub(crate) fn end(path: &str) -> String {
        format!("end {path}")
    }

    /// Meets `one` without an order.
    #[mcp_resource(uri = "a://{z}/y")]
    pub(crate) fn crossing(z: &str) -> String {
        z.to_owned()
    }

    pub(crate) mod other {
        use super::super::*;

        /// In place of the other.
        #[mcp_resource(uri = "a://{+path}")]
        pub(crate) fn path(path: &str) -> String {
            format!("another path {path}")
        }
    }
}

#[test]
fn the_most_specific_template_answers() {
    let listed = resources![order::path, order::two, order::one, order::fixed];
    let server = mcp_runtime::server!().resources(listed).build().expect("it builds");
    let check = |path: &str| {
        for (uri, text) in [
            ("a://x/y", "fixed"),
            ("a://x/z", "one z"),
            ("a://z/y", "two z y"),
            ("a://z", &format!("{path} z")),
            ("a://x/y/z", &format!("{path} x/y/z")),
        ] {
            assert_eq!(read(&server, uri).as_deref(), Ok(text), "{uri}");
        }
        // What a more specific template refuses is not for a less specific one.
        assert!(read(&server, "a://x/y%2Fz").is_err());
    };
    check("path");
    server.handle().change(|change| {
        change.replace_resource(resources![order::other::path]).expect("it fits");
    });
    check("another path");
    server.handle().disable_resource("one");
    assert_eq!(read(&server, "a://x/z").as_deref(), Ok("two x z"));
}

#[test]
fn what_cannot_be_ordered_is_not_built() {
    let listed = resources![order::crossing, order::two, order::one];
    let error = mcp_runtime::server!().resources(listed).build().expect_err("it must not build").to_string();
    for part in ["the URI `a://x/y`", "`crossing` (", "`one` (", "uris.rs:", "`a://{z}/y`", "`a://x/{y}`"] {
        assert!(error.contains(part), "{part} in {error}");
    }
    assert_eq!(error.lines().count(), 1, "{error}");
    let listed = resources![order::end, order::two];
    let error = mcp_runtime::server!().resources(listed).build().expect_err("it must not build").to_string();
    assert!(error.contains("/a-long-literal-at-the-end` belongs"), "{error}");
}

mod lists {
    use super::*;
    /// Lets `notes` fail.
    pub(crate) struct Broken;

    /// Which notes there are.
    pub(crate) struct Notes(pub(crate) std::sync::Mutex<Vec<u32>>);

    async fn notes(cx: Context) -> Result<Vec<ResourceLink>, ToolError> {
        tokio::task::yield_now().await;
        let broken = cx.state::<Broken>();
        if broken.is_some() {
            return Err(ToolError::internal("the secret cause"));
        }
        let notes = cx.state::<Notes>().ok_or_else(|| ToolError::new("no notes"))?;
        let notes = notes.0.lock().expect("no panic");
        Ok(notes.iter().map(|id| ResourceLink::new(format!("notes://{id}"), format!("note {id}")).size(7)).collect())
    }

    /// One note.
    #[mcp_resource(uri = "notes://{id}", mime_type = "text/markdown", list = notes)]
    pub(crate) fn note(id: u32, notes: State<Notes>) -> Option<String> {
        notes.0.lock().expect("no panic").contains(&id).then(|| format!("note {id}"))
    }

    fn wrong() -> Vec<ResourceLink> {
        ["notes://1", "days://monday", "days://monday", "days://a/b", "days://today"]
            .into_iter()
            .map(|uri| ResourceLink::new(uri, "day"))
            .collect()
    }

    /// One day.
    #[mcp_resource(uri = "days://{day}", list = wrong)]
    pub(crate) fn day(day: String) -> String {
        day
    }

    /// Today.
    #[mcp_resource(uri = "days://today", name = "day_of_now")]
    pub(crate) fn today() -> &'static str {
        "today"
    }

    fn explode() -> Vec<ResourceLink> {
        panic!("the secret of the list")
    }

    /// Cannot be listed.
    #[mcp_resource(uri = "mines://{mine}", list = explode)]
    pub(crate) fn mine(mine: String) -> String {
        mine
    }

    async fn forever(_: Context) -> Vec<ResourceLink> {
        std::future::pending().await
    }

    /// Is never listed.
    #[mcp_resource(uri = "slow://{slow}", list = forever)]
    pub(crate) fn slow(slow: String) -> String {
        slow
    }
}

fn params(revision: &str, cursor: Option<&Value>) -> Value {
    let mut params = json!({});
    if revision == "2026-07-28" {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    if let Some(cursor) = cursor {
        params["cursor"] = cursor.clone();
    }
    params
}

async fn request(client: &mut Connection, method: &str, params: Value) -> Value {
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string());
    serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON")
}

async fn connect(server: &BuiltServer, revision: &str) -> Connection {
    let mut client = server.connect();
    if revision != "2026-07-28" {
        let hello =
            json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        request(&mut client, "initialize", hello).await;
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }
    client
}

fn uris(answer: &Value) -> Vec<String> {
    let resources = answer["result"]["resources"].as_array().unwrap_or_else(|| panic!("{answer}"));
    resources.iter().map(|resource| resource["uri"].as_str().expect("a URI").to_owned()).collect()
}

#[tokio::test]
async fn instances_stand_in_the_list_of_resources() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let server = mcp_runtime::server!()
            .resources(resources![lists::note, lists::day, lists::today, order::fixed])
            .state(lists::Notes((1..=4).collect::<Vec<u32>>().into()))
            .page_size(3)
            .caching(std::time::Duration::from_secs(60), true)
            .build()
            .expect("it builds");
        let mut client = connect(&server, revision).await;
        let first = request(&mut client, "resources/list", params(revision, None)).await;
        assert_eq!(uris(&first), ["days://monday", "days://today", "a://x/y"], "{first}");
        assert!(first["result"].get("cacheScope").is_none_or(|scope| scope == "private"), "{first}");
        let cursor = &first["result"]["nextCursor"];
        let second = request(&mut client, "resources/list", params(revision, Some(cursor))).await;
        assert_eq!(uris(&second), ["notes://1", "notes://2", "notes://3"]);
        let note = &second["result"]["resources"][0];
        assert_eq!(
            (&note["name"], &note["mimeType"], &note["size"]),
            (&json!("note 1"), &json!("text/markdown"), &json!(7))
        );
        let third =
            request(&mut client, "resources/list", params(revision, Some(&second["result"]["nextCursor"]))).await;
        assert_eq!(uris(&third), ["notes://4"]);
        assert!(third["result"].get("nextCursor").is_none(), "{third}");
        for bogus in [json!("zzz"), json!(""), json!(1), json!("cmVzb3VyY2VzCng"), json!("dG9vbHMKeAp5")] {
            let answer = request(&mut client, "resources/list", params(revision, Some(&bogus))).await;
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
        }
        server.handle().disable_resource("note");
        let last = request(&mut client, "resources/list", params(revision, Some(cursor))).await;
        assert!(uris(&last).is_empty(), "what is hidden lists nothing, and the cursor is still one: {last}");
    }
}

#[tokio::test]
async fn a_list_that_fails_is_an_internal_error() {
    let revision = "2026-07-28";
    let server = |listed: Vec<&'static _>| {
        let server = mcp_runtime::server!().resources(listed).state(lists::Notes(vec![1].into()));
        server.timeout(std::time::Duration::from_millis(20)).build().expect("it builds")
    };
    let broken = mcp_runtime::server!().resources(resources![lists::note, lists::day]).state(lists::Broken);
    let broken = broken.state(lists::Notes(vec![1].into())).build().expect("it builds");
    let panicking = server(resources![lists::mine, lists::day].to_vec());
    let slow = server(resources![lists::day, lists::slow].to_vec());
    for server in [broken, panicking, slow] {
        let mut client = connect(&server, revision).await;
        let answer = request(&mut client, "resources/list", params(revision, None)).await;
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        assert!(!answer.to_string().contains("secret"), "{answer}");
    }
}
