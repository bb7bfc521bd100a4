//! What is wrong with arguments, told by field.

use crate::handler::{DecodeProblem, Slots};
use crate::registry::{Function, ToolFunction};
use crate::schema::{self, Problem, Validator};
use crate::wire::Json;
use serde_json::{Map, Value};

/// The validator that has to see a tool's arguments before they are decoded: where the schema says more than decoding
/// checks, or where something in the arguments may be taken for more than the schema allows.
pub(super) fn judge<'t>(tool: &'t ToolFunction, arguments: Option<Json<'_>>) -> Option<&'t Validator> {
    let is_doubtful = || {
        let lax = tool.function.lax.as_ref().zip(arguments);
        lax.is_some_and(|(lax, arguments)| lax.is_doubtful(arguments.get()))
    };
    tool.function.validator.as_ref().or_else(|| is_doubtful().then(|| tool.explainer()).flatten())
}

/// The text that answers arguments which have more than `most` bytes.
pub(super) fn too_large<R>(function: &Function<R>, arguments: Option<Json<'_>>, most: usize) -> Option<String> {
    let size = arguments.map_or(0, |arguments| arguments.get().len());
    let problem = || Problem::wrong("", format!("at most {most} bytes"), size.to_string());
    (size > most).then(|| report(function, &[problem()]))
}

/// Checks arguments against a validator, before anything is decoded.
pub(super) fn check(validator: &Validator, arguments: Option<Json<'_>>) -> Vec<Problem> {
    match arguments.map(Json::decode).transpose() {
        Ok(arguments) => validator.problems(&arguments.unwrap_or_else(|| Value::Object(Map::new()))),
        // JSON may hold what no value can: numbers out of range, halves of characters, endless nesting.
        Err(_) => vec![Problem::wrong("", "values that can be read", "numbers or texts that cannot")],
    }
}

/// Checks arguments that came as text against the function's validator, if it has one: each as what its schema takes.
pub(super) fn check_texts<R>(function: &Function<R>, slots: &Slots<'_>) -> Vec<Problem> {
    let Some(validator) = &function.validator else { return Vec::new() };
    let mut arguments = Map::new();
    for (index, name) in function.names.iter().enumerate() {
        let Some(name) = name else { continue };
        let kind = function.argument_schema(name).and_then(|schema| schema.get("type"));
        let takes_text = kind.is_none_or(|kind| kind == "string");
        if let Some(value) = slots.value(index, takes_text) {
            arguments.insert(name.clone(), value);
        }
    }
    validator.problems(&Value::Object(arguments))
}

/// The text that answers refused arguments: every wrong field, what was expected, and what came if it is short.
///
/// Decoding stops at the first problem inside of a field; a validator, where there is one, knows all of them.
pub(super) fn text<R>(
    function: &Function<R>,
    problems: &[DecodeProblem],
    explainer: Option<&Validator>,
    arguments: Option<Json<'_>>,
) -> String {
    let repeated = problems.iter().any(|p| matches!(p, DecodeProblem::Repeated { .. } | DecodeProblem::NotAnObject));
    let explained = match explainer {
        // A repeated member is lost as soon as the arguments are read as one value.
        Some(validator) if !repeated => check(validator, arguments),
        _ => Vec::new(),
    };
    let problems = match explained.is_empty() {
        true => problems.iter().map(|problem| explain(function, problem)).collect(),
        false => explained,
    };
    report(function, &problems)
}

/// The text for problems that are in plain words already.
pub(super) fn report<R>(function: &Function<R>, problems: &[Problem]) -> String {
    format!("Invalid arguments for `{}`:\n{}", function.entry.name, schema::report(problems))
}

/// One problem of decoding, in plain words.
fn explain<R>(function: &Function<R>, problem: &DecodeProblem) -> Problem {
    let name = |index: usize| function.names.get(index).cloned().flatten().unwrap_or_default();
    let expected =
        |name: &str| function.argument_schema(name).map_or_else(|| "another value".to_owned(), schema::expectation);
    match problem {
        DecodeProblem::Missing { index } => {
            let name = name(*index);
            let expected = expected(&name);
            Problem::missing(name, expected)
        }
        DecodeProblem::Wrong { index, path, message, got } => {
            let name = index.map(name).unwrap_or_default();
            match path.is_empty() {
                true => Problem::wrong(name.clone(), expected(&name), schema::show_raw(got)),
                // The path ends inside of the value, where only decoding knows what it wanted.
                false => Problem::wrong(schema::member(&name, path), plain(message), schema::show_raw(got)),
            }
        }
        DecodeProblem::Unreadable { index, message, got } => {
            Problem::wrong(name(*index), plain(message), schema::show_raw(got))
        }
        DecodeProblem::Unknown { name } => {
            let known = function.names.iter().flatten().map(String::as_str);
            Problem::unknown(name.clone(), schema::closest(name, known))
        }
        DecodeProblem::Repeated { name } => Problem::wrong(name.clone(), "it once", "it twice"),
        DecodeProblem::NotAnObject => Problem::wrong("", "an object", "something else"),
    }
}

/// A decoder's message without the position, which counts from a place that the sender cannot see.
fn plain(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    format!("another value ({message})")
}
