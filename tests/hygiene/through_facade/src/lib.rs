//! A library that knows the runtime from another crate only.
#![deny(warnings, missing_docs, clippy::pedantic)]

use facade::mcp_runtime::prelude::*;

/// What to look for.
#[mcp_type(crate = ::facade::mcp_runtime)]
pub struct Search<T> {
    /// The words.
    #[arg(default = "x", min_length = 1)]
    pub words: String,
    /// More.
    #[arg(default = Vec::new())]
    pub more: Vec<T>,
    /// How.
    pub how: How,
}

/// How to look.
#[mcp_type(crate = ::facade::mcp_runtime)]
#[derive(Debug)]
pub enum How {
    /// All of it.
    Whole {
        /// Where it begins.
        #[arg(default = 1, max = 9)]
        from: u32,
    },
    /// A part.
    Part(String),
}

/// Finds.
///
/// # Errors
/// There is nothing.
#[mcp_tool(crate = ::facade::mcp_runtime, read_only, requires(sampling))]
pub async fn find(
    words: &str,
    #[arg(default = 3, min = 1, header = "Limit")] limit: u32,
    how: Option<How>,
    count: State<u32>,
    cx: &Context,
) -> Result<Option<How>, ToolError> {
    std::future::ready(()).await;
    if cx.wants_progress() { Ok(how) } else { Err(ToolError::new(format!("{words} {limit} {}", *count))) }
}

/// Finds.
#[mcp_tool(crate = ::facade::mcp_runtime, blocking)]
#[must_use]
pub fn whole(Args(search): Args<Search<u32>>) -> String {
    search.words
}

/// Reads.
#[mcp_resource(crate = ::facade::mcp_runtime, uri = "notes://{day}{?part}")]
#[must_use]
pub fn note(#[arg(complete = names)] day: String, part: Option<u32>) -> Option<String> {
    part.map(|_| day)
}

/// Asks.
#[mcp_prompt(crate = ::facade::mcp_runtime)]
#[must_use]
pub fn ask(#[arg(complete = names, default = "you")] name: String) -> String {
    name
}

fn names(_typed: &str) -> Vec<String> {
    Vec::new()
}

/// An object with methods for clients.
#[derive(Debug)]
pub struct Counter;

#[mcp_server(crate = ::facade::mcp_runtime, list = functions)]
impl Counter {
    /// Counts.
    #[mcp_tool]
    fn count(&self, by: u64) -> u64 {
        let Self = self;
        by
    }
}

/// A module with a prefix.
#[mcp_module(prefix = "file", list = functions, crate = ::facade::mcp_runtime)]
pub mod file {
    use facade::mcp_runtime::prelude::*;

    /// Finds a file.
    #[mcp_tool]
    #[must_use]
    pub fn search(text: &str) -> String {
        text.to_owned()
    }
}

/// The server.
pub fn listed() -> facade::mcp_runtime::Server {
    server!()
        .state(1_u32)
        .state(Counter)
        .functions(Counter::functions())
        .functions(file::functions())
        .tools(tools![find, whole])
        .resources(resources![note])
        .prompts(prompts![ask])
}

/// A program in a library.
pub mod program {
    facade::mcp_runtime::mcp_main!(super::listed());

    /// Runs it.
    #[must_use]
    pub fn run() -> std::process::ExitCode {
        main()
    }
}

/// An object.
#[derive(Debug)]
pub struct Object(u64);

/// Its module.
#[mcp_module(prefix = "module", crate = ::facade::mcp_runtime, list = functions)]
pub mod module {
    use super::{Object, mcp_server, mcp_tool};

    #[mcp_server(list = methods)]
    impl Object {
        /// The count.
        #[mcp_tool]
        const fn count(&self) -> u64 {
            self.0
        }
    }
}
