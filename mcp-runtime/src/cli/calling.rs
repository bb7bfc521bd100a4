//! `call`: a tool's arguments, its result, and its failure.

use super::arguments::{self, Word};
use super::content::{self, Block, Piece};
use super::failure::{FAILED, Failure};
use super::pretty::pretty;
use super::shell::{List, Shell, text};
use crate::schema;
use clap::ArgMatches;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The result of `tools/call`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'a> {
    content: Vec<Block>,
    #[serde(borrow)]
    structured_content: Option<&'a RawValue>,
    #[serde(default)]
    is_error: bool,
}

/// Runs `call`.
pub(super) async fn run(matches: &ArgMatches, shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let name = matches.get_one::<String>("name").map(String::as_str).unwrap_or_default();
    let given = matches.get_one::<String>("json").map(|json| given(json, shell)).transpose()?;
    let tools = shell.items(List::TOOLS).await?;
    let Some(tool) = tools.iter().find(|tool| text(tool, "name") == name) else {
        let names = tools.iter().map(|tool| text(tool, "name"));
        return Err(Failure::unknown("tool", name, schema::closest(name, names)));
    };
    let arguments = match given {
        Some(json) => json,
        None => {
            let words: Vec<Word> = matches.get_many("arguments").into_iter().flatten().cloned().collect();
            let schema = tool.get("inputSchema").unwrap_or(&Value::Null);
            arguments::of_tool(schema, &words).map_err(|problems| Failure::arguments(&problems))?
        }
    };
    let name = Value::from(name).to_string();
    let answer = shell.ask("tools/call", &[("name", &name), ("arguments", &arguments)]).await?;
    let result: ToolResult<'_> =
        serde_json::from_str(answer.get()).map_err(|error| Failure::failed(error.to_string()))?;
    if matches.get_flag("raw") {
        content::write_text(shell.console, &pretty(answer.get()))?;
        return if result.is_error { Err(Failure::silent(FAILED)) } else { Ok(()) };
    }
    if result.is_error { Err(failure(result)) } else { success(result, shell) }
}

/// The arguments of `--json`: a JSON object, from the input where it is `-`.
fn given(json: &str, shell: &mut Shell<'_, '_>) -> Result<String, Failure> {
    let mut json = json.to_owned();
    if json == "-" {
        json.clear();
        let read = shell.console.input.read_to_string(&mut json);
        read.map_err(|error| Failure::usage(format!("`--json -`: the input is not readable: {error}")))?;
    }
    match serde_json::from_str::<&RawValue>(&json) {
        Ok(value) if value.get().starts_with('{') => Ok(value.get().to_owned()),
        Ok(value) => {
            let got = schema::show_raw(value.get());
            Err(Failure::usage(format!("`--json`: expected an object of arguments, got {got}")))
        }
        Err(error) => Err(Failure::usage(format!("`--json`: this is not JSON: {error}"))),
    }
}

/// A structured value is the result; blocks that say more than the value itself go to people.
fn success(result: ToolResult<'_>, shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let console = &mut *shell.console;
    let Some(structured) = result.structured_content else {
        let pieces: Vec<Piece> = result.content.into_iter().map(Block::into_piece).collect();
        return Ok(content::write(console, &pieces)?);
    };
    for note in result.content.iter().filter_map(Block::as_text).filter(|text| !is_same(text, structured)) {
        writeln!(console.err, "{}", note.trim_end_matches('\n'))?;
    }
    Ok(content::write_text(console, &pretty(structured.get()))?)
}

/// Is a text only the value's JSON, for clients that do not know structured results?
fn is_same(text: &str, structured: &RawValue) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    text == structured.get() || value(text).is_some_and(|text| Some(text) == value(structured.get()))
}

/// The text of a result that is an error.
fn failure(result: ToolResult<'_>) -> Failure {
    let texts: Vec<&str> = result.content.iter().filter_map(Block::as_text).collect();
    match (texts.as_slice(), result.structured_content) {
        ([], Some(structured)) => Failure::failed(pretty(structured.get())),
        ([], None) => Failure::failed("the tool failed and does not say why"),
        (texts, _) => Failure::failed(texts.join("\n")),
    }
}
