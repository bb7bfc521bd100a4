//! Attribute macros of `mcp-runtime`, which re-exports them: MCP tools, resources and prompts from plain functions.
//!
//! | attribute | makes of a function or a type |
//! |---|---|
//! | [`#[mcp_tool]`](macro@mcp_tool) | something that a model calls |
//! | [`#[mcp_resource]`](macro@mcp_resource) | something that a client reads by its URI |
//! | [`#[mcp_prompt]`](macro@mcp_prompt) | messages that a person asks for |
//! | [`#[mcp_type]`](macro@mcp_type) | an argument, a part of one, or a result |
//!
//! [`#[mcp_server]`](macro@mcp_server) makes the methods of an `impl` such functions,
//! [`#[mcp_module]`](macro@mcp_module) gives the functions of a module a prefix and a list.
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
/// module beside the function may have its name.) It must have no type parameters. A method needs
/// [`#[mcp_server]`](macro@mcp_server) above its `impl`.
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
///
/// # Errors
/// Every mistake is one error of the compiler, at the token that has to change, and all that can be seen in a function are
/// reported together. The function itself is always there, so that no other code fails because of it.
/// - "cannot be a parameter": the type is neither an argument nor injected. Put `#[mcp_type]` on it, and on what is inside
///   of it. Derives of `serde` and `schemars` count if they are of version 1; `#[mcp_type]` uses the right ones.
/// - "cannot be the result of a tool": put `#[mcp_type]` on what is returned. `Vec<Content>` is written `Contents`.
/// - "this error type has no `Display`": implement it, or return a `ToolError`.
/// - "a generic function", "`impl Trait`", "nothing to borrow this from": a client sends values of one known type; write it,
///   owned or behind one `&`.
/// - "future cannot be sent between threads": something that is not `Send`, such as an `Rc` or the guard of a lock, lives
///   across an `.await`. The error names it; end its life before.
/// - "this argument has no name": the parameter is a pattern. Write `name: Type`, or `#[arg(rename = "name")]`.
/// - "has no option": the options that there are follow in the text.
/// - "use of deprecated method `missing_description`": a warning. Say what the function does in a doc comment.
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
/// RFC 6570, as far as a URI leads back to values. A template matches what its expansion may give, and nothing else:
/// - `{name}`: one value of unreserved characters (letters, digits, `-`, `.`, `_`, `~`) and escapes such as `%20`.
/// - `{+name}`: a value of any characters of a URI, such as a path; the text behind it may follow.
/// - `{/name*}`: any number of segments, each behind a slash, each like the value of a `{name}`.
/// - `{?a,b}`: a query at the end, in any order, each part optional; `{&c}` continues a fixed query. Values are written like
///   those of a `{name}`, and may be empty.
///
/// Every variable needs a parameter of its name (or so renamed), and every parameter that is not injected a variable. Values
/// are percent-decoded once. Their types are those of any argument (`u32`, `bool`, `String`, `&str`, `PathBuf`, what has
/// `#[mcp_type]`), or implement `FromStr` with an error that has `Display`; `Option<..>` of either in a query. A value that
/// does not fit its type names no resource: the client is told that there is none.
///
/// **Paths.** A value that would lead a path out of its directory names no resource either, whatever the type: it is
/// absolute, has a drive (`C:`), climbs (`..`, also behind `\`, also encoded) or holds a NUL. A `{name}`, which looks as if it
/// could not, never holds a `/` or `\` and is never `.`, unless the type lists its values; a query's variables are checked if
/// they are `PathBuf` or `Path`. What has been encoded twice stays encoded once. `AnyText<T>` in place of `T` takes any value:
/// then the function checks.
///
/// **Order.** A URI that is written in full wins over templates; of templates, the more specific one is asked. That is the one
/// whose path (all but the `{?..}` and `{&..}` at the end) matches fewer URIs, each of which the other's path matches as well:
/// part by part, text is more specific than `{x}`, `{x}` more than `{+x}` and `{x}{/y*}`, and `{x}-{y}` more than `{x}`, wherever
/// the parts stand and however long they are. Of the same paths, that with fewer query variables, all of them the other's.
/// Where a URI matches two templates of which neither is more specific, as `a://x/y` does with `a://{x}/y` and `a://x/{y}`,
/// the server is not built, and says so. What the more specific one refuses is not found: no other template is asked.
///
/// # Options
/// - `uri = "..."`: the URI or its template. It is the only one that must be given.
/// - `name = "..."`: the function's name else. `title = "..."`, `description = "..."`: as of
///   [`#[mcp_tool]`](macro@mcp_tool).
/// - `mime_type = "..."`: what the return type tells else.
/// - `size = 1024`: in bytes, if it is known.
/// - `list = function`: the instances of a template that `resources/list` shows, made for every request: a
///   `fn() -> Vec<ResourceLink>`, or an async function of the request's `Context`; either may give a `Result`. Links that do
///   not lead to this template are left out, and the log tells. A function that fails, or takes longer than the server's
///   `timeout`, fails the request. No cache may share such a list.
/// - `requires(...)`, `blocking`, `timeout`, `crate = ::path`: as of [`#[mcp_tool]`](macro@mcp_tool).
///
/// Parameters take `#[arg(...)]` as those of tools do, but `complete = function` in place of `header`: a
/// `fn(&str) -> Vec<String>`, or an async function of a `Completion`.
///
/// # Errors
/// As of [`#[mcp_tool]`](macro@mcp_tool), and:
/// - "no parameter takes the variable", "the URI has no value for this parameter", "this parameter is no variable": the names
///   in the template and the parameters that are not injected must be the same.
/// - "nothing tells the end of ...", "can both hold slashes": a URI would not lead back to one list of values; put text
///   between the variables, or take one of them out.
/// - "cannot be the contents of a resource": return `Json(value)` for a value that is neither text nor bytes.
/// - "no completer": `complete` names a function of another form.
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
///
/// # Errors
/// As of [`#[mcp_tool]`](macro@mcp_tool), and:
/// - "cannot be the messages of a prompt": return a text, a `Message`, a list of them, or `Messages`.
/// - "no completer": `complete` names a function of another form.
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
///
/// # Errors
/// - "the trait bound `...: serde::Serialize` is not satisfied", and its like for `Deserialize` and `JsonSchema`: put
///   `#[mcp_type]` on the type of the field that is underlined. (Each derive says it for itself; it is one mistake.)
/// - "conflicting implementations": a derive stands above `#[mcp_type]`; put it below.
/// - "the trait bound `...: Default` is not satisfied": `default` alone needs the type's own; write `default = value`.
/// - "mismatched types" at a `default`: it has the type of its field, `Some(...)` for an `Option`.
#[proc_macro_attribute]
pub fn mcp_type(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::mcp_type(options.into(), item.into()).into()
}

/// Makes functions for clients of the methods of a type. The server's object is a state: `server!().state(object)`.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// struct Counter {
///     count: AtomicI64,                                  // what changes is shared: an atomic, or a `Mutex`
/// }
///
/// #[mcp_server]
/// impl Counter {
///     /// Counts.
///     #[mcp_tool]                                        // as on a function: options, arguments, injected types
///     async fn count(&self, #[arg(default = 1)] by: i64) -> i64 { .. }
///
///     /// The count.
///     #[mcp_resource(uri = "counter://now")]
///     fn now(self: Arc<Self>) -> String { .. }
///
///     /// Asks for a report.
///     #[mcp_prompt]
///     fn report() -> &'static str { .. }                 // without `self`: it needs no object
///
///     fn helper(&self) {}                                // nothing to do with clients
/// }
///
/// mcp_main!(server!().state(Counter::new()));
/// ```
///
/// The methods stay as they are: callable, testable, with their visibility and their other attributes. `self` is `&self`,
/// `self: Arc<Self>`, `self: &Arc<Self>`, or missing. A type may have several such `impl` blocks, also of traits and in
/// other modules; a server without the object fails when it is built, naming the methods that need it.
///
/// # Options
/// - `prefix = "..."`: stands before the names of all functions inside, `prefix_name`; `separator = "."` in place of `_`.
/// - `list = functions`: gives the type a function of that name for its list of functions, which
///   `server!().functions(Counter::functions())` takes: so each of several servers in one program has its own. An `impl`
///   with type parameters needs it, because nobody else knows for which types it is meant:
///   `Counter::<Concrete>::functions()`. Without type parameters the methods are registered by themselves as well.
/// - `crate = ::path`: where the runtime is, for crates that re-export it; for all methods.
///
/// # Errors
/// `&mut self` and `self` are refused: calls run at the same time and share the object. The type must be
/// `Send + Sync + 'static`. Two functions of one kind and one name are told when the server is built, with both places;
/// give one of the blocks a `prefix`.
#[proc_macro_attribute]
pub fn mcp_server(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::server(options.into(), item.into()).into()
}

/// Gives the functions of an inline module a prefix, and a list.
///
/// ```ignore
/// use mcp_runtime::prelude::*;
///
/// #[mcp_module(prefix = "file", list = functions)]
/// mod file {
///     /// Finds files.
///     #[mcp_tool]                                        // the tool `file_search`
///     pub fn search(text: String) -> Vec<String> { .. }
///
///     #[mcp_module(prefix = "trash")]
///     pub mod trash {
///         /// Empties the trash.
///         #[mcp_tool]                                    // the tool `file_trash_empty`
///         pub fn empty() {}
///     }
/// }
///
/// mcp_main!(server!().functions(file::functions()));     // or without a list: what is linked in is registered
/// ```
///
/// Names of tools, prompts and resources get the prefix, also those given with `name = "..."`; URIs stay as they are. It
/// holds in modules inside, with or without the attribute, and in [`#[mcp_server]`](macro@mcp_server) blocks.
/// `tools![file::search]` finds the tool as ever.
///
/// # Options
/// - `prefix = "..."`: letters, digits, `_`, `-` and `.`; `separator = "."` in place of `_`, or `""`.
/// - `list = functions`: gives the module a function of that name for the list of everything inside, which
///   `server!().functions(file::functions())` takes. An `impl` with type parameters is not in it: it has a list of its own.
/// - `crate = ::path`: where the runtime is, for crates that re-export it; for all functions inside.
///
/// # Errors
/// What stands in a file of its own (`mod file;`) is not seen; write the braces around it. An attribute inside of a
/// `#[cfg_attr(...)]` is not seen either; put `#[cfg(...)]` on the function.
#[proc_macro_attribute]
pub fn mcp_module(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::module(options.into(), item.into()).into()
}
