//! `read` and `get`: resources and prompts.

use super::arguments::{self, Word};
use super::client::Trouble;
use super::content::{self, Block, Contents, Piece};
use super::failure::Failure;
use super::pretty::pretty;
use super::shell::{List, Shell, text};
use crate::schema;
use clap::ArgMatches;
use serde::Deserialize;
use serde_json::Value;

/// The result of `resources/read`.
#[derive(Deserialize)]
struct ReadResult {
    contents: Vec<Contents>,
}

/// The result of `prompts/get`.
#[derive(Deserialize)]
struct PromptResult {
    messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Block,
}

/// Runs `read`.
pub(super) async fn read(matches: &ArgMatches, shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let uri = matches.get_one::<String>("uri").map(String::as_str).unwrap_or_default();
    let answer = match shell.ask("resources/read", &[("uri", &Value::from(uri).to_string())]).await {
        Ok(answer) => answer,
        Err(Trouble::Refused(refusal)) if refusal.data.as_ref().is_some_and(|data| data.get("uri").is_some()) => {
            return Err(not_found(uri, &refusal.message, shell).await?);
        }
        Err(trouble) => return Err(trouble.into()),
    };
    if matches.get_flag("raw") {
        return Ok(content::write_text(shell.console, &pretty(answer.get()))?);
    }
    let result: ReadResult = serde_json::from_str(answer.get()).map_err(|error| Failure::failed(error.to_string()))?;
    let pieces: Vec<Piece> = result.contents.into_iter().map(Contents::into_piece).collect();
    Ok(content::write(shell.console, &pieces)?)
}

/// The failure for a URI that leads to no resource.
async fn not_found(uri: &str, message: &str, shell: &mut Shell<'_, '_>) -> Result<Failure, Failure> {
    let fixed = shell.items(List::RESOURCES).await?;
    let templates = shell.items(List::TEMPLATES).await?;
    let known = fixed.iter().map(|item| text(item, "uri"));
    let meant = schema::closest(uri, known).or_else(|| {
        // A template cannot be compared with a URI; its scheme can.
        let scheme = |uri: &str| uri.split_once(':').map(|(scheme, _)| scheme.to_owned()).unwrap_or_default();
        let uris =
            fixed.iter().map(|item| text(item, "uri")).chain(templates.iter().map(|item| text(item, "uriTemplate")));
        let uris: Vec<&str> = uris.collect();
        let schemes: Vec<String> = uris.iter().map(|uri| scheme(uri)).collect();
        let typed = scheme(uri);
        let meant = schema::closest(&typed, schemes.iter().map(String::as_str).filter(|known| *known != typed))?;
        uris.into_iter().find(|uri| scheme(uri) == meant)
    });
    Ok(match meant {
        Some(meant) => Failure::unknown("resource", uri, Some(meant)),
        None => Failure::failed(format!("{message}: {uri}")),
    })
}

/// Runs `get`.
pub(super) async fn get(matches: &ArgMatches, shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let name = matches.get_one::<String>("name").map(String::as_str).unwrap_or_default();
    let prompts = shell.items(List::PROMPTS).await?;
    let Some(prompt) = prompts.iter().find(|prompt| text(prompt, "name") == name) else {
        let names = prompts.iter().map(|prompt| text(prompt, "name"));
        return Err(Failure::unknown("prompt", name, schema::closest(name, names)));
    };
    let known = prompt.get("arguments").and_then(Value::as_array);
    let argument = |argument| (text(argument, "name"), argument.get("required") == Some(&Value::Bool(true)));
    let known: Vec<(&str, bool)> = known.into_iter().flatten().map(argument).collect();
    let words: Vec<Word> = matches.get_many("arguments").into_iter().flatten().cloned().collect();
    let arguments = arguments::of_prompt(&known, &words).map_err(|problems| Failure::arguments(&problems))?;
    let name = Value::from(name).to_string();
    let answer = shell.ask("prompts/get", &[("name", &name), ("arguments", &arguments)]).await?;
    if matches.get_flag("raw") {
        return Ok(content::write_text(shell.console, &pretty(answer.get()))?);
    }
    let result: PromptResult =
        serde_json::from_str(answer.get()).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(content::write(shell.console, &pieces(result.messages))?)
}

/// The messages; who speaks is only said where that is not the person alone.
fn pieces(messages: Vec<Message>) -> Vec<Piece> {
    let only = matches!(messages.as_slice(), [only] if only.role == "user");
    let mut pieces = Vec::new();
    for message in messages {
        if !only {
            let gap = if pieces.is_empty() { "" } else { "\n" };
            pieces.push(Piece::Text(format!("{gap}{}:", message.role)));
        }
        pieces.push(message.content.into_piece());
    }
    pieces
}
