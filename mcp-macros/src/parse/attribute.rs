//! The options of `#[mcp_tool]`, `#[mcp_resource]` and `#[mcp_prompt]`.

use super::container;
use super::limits::Limits;
use super::listed::{self, Annotations, Icon, Meta};
use super::options::{Entry, Flag, Options, Value};
use crate::diag::{Errors, did_you_mean, listed};
use crate::model::{Kind, Tool};
use crate::paths;
use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Path, Token};

/// What an attribute says, unvalidated.
pub(crate) struct Attribute {
    /// What stands before the name, because of a module or an `impl` around the function.
    pub(crate) prefix: String,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) blocking: Option<Flag>,
    pub(crate) common: Common,
    pub(crate) details: Details,
}

/// What every kind's attribute may say and nothing has to be checked against.
pub(crate) struct Common {
    pub(crate) runtime: Path,
    pub(crate) title: Option<LitStr>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Vec<Meta>,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) scopes: Vec<LitStr>,
    /// Variants of `Capability`.
    pub(crate) requires: Vec<Ident>,
    pub(crate) limits: Limits,
}

/// What only one kind's attribute says.
pub(crate) enum Details {
    Tool(Tool),
    Resource {
        /// Missing only if an error says so.
        uri: Option<LitStr>,
        mime_type: Option<LitStr>,
        size: Option<Expr>,
        /// The function that lists instances.
        list: Option<Path>,
        annotations: Box<Annotations>,
    },
    Prompt,
}

/// Hints of a tool; the runtime's methods have the same names.
const HINTS: [&str; 4] = ["read_only", "destructive", "idempotent", "open_world"];

/// What `requires(...)` takes, and the runtime's names for it.
const CAPABILITIES: [(&str, &str); 5] = [
    ("elicitation", "Elicitation"),
    ("elicitation_url", "ElicitationUrl"),
    ("sampling", "Sampling"),
    ("sampling_tools", "SamplingTools"),
    ("roots", "Roots"),
];

/// Reads the options between the attribute's parentheses.
pub(crate) fn read(kind: Kind, tokens: TokenStream, errors: &mut Errors) -> Attribute {
    let mut options = Options::new(kind.attribute(), if kind == Kind::Resource { "uri" } else { "description" });
    options.read(tokens, errors);
    let prefix = container::prefix_passed_on(&mut options);
    // What is asked for first is listed first when an option is unknown.
    let uri = if kind == Kind::Resource { options.text("uri", errors) } else { None };
    let (name, title) = (options.text("name", errors), options.text("title", errors));
    let description = options.known_text("description", errors);
    let details = match kind {
        Kind::Tool => Details::Tool(tool(&mut options, errors)),
        Kind::Resource => Details::Resource {
            uri,
            mime_type: options.text("mime_type", errors),
            size: options.expression("size", "size = 1024", errors),
            list: options.path("list", "list = my_notes", errors),
            annotations: Box::new(listed::annotations(&mut options, errors)),
        },
        Kind::Prompt => Details::Prompt,
    };
    let blocking = options.flag("blocking", errors);
    let common = common(&mut options, title, errors);
    options.finish(errors);
    // A mistake seen before may be the URI's.
    if let (Details::Resource { uri: None, .. }, true) = (&details, errors.is_empty()) {
        let message = "a resource needs its URI: `#[mcp_resource(uri = \"notes://today\")]`";
        errors.at(Span::call_site(), message);
    }
    Attribute { prefix, name, description, blocking, common, details }
}

fn common(options: &mut Options, title: Option<LitStr>, errors: &mut Errors) -> Common {
    Common {
        title,
        icons: listed::icons(options, errors),
        meta: listed::meta(options, errors),
        tags: listed::tags(options, errors),
        scopes: listed::scopes(options, errors),
        requires: options.take("requires", errors).map_or_else(Vec::new, |entry| capabilities(entry, errors)),
        limits: Limits::take(options, errors),
        runtime: options.path("crate", "crate = ::my_facade::mcp_runtime", errors).unwrap_or_else(paths::runtime),
    }
}

fn tool(options: &mut Options, errors: &mut Errors) -> Tool {
    let hints = HINTS.iter().filter_map(|hint| Some((*hint, options.flag(hint, errors)?.on))).collect();
    let ignore_unknown = options.flag("ignore_unknown", errors).is_some_and(|flag| flag.on);
    let input_schema = options.expression("input_schema", "input_schema = include_str!(\"...\")", errors);
    Tool { hints, ignore_unknown, input_schema }
}

fn capabilities(entry: Entry, errors: &mut Errors) -> Vec<Ident> {
    let known = || CAPABILITIES.iter().map(|(word, _)| *word);
    let words = match &entry.value {
        Value::List(list) if !list.is_empty() => {
            Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list.clone()).ok()
        }
        _ => None,
    };
    let Some(words) = words else {
        entry.refuse(format!("a list: `requires(sampling)`; it may hold {}", listed(known())), errors);
        return Vec::new();
    };
    let variant = |word: Ident| {
        let found = CAPABILITIES.iter().find(|(known, _)| word == known);
        if found.is_none() {
            let hint = did_you_mean(&word.to_string(), known());
            errors.push(&word, format!("no client capability is called `{word}`{hint}\nthere are {}", listed(known())));
        }
        found.map(|(_, variant)| Ident::new(variant, word.span()))
    };
    words.into_iter().filter_map(variant).collect()
}
