//! Every kind of item, public and private, documented: what several of these crates compile under their own lints.
use mcp_runtime::FromContext;
use mcp_runtime::prelude::*;
use std::collections::BTreeMap;

/// A point on the earth.
#[mcp_type]
#[derive(Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Point {
    /// From west to east.
    #[arg(min = -180, max = 180)]
    pub degrees_east: f64,
    /// From south to north.
    #[arg(default, min = -90, max = 90, example = 48.2)]
    pub degrees_north: f64,
    /// What it is called.
    #[arg(default = "somewhere", rename = "type", max_length = 80)]
    pub name: String,
    /// Its neighbours.
    #[arg(default = Vec::new(), max_items = 8)]
    pub(crate) neighbours: Vec<Self>,
}

/// A shape.
#[mcp_type]
#[derive(Debug, Clone)]
pub enum Shape {
    /// A round one.
    Circle {
        /// In metres.
        #[arg(min = 0, default = 1.0)]
        radius: f64,
    },
    /// A long one.
    #[arg(rename = "path", description = "A line.")]
    Line(Vec<Point>),
    /// None at all.
    Nothing,
}

/// A page of anything.
#[mcp_type]
#[derive(Debug, Clone)]
pub struct Page<T>
where
    T: Clone,
{
    /// What is on it.
    pub items: Vec<T>,
    /// The next page's number.
    #[arg(default = 1)]
    pub next: u32,
}

/// From here to there.
#[mcp_type]
#[derive(Debug, Clone)]
pub struct Line {
    /// The first point.
    pub from: Point,
    /// What comes after it.
    pub r#in: Option<Box<Self>>,
    length: f64,
}

#[mcp_type]
struct Private(#[arg(min_length = 1)] String);

/// Something shared.
#[derive(Debug, Clone, Default)]
pub struct Notes(BTreeMap<String, String>);

/// Who asks.
#[derive(Debug)]
pub struct Tenant(String);

impl FromContext for Tenant {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        Ok(Self(cx.protocol_version().to_owned()))
    }
}

/// Adds two numbers.
#[mcp_tool(read_only, idempotent, open_world = false, title = "Add")]
#[must_use]
pub const fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Moves a point.
#[mcp_tool(timeout = "5s")]
pub(crate) async fn travel(
    /// Where from.
    from: &Point,
    shape: Option<Shape>,
    #[arg(default = 3, min = 1, max = 9, example = 2, header = "Steps")] steps: u32,
    #[arg(default, pattern = "^[a-z]*$", rename = "in")] language: &str,
    notes: State<Notes>,
    cx: &Context,
    Tenant(tenant): Tenant,
) -> Result<Page<Point>, ToolError> {
    std::future::ready(()).await;
    if notes.0.contains_key(language) || cx.wants_progress() {
        return Err(ToolError::new(format!("{tenant} cannot travel {steps} {shape:?}")));
    }
    Ok(Page { items: vec![from.clone()], next: 2 })
}

/// Takes all arguments as one.
#[mcp_tool(blocking, ignore_unknown)]
fn whole(Args(all): Args<Point>) -> String {
    all.name
}

/// Leaves out where a line begins.
#[mcp_tool]
fn shorten(Args(line): Args<Line>) -> Option<Line> {
    line.r#in.map(|rest| Line { length: line.length, ..*rest })
}

/// Takes and gives nothing.
#[mcp_tool]
const fn nothing() {}

/// Takes a private type.
#[mcp_tool]
fn private(text: Private, _rest: &[String]) -> String {
    text.0
}

/// Has a keyword for a name.
#[mcp_tool]
const fn r#match(r#type: String) -> String {
    r#type
}

/// Is there on some systems.
#[cfg(any(unix, windows))]
#[mcp_tool]
const fn somewhere() -> &'static str {
    "here"
}

/// Is never there.
#[mcp_tool]
#[cfg(not(any(unix, windows)))]
fn somewhere(nowhere: NoSuchType) {}

/// All notes.
#[mcp_resource(uri = "notes://all", mime_type = "text/plain", size = 4)]
const fn all_notes() -> &'static [u8] {
    b"none"
}

/// One note.
#[mcp_resource(uri = "notes://{day}/{+path}{?lines}")]
pub async fn note(
    #[arg(complete = days)] day: u8,
    path: &str,
    lines: Option<u32>,
    notes: &State<Notes>,
) -> Option<String> {
    std::future::ready(()).await;
    notes.0.get(path).map(|note| format!("{day} {lines:?} {note}"))
}

async fn days(completion: Completion) -> Vec<String> {
    std::future::ready(()).await;
    vec![completion.value]
}

/// Asks for a review.
#[mcp_prompt(title = "Review")]
#[must_use]
pub fn review(code: &str, #[arg(complete = languages, default = "rust")] language: &str) -> Messages {
    Messages::new().user(format!("Review this {language} code:")).user(code)
}

fn languages(_typed: &str) -> Vec<&'static str> {
    vec!["rust"]
}

/// An object.
#[derive(Debug, Clone, Copy, Default)]
pub struct Object {
    count: u64,
}

#[mcp_server(prefix = "object", list = functions)]
impl Object {
    /// The count.
    #[mcp_tool(read_only)]
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The same, later.
    #[mcp_tool]
    async fn later(self: std::sync::Arc<Self>, #[arg(default = 1)] times: u64) -> u64 {
        std::future::ready(()).await;
        self.count * times
    }

    /// Asks for a count.
    #[mcp_prompt]
    fn ask(count: u64) -> String {
        Self { count }.helper().to_string()
    }

    const fn helper(self) -> u64 {
        self.count
    }
}

/// An object with something in it.
#[derive(Debug, Clone, Copy)]
pub struct Holder<T>(T);

#[mcp_server(list = functions)]
impl<T> Holder<T>
where
    T: ToString + Send + Sync + 'static,
{
    /// What is in it.
    #[mcp_resource(uri = "holder://value")]
    fn value(&self) -> String {
        self.0.to_string()
    }
}

/// Functions with a prefix.
#[mcp_module(prefix = "prefixed", list = functions)]
pub mod prefixed {
    use mcp_runtime::prelude::*;

    /// Does nothing.
    #[mcp_tool]
    pub(crate) const fn nothing() {}

    mod deep {
        use mcp_runtime::prelude::*;

        /// Does nothing.
        #[mcp_tool(name = "deep")]
        const fn nothing() {}
    }
}

/// Functions inside of functions and of modules.
pub mod inner {
    use mcp_runtime::prelude::*;

    /// Is seen by its parent only.
    #[mcp_prompt]
    pub(super) async fn greet(name: String) -> Result<String, String> {
        std::future::ready(()).await;
        Ok(name)
    }
}

/// The server of explicit lists.
pub fn listed() -> mcp_runtime::Server {
    /// Is a function inside of a function.
    #[mcp_tool]
    const fn local(a: i64) -> i64 {
        a
    }
    server!()
        .functions(Object::functions())
        .functions(Holder::<u8>::functions())
        .functions(prefixed::functions())
        .state(Object::default())
        .state(Holder(1_u8))
        .state(Notes::default())
        .tools(tools![add, travel, whole, nothing, private, r#match, somewhere, local])
        .resources(resources![all_notes, note])
        .prompts(prompts![review, inner::greet])
}
