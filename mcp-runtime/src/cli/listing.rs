//! `list`: what the server has, as tables or as JSON.

use super::content;
use super::failure::Failure;
use super::pretty::pretty;
use super::shell::{List, Shell, text};
use super::table::{Cell, Table, first_line, list};
use super::types;
use clap::ArgMatches;
use serde_json::Value;

/// Runs `list`.
pub(super) async fn run(matches: &ArgMatches, shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let kind = matches.get_one::<String>("kind").map(String::as_str);
    let lists: &[List] = match kind {
        Some("tools") => &[List::TOOLS],
        Some("resources") => &[List::RESOURCES, List::TEMPLATES],
        Some("prompts") => &[List::PROMPTS],
        _ => &[List::TOOLS, List::RESOURCES, List::TEMPLATES, List::PROMPTS],
    };
    if matches.get_flag("json") { json(lists, shell).await } else { tables(kind, shell).await }
}

/// One object with the lists under the protocol's own names, every item exactly as clients get it.
async fn json(lists: &[List], shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let mut members = Vec::new();
    for list in lists {
        let items = shell.list(*list).await?;
        let items: Vec<&str> = items.iter().map(|item| item.get()).collect();
        members.push(format!("\"{}\":[{}]", list.key, items.join(",")));
    }
    content::write_text(shell.console, &pretty(&format!("{{{}}}", members.join(","))))?;
    Ok(())
}

async fn tables(kind: Option<&str>, shell: &mut Shell<'_, '_>) -> Result<(), Failure> {
    let wanted = |name: &str| kind.is_none_or(|kind| kind == name);
    let mut texts = Vec::new();
    if wanted("tools") {
        texts.extend(tools(&shell.items(List::TOOLS).await?));
    }
    if wanted("resources") {
        let mut items = shell.items(List::RESOURCES).await?;
        items.extend(shell.items(List::TEMPLATES).await?);
        texts.extend(resources(&items));
    }
    if wanted("prompts") {
        texts.extend(prompts(&shell.items(List::PROMPTS).await?));
    }
    if texts.is_empty() {
        writeln!(shell.console.err, "the server has no {}", kind.unwrap_or("functions"))?;
        return Ok(());
    }
    write!(shell.console.out, "{}", texts.join("\n"))?;
    shell.console.out.flush()?;
    Ok(())
}

fn tools(items: &[Value]) -> Option<String> {
    let mut table = Table::new(["TOOL", "ARGUMENTS", "DESCRIPTION"]);
    for item in items {
        let arguments = types::arguments(item.get("inputSchema").unwrap_or(&Value::Null));
        table.row([first_line(text(item, "name")), list(&arguments), description(item)]);
    }
    table.into_text()
}

fn resources(items: &[Value]) -> Option<String> {
    let mut table = Table::new(["RESOURCE", "URI", "TYPE", "DESCRIPTION"]);
    for item in items {
        let uri = [text(item, "uri"), text(item, "uriTemplate")].concat();
        let cells = [first_line(text(item, "name")), first_line(&uri), first_line(text(item, "mimeType"))];
        let [name, uri, mime_type] = cells;
        table.row([name, uri, mime_type, description(item)]);
    }
    table.into_text()
}

fn prompts(items: &[Value]) -> Option<String> {
    let mut table = Table::new(["PROMPT", "ARGUMENTS", "DESCRIPTION"]);
    for item in items {
        let arguments = item.get("arguments").and_then(Value::as_array);
        let argument = |argument: &Value| {
            let required = argument.get("required") == Some(&Value::Bool(true));
            format!("{}{}", text(argument, "name"), if required { "" } else { "?" })
        };
        let arguments: Vec<String> = arguments.into_iter().flatten().map(argument).collect();
        table.row([first_line(text(item, "name")), list(&arguments), description(item)]);
    }
    table.into_text()
}

/// What an item is: the first line of its description, or else its title.
fn description(item: &Value) -> Cell {
    let description = first_line(text(item, "description"));
    if description.is_empty() { first_line(text(item, "title")) } else { description }
}
