//! What an annotated function comes to: validated, and ready to be expanded.

use crate::parse::arg::Arg;
use crate::parse::attribute::Common;
use crate::parse::docs::Text;
use crate::parse::listed::Annotations;
use crate::parse::signature::Function;
use crate::parse::uri_template::Part;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, LitStr, Path, Type};

/// The kinds of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Resource,
    Prompt,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Tool, Kind::Resource, Kind::Prompt];

    /// The kind's name in the runtime: the marker's trait, and the beginning of other names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Tool => "Tool",
            Kind::Resource => "Resource",
            Kind::Prompt => "Prompt",
        }
    }

    /// The attribute as authors write it.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Kind::Tool => "#[mcp_tool]",
            Kind::Resource => "#[mcp_resource]",
            Kind::Prompt => "#[mcp_prompt]",
        }
    }

    /// What the last segment of an attribute's path makes of a function.
    pub(crate) fn of(attribute: &Path) -> Option<Kind> {
        let name = &attribute.segments.last()?.ident;
        Kind::ALL.into_iter().find(|kind| name == &kind.attribute()[2..kind.attribute().len() - 1])
    }

    /// The word in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Tool => "tool",
            Kind::Resource => "resource",
            Kind::Prompt => "prompt",
        }
    }
}

/// A function and everything that its attribute says.
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) home: Home,
    pub(crate) function: Function,
    /// The name under which clients see it.
    pub(crate) name: String,
    pub(crate) description: Description,
    pub(crate) details: Details,
    pub(crate) params: Vec<Param>,
    pub(crate) run: Run,
    pub(crate) common: Common,
}

/// What a function is for.
pub(crate) enum Description {
    Is(Text),
    /// Nobody has said it. The place where a warning is shown.
    Missing(Span),
}

/// Where a function stands.
#[derive(Clone)]
pub(crate) enum Home {
    /// On its own.
    Module,
    /// In an `impl`, of a trait or of the type itself.
    Impl { of_trait: Option<Path> },
}

/// What only one kind has.
pub(crate) enum Details {
    Tool(Tool),
    Resource(Box<Resource>),
    Prompt,
}

pub(crate) struct Tool {
    /// Methods of the description that set hints.
    pub(crate) hints: Vec<(&'static str, bool)>,
    pub(crate) ignore_unknown: bool,
    pub(crate) input_schema: Option<Expr>,
}

pub(crate) struct Resource {
    pub(crate) uri: LitStr,
    /// Missing only if an error says so.
    pub(crate) parts: Option<Vec<Part>>,
    pub(crate) mime_type: Option<LitStr>,
    pub(crate) size: Option<Expr>,
    /// The function that lists instances.
    pub(crate) list: Option<Path>,
    pub(crate) annotations: Box<Annotations>,
}

/// How the function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    Sync,
    Async,
    /// Sync, on the pool for blocking work.
    Blocking,
}

/// One parameter.
pub(crate) struct Param {
    /// The name among the arguments; empty when it has none.
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) source: Source,
    /// What is behind the `&` of a reference, else the type; without named lifetimes.
    pub(crate) ty: Type,
    pub(crate) is_reference: bool,
    pub(crate) place: Place,
    pub(crate) description: Option<Text>,
    pub(crate) arg: Arg,
}

/// Where errors about a type are shown: its first and its last token.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Place {
    pub(crate) fn of(tokens: impl ToTokens) -> Self {
        let mut spans = tokens.into_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Place { first, last: spans.last().unwrap_or(first) }
    }
}

/// Where a parameter's value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Its type decides: injected, or an argument.
    ByType,
    /// A variable of the URI template.
    Variable,
    /// Injected, because the resource's URI has no variable for it.
    NoVariable,
    /// Injected, because its pattern has no name.
    Nameless,
    /// The object whose method is called.
    Receiver,
}
