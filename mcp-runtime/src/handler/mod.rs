//! What a macro makes of a function: a const entry with a name, a place in the source, a description that is asked for
//! once at start-up, and an erased call.

mod call;
mod describe;
mod functions;
mod limits;
mod missing;
mod object;
mod options;
mod outcome;
mod param;
mod parameter;
mod slots;
pub(crate) mod variable;

pub use call::Call;
pub(crate) use call::{Place, Turn};
pub use describe::Describe;
pub(crate) use describe::{Inputs, PlainSchemas};
pub use functions::Functions;
pub(crate) use limits::{Limits, Rate, Shared};
pub(crate) use missing::{Missing, absent};
pub use object::{Object, ObjectParam, Receiver};
pub(crate) use outcome::BoxFuture;
pub use outcome::Outcome;
pub use param::{ArgumentParam, BorrowedParam, NamelessParam, OtherParam, Param, ParamPlan, ToolArg, UnsizedParam};
pub use parameter::ParamBuilder;
pub(crate) use parameter::{Argument, Parameter};
pub(crate) use slots::{DecodeProblem, Slots};
pub use variable::{AnyText, Variable};

use crate::reply::{PromptReply, ResourceReply, ToolReply};

/// Where a function stands in its author's source.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// The path as the compiler saw it.
    pub file: &'static str,
    /// The line of the function's name.
    pub line: u32,
    /// The path of the module.
    pub module: &'static str,
}

impl Origin {
    /// The place.
    pub const fn at(file: &'static str, line: u32, module: &'static str) -> Self {
        Origin { file, line, module }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One annotated function. `R` is the kind of reply: tools, resources and prompts each have their own.
pub struct Entry<R: 'static> {
    /// The name under which clients see it.
    pub name: &'static str,
    /// Where it was written.
    pub origin: Origin,
    /// Tells everything about it that a list of functions shows; called once, at start-up.
    pub describe: fn(&mut Describe),
    /// Decodes the arguments and runs the function.
    pub call: fn(Call<'_>) -> Outcome<R>,
}

/// A function that clients call.
pub type ToolEntry = Entry<ToolReply>;
/// A function that clients read.
pub type ResourceEntry = Entry<ResourceReply>;
/// A function that clients get messages from.
pub type PromptEntry = Entry<PromptReply>;

/// The marker beside a `#[mcp_tool]` function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "no `#[mcp_tool]` function of this name",
    note = "write `#[mcp_tool]` above the function, and list it by its path: `tools![add, math::sub]`"
)]
pub trait Tool {
    /// The generated entry.
    const ENTRY: &'static ToolEntry;
}

/// The marker beside a `#[mcp_resource]` function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "no `#[mcp_resource]` function of this name",
    note = "write `#[mcp_resource(uri = \"...\")]` above the function, and list it by its path"
)]
pub trait Resource {
    /// The generated entry.
    const ENTRY: &'static ResourceEntry;
}

/// The marker beside a `#[mcp_prompt]` function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt",
    label = "no `#[mcp_prompt]` function of this name",
    note = "write `#[mcp_prompt]` above the function, and list it by its path"
)]
pub trait Prompt {
    /// The generated entry.
    const ENTRY: &'static PromptEntry;
}

/// One entry of any kind, as automatic registration collects them.
#[derive(Clone, Copy)]
pub enum Registration {
    /// From `#[mcp_tool]`.
    Tool(&'static ToolEntry),
    /// From `#[mcp_resource]`.
    Resource(&'static ResourceEntry),
    /// From `#[mcp_prompt]`.
    Prompt(&'static PromptEntry),
}

impl Registration {
    fn name(&self) -> &'static str {
        match self {
            Registration::Tool(entry) => entry.name,
            Registration::Resource(entry) => entry.name,
            Registration::Prompt(entry) => entry.name,
        }
    }
}

inventory::collect!(Registration);
