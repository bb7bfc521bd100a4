//! Constraints that do not go with their type, and samples that do not go with their constraints: the server does not
//! build, and says which function is meant. A program of its own: what is registered here would be part of every server.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::{BuildError, Server};
use std::collections::HashMap;

/// A type with every option on a field that it does not fit.
#[mcp_type]
pub struct Odd {
    #[arg(min = 1)]
    text: String,
    #[arg(pattern = "^a")]
    number: Option<u8>,
    #[arg(max = 300)]
    byte: u8,
    #[arg(min = 256)]
    nothing: u8,
    #[arg(enum = [1, 2])]
    word: String,
    #[arg(enum = ["a"])]
    flag: bool,
    #[arg(max = 18446744073709551615)]
    huge: u64,
    #[arg(max_items = 3)]
    one: Inner,
}

#[mcp_type]
pub struct Inner {
    #[arg(min_length = 1)]
    list: Vec<u8>,
}

/// Fields that do not fit, one below another.
#[mcp_tool]
fn fields(odd: Vec<Odd>) {
    let _ = odd;
}

/// The same as the whole arguments.
#[mcp_tool]
fn whole(_odd: Args<Inner>) {}

/// The same as a result.
#[mcp_tool]
fn result() -> Inner {
    Inner { list: Vec::new() }
}

/// Parameters that do not fit.
#[mcp_tool]
fn parameters(
    #[arg(min = 1)] text: String,
    #[arg(min_items = 1)] number: u8,
    #[arg(enum = [1, 300])] byte: u8,
    #[arg(min_length = 1)] map: HashMap<String, u8>,
) {
    let _ = (text, number, byte, map);
}

const LEAST: i64 = 10;

/// Bounds that are not written out.
#[mcp_tool]
fn computed(#[arg(min = LEAST, max = LEAST - 1)] number: i64) {
    let _ = number;
}

/// Samples of parameters.
#[mcp_tool]
fn samples(
    #[arg(default = 500, max = 100)] limit: u32,
    #[arg(example = "x")] count: u32,
    #[arg(example = "b", enum = ["a"])] word: String,
    #[arg(default = "long", max_length = 3, example = "ok")] text: String,
) {
    let _ = (limit, count, word, text);
}

#[mcp_type]
pub struct Sampled {
    #[arg(default, min = 1)]
    least: u8,
    #[arg(example = -1)]
    count: u32,
    #[serde(default)]
    #[schemars(length(min = 1))]
    own: String,
}

/// Samples of fields.
#[mcp_tool]
fn sampled(sampled: Sampled) {
    let _ = (sampled.least, sampled.count, sampled.own);
}

/// A prompt and a resource are checked as well.
#[mcp_prompt]
fn prompt(#[arg(min = 1)] text: String) -> String {
    text
}

#[mcp_resource(uri = "odd://{number}", description = "A resource.")]
fn resource(#[arg(max_length = 1)] number: u8) -> String {
    number.to_string()
}

/// What `build` says, one problem a line.
fn problems(server: Server) -> Vec<String> {
    let error: BuildError = server.build().expect_err("it must not build");
    let text = error.to_string();
    let first = usize::from(text.contains(" problems:"));
    text.lines().skip(first).map(str::to_owned).collect()
}

fn empty() -> Server {
    mcp_runtime::server!()
}

fn assert_told(problems: &[String], expected: &[&str]) {
    for text in expected {
        let told = problems.iter().filter(|problem| problem.contains(text) && problem.contains("misfits.rs:"));
        assert_eq!(told.count(), 1, "{text} in {problems:#?}");
    }
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
}

#[test]
fn options_on_fields_that_they_do_not_fit_are_told_with_their_paths() {
    assert_told(
        &problems(empty().tools(tools![fields])),
        &[
            "`odd`: `text`: `min` is for numbers",
            "`number`: `pattern` is for texts",
            "`byte`: `max = 300` is beyond what its type holds, 255",
            "`nothing`: no value fits `min = 256`",
            "`word`: the type holds no such value as 1 of `enum`",
            "`flag`: `enum` is for texts and integers",
            "`huge`: `max = 18446744073709551615` is beyond 9007199254740991",
            "`one`: `max_items` is for lists, sets and maps",
            "`one.list`: `min_length` is for texts",
        ],
    );
    assert_told(&problems(empty().tools(tools![whole])), &["`list`: `min_length` is for texts"]);
    assert_told(&problems(empty().tools(tools![result])), &["result: `list`: `min_length` is for texts"]);
}

#[test]
fn options_on_parameters_that_they_do_not_fit_are_told() {
    assert_told(
        &problems(empty().tools(tools![parameters, computed])),
        &[
            "`text`: `min` is for numbers",
            "`number`: `min_items` is for lists, sets and maps",
            "`byte`: the type holds no such value as 300 of `enum`",
            "`map`: `min_length` is for texts",
            "`number`: no value fits `max = 9`: its minimum is 10",
        ],
    );
    assert_told(
        &problems(empty().prompts(prompts![prompt]).resources(resources![resource])),
        &["`text`: `min` is for numbers", "`number`: `max_length` is for texts"],
    );
}

#[test]
fn samples_that_their_constraints_refuse_are_told() {
    assert_told(
        &problems(empty().tools(tools![samples, sampled])),
        &[
            "`limit`: its default is 500, but the schema takes an integer from 0 to 100",
            "`count`: its example is \"x\"",
            "`word`: its example is \"b\", but the schema takes \"a\"",
            "`text`: its default is \"long\", but the schema takes a string of at most 3 characters",
            "`sampled.least`: its default is 0",
            "`sampled.count`: its example is -1",
            "`sampled.own`: its default is \"\"",
        ],
    );
}
