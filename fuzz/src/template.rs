//! A server with one resource, whose template is read at run time by the same code that reads it when a function is
//! compiled.

use mcp_runtime::__private::variable::*;
use mcp_runtime::__private::{
    Call, Describe, Entry, Origin, Outcome, Part as Prepared, ResourceEntry, ResourceReturn, Variable,
};
use mcp_runtime::{AnyText, BuiltServer, Server};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

#[path = "../../mcp-macros/src/parse/uri_template.rs"]
mod parser;

pub(crate) use parser::{Part, parse};

/// Entries live as long as the program: so many templates are made and no more.
const MOST: usize = 100_000;

/// A template, as the runtime takes it.
#[derive(Clone, Copy)]
struct Current {
    text: &'static str,
    parts: &'static [Prepared],
}

thread_local! {
    static CURRENT: Cell<Current> = const { Cell::new(Current { text: "", parts: &[] }) };
    static KNOWN: RefCell<HashMap<String, Current>> = RefCell::default();
}

/// What the server's resource takes for its variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Any text.
    Any,
    /// Text that does not lead out of where a path begins.
    Inside,
}

static ANY: ResourceEntry = entry::<true>();
static INSIDE: ResourceEntry = entry::<false>();

const fn entry<const IS_ANY: bool>() -> ResourceEntry {
    Entry {
        name: "resource",
        origin: Origin::at(file!(), line!(), module_path!()),
        describe: describe::<IS_ANY>,
        call: call::<IS_ANY>,
    }
}

/// The server; `None` when there have been too many templates. Until the next one is built, its functions are this one's.
pub(crate) fn server(text: &str, parts: &[Part], takes: Takes) -> Option<BuiltServer> {
    CURRENT.set(intern(text, parts)?);
    let entry = if takes == Takes::Any { &ANY } else { &INSIDE };
    Some(Server::new("templates", "0").resources([entry]).build().expect("what a macro takes can be served"))
}

fn intern(text: &str, parts: &[Part]) -> Option<Current> {
    KNOWN.with_borrow_mut(|known| {
        if let Some(current) = known.get(text) {
            return Some(*current);
        }
        if known.len() == MOST {
            return None;
        }
        let current = Current { text: leak(text), parts: parts.iter().map(prepared).collect::<Vec<_>>().leak() };
        known.insert(text.to_owned(), current);
        Some(current)
    })
}

fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn prepared(part: &Part) -> Prepared {
    let all = |names: &[String]| -> &'static [&'static str] {
        names.iter().map(|name| leak(name)).collect::<Vec<_>>().leak()
    };
    match part {
        Part::Literal(text) => Prepared::Literal(leak(text)),
        Part::Variable(name) => Prepared::Variable(leak(name)),
        Part::Reserved(name) => Prepared::Reserved(leak(name)),
        Part::Segments(name) => Prepared::Segments(leak(name)),
        Part::Query(names) => Prepared::Query(all(names)),
        Part::Continuation(names) => Prepared::Continuation(all(names)),
    }
}

/// The variables: names, and whether they may be missing.
fn variables() -> impl Iterator<Item = (&'static str, bool)> {
    CURRENT.get().parts.iter().flat_map(|part| {
        let (names, optional): (&[&'static str], bool) = match part {
            Prepared::Literal(_) => (&[], false),
            Prepared::Variable(name) | Prepared::Reserved(name) | Prepared::Segments(name) => {
                (std::slice::from_ref(name), false)
            }
            Prepared::Query(names) | Prepared::Continuation(names) => (names, true),
        };
        names.iter().map(move |name| (*name, optional))
    })
}

fn describe<const IS_ANY: bool>(describe: &mut Describe) {
    let current = CURRENT.get();
    describe.uri(current.text, current.parts);
    for (name, optional) in variables() {
        let param = describe.param(name, "");
        match (IS_ANY, optional) {
            (true, false) => param.variable(Variable::<AnyText<String>>::HERE.resolve()),
            (true, true) => param.variable(Variable::<Option<AnyText<String>>>::HERE.resolve()),
            (false, false) => param.variable(Variable::<String>::HERE.resolve()),
            (false, true) => param.variable(Variable::<Option<String>>::HERE.resolve()),
        }
    }
    describe.returns(ResourceReturn::<String>::HERE.resolve());
}

/// Gives the values in order, as JSON.
fn call<const IS_ANY: bool>(mut call: Call<'_>) -> Outcome<mcp_runtime::ResourceReply> {
    let mut values: Vec<Option<String>> = Vec::new();
    for (index, (_, optional)) in variables().enumerate() {
        let value = match (IS_ANY, optional) {
            (true, false) => call.take(index, Variable::<AnyText<String>>::HERE.resolve()).map(|text| Some(text.0)),
            (true, true) => call
                .take(index, Variable::<Option<AnyText<String>>>::HERE.resolve())
                .map(|text| text.map(|text| text.0)),
            (false, false) => call.take(index, Variable::<String>::HERE.resolve()).map(Some),
            (false, true) => call.take(index, Variable::<Option<String>>::HERE.resolve()),
        };
        let Some(value) = value else { return call.refuse() };
        values.push(value);
    }
    let text = serde_json::to_string(&values).expect("texts");
    call.reply(ResourceReturn::<String>::HERE.resolve().reply(text))
}
