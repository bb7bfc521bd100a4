//! What a client does.

use arbitrary::{Arbitrary, Result, Unstructured};
use serde_json::{Map, Value, json};

/// One step.
#[derive(Debug, Arbitrary)]
pub(super) enum Step<'a> {
    /// A call whose arguments fit.
    Call(Good<'a>),
    /// A call with arguments of any kind.
    Tool {
        tool: Tool,
        arguments: Arguments<'a>,
    },
    Prompt {
        repeat: bool,
        arguments: Arguments<'a>,
    },
    Read(Uri<'a>),
    List {
        list: List,
        cursor: Option<&'a str>,
    },
    Complete {
        prompt: bool,
        argument: Name<'a>,
        value: &'a str,
    },
    /// A call that asks two questions, with what the person does.
    Confirm {
        what: &'a str,
        first: Act,
        second: Act,
    },
    /// Cancels the call so many steps before.
    Cancel {
        back: u8,
    },
    Unknown(&'a str),
}

#[derive(Debug, Arbitrary)]
pub(super) enum Good<'a> {
    Add(i64, i64),
    Echo(&'a str),
    Blocks(&'a str),
    Numbers(u8),
    Nap(u16),
    Steps(u8),
    Refuse(&'a str),
    Measure { name: &'a str, depth: u8, scale: Option<i8>, whole: Option<bool> },
}

#[derive(Debug, Clone, Copy, Arbitrary)]
pub(super) enum Tool {
    Add,
    Echo,
    Blocks,
    Measure,
    Numbers,
    Nap,
    Pick,
    Any,
    Route,
    Touch,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
pub(super) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
pub(super) enum Act {
    Accept(bool),
    Decline,
    Cancel,
    /// Something that does not fit the form.
    Nonsense,
}

#[derive(Debug, Arbitrary)]
pub(super) enum Uri<'a> {
    Index,
    Note(u8),
    File(&'a str),
    Search(&'a str, Option<&'a str>),
    Listed(u8),
    Table,
    Any(&'a str),
}

/// A name that arguments have, or another one.
#[derive(Debug, Arbitrary)]
pub(super) enum Name<'a> {
    A,
    B,
    C,
    Text,
    Tree,
    Value,
    N,
    Code,
    Tone,
    Times,
    Word,
    Region,
    Depth,
    Inside,
    Other(&'a str),
}

/// Arguments, as JSON.
#[derive(Debug)]
pub(super) struct Arguments<'a>(Vec<(Name<'a>, Value)>);

impl<'a> Arbitrary<'a> for Arguments<'a> {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let count = input.int_in_range(0..=4)?;
        let member = |_| Ok((Name::arbitrary(input)?, value(input, 3)?));
        (0..count).map(member).collect::<Result<_>>().map(Arguments)
    }
}

fn value(input: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    Ok(match input.int_in_range(0..=if depth == 0 { 5 } else { 7 })? {
        0 => Value::Null,
        1 => bool::arbitrary(input)?.into(),
        2 => i8::arbitrary(input)?.into(),
        3 => i64::arbitrary(input)?.into(),
        4 => f64::arbitrary(input)?.into(),
        5 => <&str>::arbitrary(input)?.into(),
        6 => (0..input.int_in_range(0..=3)?).map(|_| value(input, depth - 1)).collect::<Result<Vec<_>>>()?.into(),
        _ => {
            let member = |_| Ok((Name::arbitrary(input)?.text().to_owned(), value(input, depth - 1)?));
            (0..3).map(member).collect::<Result<Map<_, _>>>()?.into()
        }
    })
}

impl<'a> Name<'a> {
    pub(super) fn text(&self) -> &'a str {
        match self {
            Name::A => "a",
            Name::B => "b",
            Name::C => "c",
            Name::Text => "text",
            Name::Tree => "tree",
            Name::Value => "value",
            Name::N => "n",
            Name::Code => "code",
            Name::Tone => "tone",
            Name::Times => "times",
            Name::Word => "word",
            Name::Region => "region",
            Name::Depth => "depth",
            Name::Inside => "inside",
            Name::Other(name) => name,
        }
    }
}

impl Arguments<'_> {
    fn value(&self) -> Value {
        self.0.iter().map(|(name, value)| (name.text().to_owned(), value.clone())).collect::<Map<_, _>>().into()
    }
}

impl Act {
    /// What the client says.
    pub(super) fn answer(self) -> Value {
        match self {
            Act::Accept(sure) => json!({"action": "accept", "content": {"sure": sure}}),
            Act::Decline => json!({"action": "decline"}),
            Act::Cancel => json!({"action": "cancel"}),
            Act::Nonsense => json!({"action": "accept", "content": {"sure": "perhaps"}}),
        }
    }
}

impl Step<'_> {
    /// Which step a cancellation is about, if it is one and stands there.
    pub(super) fn cancels(&self, number: usize) -> Option<usize> {
        match self {
            Step::Cancel { back } => Some(number.saturating_sub(usize::from(*back))),
            _ => None,
        }
    }

    /// The request, if the step is one: its method and params.
    pub(super) fn request(&self) -> Option<(&str, Value)> {
        Some(match self {
            Step::Call(good) => ("tools/call", good.params()),
            Step::Tool { tool, arguments } => {
                let name = format!("{tool:?}").to_ascii_lowercase();
                ("tools/call", json!({"name": name, "arguments": arguments.value()}))
            }
            Step::Prompt { repeat, arguments } => (
                "prompts/get",
                json!({"name": if *repeat { "repeat" } else { "review" }, "arguments": arguments.value()}),
            ),
            Step::Read(uri) => ("resources/read", json!({"uri": uri.text()})),
            Step::List { list, cursor } => {
                let method = match list {
                    List::Tools => "tools/list",
                    List::Prompts => "prompts/list",
                    List::Resources => "resources/list",
                    List::Templates => "resources/templates/list",
                };
                (method, cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor})))
            }
            Step::Complete { prompt, argument, value } => {
                let reference = match prompt {
                    true => json!({"type": "ref/prompt", "name": "review"}),
                    false => json!({"type": "ref/resource", "uri": "search://all{/kind*}{?q,limit}"}),
                };
                (
                    "completion/complete",
                    json!({"ref": reference, "argument": {"name": argument.text(), "value": value}}),
                )
            }
            Step::Confirm { what, .. } => ("tools/call", json!({"name": "confirm", "arguments": {"what": what}})),
            Step::Unknown(name) => ("tools/call", json!({"name": name, "arguments": {}})),
            Step::Cancel { .. } => return None,
        })
    }
}

impl Good<'_> {
    fn params(&self) -> Value {
        let (name, arguments) = match self {
            Good::Add(a, b) => ("add", json!({"a": a, "b": b})),
            Good::Echo(text) => ("echo", json!({"text": text})),
            Good::Blocks(text) => ("blocks", json!({"text": text})),
            Good::Numbers(n) => ("numbers", json!({"n": n})),
            Good::Nap(ms) => ("nap", json!({"ms": ms})),
            Good::Steps(k) => ("steps", json!({"k": k})),
            Good::Refuse(why) => ("refuse", json!({"why": why})),
            Good::Measure { name, depth, scale, whole } => {
                let tree = json!({"name": name, "depth": depth, "inside": [{"name": "in", "inside": []}]});
                ("measure", json!({"tree": tree, "scale": scale, "whole": whole.unwrap_or(true)}))
            }
        };
        json!({"name": name, "arguments": arguments})
    }
}

impl Uri<'_> {
    fn text(&self) -> String {
        match self {
            Uri::Index => "note://index".to_owned(),
            Uri::Note(id) => format!("note://{id}"),
            Uri::File(path) => format!("file:///{path}"),
            Uri::Search(kind, q) => format!("search://all/{kind}{}", q.map(|q| format!("?q={q}")).unwrap_or_default()),
            Uri::Listed(n) => format!("listed://{n}"),
            Uri::Table => "table://".to_owned(),
            Uri::Any(text) => (*text).to_owned(),
        }
    }
}
