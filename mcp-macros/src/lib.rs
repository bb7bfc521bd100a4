//! Attribute macros of `mcp-runtime`, which re-exports them: MCP tools, resources and prompts from plain functions.
//!
//! | attribute | makes of a function or a type |
//! |---|---|
//! | [`#[mcp_tool]`](macro@mcp_tool) | something that a model calls |
//! | [`#[mcp_resource]`](macro@mcp_resource) | something that a client reads by its URI |
//! | [`#[mcp_prompt]`](macro@mcp_prompt) | messages that a person asks for |
//! | [`#[mcp_type]`](macro@mcp_type) | an argument, a part of one, or a result |
//!
//! Expansions name the runtime's `__private` module and its public items, nothing else.

mod diag;
mod expand;
mod model;
mod parse;
mod paths;
mod recover;
mod validate;

use model::Kind;
use proc_macro::TokenStream;

/// Makes a tool of a function: something that a model calls with arguments.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// /// Finds notes.                                   // what the model reads: paragraphs and lists stay as they are
/// ///
/// /// - the newest first
/// #[mcp_tool(read_only, title = "Find notes")]
/// async fn find(
///     /// Words that must all be there.              // the argument's description
///     words: Vec<String>,
///     #[arg(default = 10, min = 1, max = 100)]       // may be left out; enforced as published
///     limit: u32,
///     folder: Option<String>,
///     cx: &Context,                                  // injected: no argument, in no schema
///     store: State<Store>,                           // injected as well
/// ) -> Result<Vec<Note>, ToolError> {                // an `Err` is told to the model
///     cx.info("looking");
///     store.find(&words, limit).await
/// }
/// ```
///
/// The function stays as it is: callable, testable, sync or async, with its visibility and its other attributes. Beside
/// it stands a type of the same name, by which `tools![find]` finds the tool; one `use` brings both. (So no type or
/// module beside the function may have its name.) It must be a plain function outside of an `impl`, without type
/// parameters.
///
/// # Options
/// - `name = "..."`: the name for clients, 1 to 128 of `A-Z a-z 0-9 _ - .`; else the function's.
/// - `title = "..."`: the name for people.
/// - `description = "..."`: in place of the doc comment. A function that has neither gets a warning, which
///   `#[allow(deprecated)]` on the function silences.
/// - `read_only`, `destructive`, `idempotent`, `open_world`, each alone or with `= false`: hints on what a call does.
/// - `requires(...)`: what the client must be capable of: `elicitation`, `elicitation_url`, `sampling`,
///   `sampling_tools`, `roots`.
/// - `ignore_unknown`: arguments that the function does not take are passed over instead of refused.
/// - `input_schema = "..."`: a JSON Schema of one's own in place of the generated one; any expression of type `&str`,
///   such as `include_str!("...")`.
/// - `blocking`: the function, which is not async, runs on the pool for blocking work.
/// - `timeout = "30s"` (`ms`, `s`, `m`, `h`): a call that takes longer is given up, and its caller gets an error.
/// - `crate = ::path`: where the runtime is, for crates that re-export it.
///
/// # Parameters
/// A type that implements `FromContext` (`Context`, `State<T>`, `Args<T>`, your own) is injected, every other is decoded
/// from the arguments; both by value or by reference (`&str`, `&[T]`, `&Context`, `&T`). `Option<T>` may be left out.
///
/// `#[arg(...)]` says more about an argument:
/// - `default`: it may be left out and is then the type's default; `default = value` gives the value.
/// - `min`, `max`: bounds of a number, within 2^53 - 1. `min_length`, `max_length`: of a text, in characters. `min_items`,
///   `max_items`: of a list, a set or a map.
/// - `pattern = "..."`: a regular expression (of ECMA-262) that is found in a text; `^...$` for the whole of it.
/// - `format = "..."`: a text is a `date`, `date-time`, `time`, `duration`, `email`, `idn-email`, `hostname`,
///   `idn-hostname`, `ipv4`, `ipv6`, `uri`, `uri-reference`, `uri-template`, `iri`, `iri-reference`, `uuid`,
///   `json-pointer`, `relative-json-pointer` or `regex`.
/// - `enum = ["celsius", "fahrenheit"]`: a text or an integer is one of these.
/// - `example = value`: shown to clients; may be repeated.
/// - `rename = "..."`: another name for clients.
/// - `description = "..."`: in place of the doc comment.
/// - `header = "..."`: clients repeat the value in the HTTP header `Mcp-Param-...` (a string, an integer or a boolean).
///
/// What is published is enforced, before the function runs. A pattern that is no regular expression, an unknown format or
/// a `min` above `max` is an error of the compiler; an option that the type does not fit, or a default or an example that
/// the constraints refuse, one of `build()`.
#[proc_macro_attribute]
pub fn mcp_tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Tool, options.into(), item.into()).into()
}

/// Makes a resource of a function: something that a client reads by its URI.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// /// What there is to do today.
/// #[mcp_resource(uri = "notes://today")]                          // one resource
/// fn today() -> String { .. }
///
/// /// One note.
/// #[mcp_resource(uri = "notes://{year}/{+path}{?version}")]       // many, by a template
/// fn note(
///     year: u16,                                                  // variables by name, in any order
///     #[arg(complete = paths)] path: &str,                        // offered while a person types
///     version: Option<u32>,                                       // query variables may be missing
///     store: State<Store>,                                        // injected, as in tools
/// ) -> Option<String> { .. }                                      // `None`: there is no such resource
///
/// fn paths(typed: &str) -> Vec<String> { .. }
/// ```
///
/// # URI templates
/// RFC 6570, as far as a URI leads back to values:
/// - `{name}`: one value, without reserved characters.
/// - `{+name}`: a path; the text behind it may follow.
/// - `{/name*}`: any number of segments, each behind a slash.
/// - `{?a,b}`: a query at the end, in any order, each part optional; `{&c}` continues a fixed query.
///
/// Every variable needs a parameter of its name (or so renamed), and every parameter that is not injected a variable.
///
/// # Options
/// - `uri = "..."`: the URI or its template. It is the only one that must be given.
/// - `name = "..."`: the function's name else. `title = "..."`, `description = "..."`: as of
///   [`#[mcp_tool]`](macro@mcp_tool).
/// - `mime_type = "..."`: what the return type tells else.
/// - `size = 1024`: in bytes, if it is known.
/// - `requires(...)`, `blocking`, `timeout`, `crate = ::path`: as of [`#[mcp_tool]`](macro@mcp_tool).
///
/// Parameters take `#[arg(...)]` as those of tools do, but `complete = function` in place of `header`: a
/// `fn(&str) -> Vec<String>`, or an async function of a `Completion`.
#[proc_macro_attribute]
pub fn mcp_resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Resource, options.into(), item.into()).into()
}

/// Makes a prompt of a function: messages that a person asks for.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// /// Asks for a review.
/// #[mcp_prompt(title = "Code review")]
/// fn review(
///     /// The code.
///     code: String,
///     #[arg(complete = languages, default = "rust")]     // offered while a person types
///     language: &str,
/// ) -> Vec<Message> {                                    // or a text: one message of the user
///     vec![Message::user(format!("Review this {language} code:\n{code}"))]
/// }
///
/// fn languages(typed: &str) -> Vec<String> { .. }
/// ```
///
/// Clients send texts; arguments of other types are read from them.
///
/// # Options
/// `name`, `title`, `description`, `requires`, `blocking`, `timeout` and `crate`, as of [`#[mcp_tool]`](macro@mcp_tool). Parameters take
/// `#[arg(...)]` as those of tools do, but `complete = function` in place of `header`: a `fn(&str) -> Vec<String>`, or an
/// async function of a `Completion`.
#[proc_macro_attribute]
pub fn mcp_prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Prompt, options.into(), item.into()).into()
}

/// Makes a struct or an enum an argument, a part of one, or a result: it can be decoded, encoded and described by a schema.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// /// Where to look.
/// #[mcp_type]
/// #[derive(Debug, Clone)]                    // other derives below
/// #[serde(rename_all = "camelCase")]         // serde's and schemars' own attributes work as ever
/// struct Area {
///     /// A folder.                          // the field's description
///     folder: String,
///     #[arg(default = 3, min = 1, max = 9)]
///     depth: u8,
/// }
/// ```
///
/// It derives `serde::Serialize`, `serde::Deserialize` and `schemars::JsonSchema` from the runtime's own copies, so that
/// the author's crate needs neither; one that is derived on the type already is left out. Put it above other derives: a
/// derive above it is not seen. In a module that gives other meanings to names of the standard prelude (`Some`, `Into`), or
/// that has no prelude, schemars' derive does not compile; types go into a module of their own then.
///
/// `#[arg(...)]` on a field means what it means on a parameter: `default`, `min`, `max`, `min_length`, `max_length`,
/// `pattern`, `format`, `enum`, `min_items`, `max_items`, `example`, `rename`, `description`. Variants of enums take
/// `rename` and `description`. Constraints in the words of schemars, `garde` or `validator` are enforced as well. A
/// result that breaks a constraint of its type is an error of the call.
///
/// # Options
/// - `crate = ::path`: where the runtime is, for crates that re-export it.
#[proc_macro_attribute]
pub fn mcp_type(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::mcp_type(options.into(), item.into()).into()
}
