//! Who may know whom inside the runtime.

use std::collections::BTreeSet;

use super::source::File;
use super::tokens::{Token, behind_group, stands, tokens, without_tests};

/// The modules that use nothing of the crate but themselves.
const LOWEST: [&str; 3] = ["wire", "model", "schema"];

/// The lowest layers name nothing of the crate outside themselves.
pub(super) fn lowest_layers_stand_alone(files: &[File]) -> Vec<String> {
    in_runtime(files, |module, tokens| {
        let Some(own) = module.first().filter(|first| LOWEST.contains(first)) else { return Vec::new() };
        let foreign = crate_names(tokens, module.len()).into_iter().filter(|(name, _)| name != own);
        foreign.map(|(name, line)| (line, format!("`{own}` names `crate::{name}`"))).collect()
    })
}

/// Transports carry bytes and know nothing of what is in them.
pub(super) fn transport_does_not_see_the_model(files: &[File]) -> Vec<String> {
    in_runtime(files, |module, tokens| {
        if module.first() != Some(&"transport") {
            return Vec::new();
        }
        let names = crate_names(tokens, module.len()).into_iter().filter(|(name, _)| name == "model");
        names.map(|(_, line)| (line, "`transport` names `crate::model`".to_owned())).collect()
    })
}

/// The wire turns bytes into messages and back, whoever drives it.
pub(super) fn wire_knows_no_runtime(files: &[File]) -> Vec<String> {
    in_runtime(files, |module, tokens| {
        let named = tokens.iter().filter(|token| module.first() == Some(&"wire") && token.text == "tokio");
        named.map(|token| (token.line, "`wire` names `tokio`".to_owned())).collect()
    })
}

/// What each protocol revision is called, and so what it can do, is known to `revision` alone. The names are the dates
/// that stand in its sources.
pub(super) fn revisions_are_named_in_one_place(files: &[File]) -> Vec<String> {
    let inside = |module: &[&str]| module.first() == Some(&"revision");
    let mut names = BTreeSet::new();
    in_runtime(files, |module, tokens| {
        let literals = tokens.iter().filter(|token| token.literal && inside(module));
        names.extend(literals.flat_map(|token| dates(&token.text)).map(str::to_owned));
        Vec::new()
    });
    in_runtime(files, |module, tokens| {
        let literals = tokens.iter().filter(|token| token.literal && !inside(module));
        let named = literals.filter(|token| names.iter().any(|name: &String| token.text.contains(name)));
        named.map(|token| (token.line, format!("{} belongs into `revision`", token.text))).collect()
    })
}

/// Applies a check to every source of the runtime that is no test, giving it the modules the source stands in and its
/// tokens without test items.
fn in_runtime(files: &[File], mut check: impl FnMut(&[&str], &[Token]) -> Vec<(usize, String)>) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        let Some(module) = file.runtime_module() else { continue };
        match tokens(&file.text) {
            Ok(tokens) => {
                let seen = check(&module, &without_tests(&tokens)).into_iter();
                problems.extend(seen.map(|(line, problem)| format!("{}:{line}: {problem}", file.path)));
            }
            Err(error) => problems.push(format!("{}: {error}", file.path)),
        }
    }
    problems
}

/// The top-level modules and items that paths reach through `crate::`, or through as many `super::` as lead out of the
/// `depth` modules that the source stands in.
fn crate_names(tokens: &[Token], depth: usize) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    let mut inline_modules: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        inline_modules.retain(|end| at < *end);
        if tokens[at].text == "mod" && tokens.get(at + 2).is_some_and(|token| token.text == "{") {
            inline_modules.push(behind_group(tokens, at + 2));
        }
        let (end, at_root) = path_start(tokens, at, depth + inline_modules.len());
        if at_root {
            names.extend(first_names(tokens, end));
        }
        at = end.max(at + 1);
    }
    names
}

/// If a path starts here with `crate::` or `super::`, where those words end and whether the crate's root is reached.
fn path_start(tokens: &[Token], at: usize, depth: usize) -> (usize, bool) {
    if at > 0 && tokens[at - 1].text == "::" {
        return (at, false);
    }
    if stands(tokens, at, &["crate", "::"]) {
        return (at + 2, true);
    }
    let mut end = if stands(tokens, at, &["self", "::"]) { at + 2 } else { at };
    let mut left = depth;
    while stands(tokens, end, &["super", "::"]) {
        end += 2;
        left = left.saturating_sub(1);
    }
    (end, left == 0 && depth > 0)
}

/// The first names behind a path's start: one, or the first of each branch of a group.
fn first_names(tokens: &[Token], at: usize) -> Vec<(String, usize)> {
    let Some(token) = tokens.get(at) else { return Vec::new() };
    if token.text != "{" {
        return vec![(token.text.clone(), token.line)];
    }
    let end = behind_group(tokens, at) - 1;
    let mut names = Vec::new();
    let mut at = at + 1;
    let mut starts = true;
    while at < end {
        if starts {
            names.push((tokens[at].text.clone(), tokens[at].line));
        }
        starts = tokens[at].text == ",";
        at = if tokens[at].text == "{" { behind_group(tokens, at) } else { at + 1 };
    }
    names
}

/// The dates in a text.
fn dates(text: &str) -> impl Iterator<Item = &str> {
    const DATE: &str = "2000-00-00";
    let same = |(seen, model): (u8, u8)| if model == b'0' { seen.is_ascii_digit() } else { seen == model };
    let windows = (0..text.len()).filter_map(|at| text.get(at..at + DATE.len()));
    windows.filter(move |window| window.bytes().zip(DATE.bytes()).all(same))
}

#[cfg(test)]
mod tests {
    use super::super::source::file;
    use super::*;

    #[test]
    fn a_low_layer_that_reaches_up_is_seen_on_every_way() {
        let frame = |text| lowest_layers_stand_alone(&file("mcp-runtime/src/wire/frame.rs", text));
        assert_eq!(
            frame("\nuse crate::model::Tool;"),
            ["mcp-runtime/src/wire/frame.rs:2: `wire` names `crate::model`"]
        );
        assert_eq!(frame("use crate::{wire::Id, error::{Error, Kind}, model};").len(), 2);
        assert_eq!(frame("use super::super::error::Error;").len(), 1);
        assert_eq!(frame("fn f() -> crate::Error { $crate::registry::x() }").len(), 2);
        assert_eq!(frame("mod inner { use super::super::super::error; }").len(), 1);
    }

    #[test]
    fn a_low_layer_may_name_itself_and_others_may_name_all() {
        let low = "use super::id::Id; use crate::wire::{self, Id}; use serde::Serialize; mod a { use super::super::b; }
            #[cfg(test)] mod tests { use crate::model::Tool; } pub(crate) fn f() {} pub(super) fn g() {}";
        assert!(lowest_layers_stand_alone(&file("mcp-runtime/src/wire/frame.rs", low)).is_empty());
        let high = "use crate::model::Tool;";
        assert!(lowest_layers_stand_alone(&file("mcp-runtime/src/session/mod.rs", high)).is_empty());
        assert!(lowest_layers_stand_alone(&file("mcp-runtime/src/wire/tests.rs", high)).is_empty());
    }

    #[test]
    fn a_transport_that_sees_the_model_is_seen() {
        let transport = |text| transport_does_not_see_the_model(&file("mcp-runtime/src/transport/stdio.rs", text));
        assert_eq!(transport("use crate::{model::Tool, wire};").len(), 1);
        assert_eq!(transport("type T = super::super::model::Tool;").len(), 1);
        assert!(transport("use crate::{wire, session}; use super::model;").is_empty());
    }

    #[test]
    fn a_wire_that_needs_a_runtime_is_seen() {
        assert_eq!(wire_knows_no_runtime(&file("mcp-runtime/src/wire/mod.rs", "use tokio::io;")).len(), 1);
        assert!(wire_knows_no_runtime(&file("mcp-runtime/src/transport/stdio.rs", "use tokio::io;")).is_empty());
    }

    #[test]
    fn a_revision_named_elsewhere_is_seen() {
        let with = |path, text| {
            let mut files = file("mcp-runtime/src/revision/mod.rs", "const ALL: [&str; 1] = [\"2026-07-28\"];");
            files.extend(file(path, text));
            revisions_are_named_in_one_place(&files)
        };
        let text = "/// Since 2026-07-28.\nconst NEWEST: &str = \"2026-07-28\"; const DAY: &str = \"2026-01-31\";";
        let seen = with("mcp-runtime/src/session/mod.rs", text);
        assert_eq!(seen, ["mcp-runtime/src/session/mod.rs:2: \"2026-07-28\" belongs into `revision`"]);
        for path in ["mcp-runtime/src/revision/names.rs", "mcp-runtime/src/revision.rs", "tests/src/lib.rs"] {
            assert!(with(path, text).is_empty(), "{path}");
        }
    }

    #[test]
    fn a_source_that_is_no_rust_is_seen() {
        assert_eq!(wire_knows_no_runtime(&file("mcp-runtime/src/x.rs", "fn (")).len(), 1);
    }
}
