//! A library without a prelude.
#![no_implicit_prelude]
#![deny(warnings, clippy::pedantic)]

use ::mcp_runtime::{Args, Context, State, ToolError};
use ::std::string::String;

pub use types::{How, Search};

/// Types. The derive of their schemas needs a prelude.
mod types {
    use ::mcp_runtime::mcp_type;
    use ::std::prelude::rust_2024::*;

    /// What to look for.
    #[mcp_type]
    pub struct Search {
        /// The words.
        #[arg(default = "x", min_length = 1)]
        pub words: String,
        /// How many at most.
        #[arg(default, max = 3, example = 1)]
        pub limit: Option<u32>,
        /// How.
        pub how: How,
    }

    /// How to look.
    #[mcp_type]
    pub enum How {
        /// All of it.
        Whole {
            /// Where it begins.
            #[arg(default = 1)]
            from: u32,
        },
        /// A part.
        Part(String),
    }
}

/// Finds.
///
/// # Errors
/// When there is nothing.
#[::mcp_runtime::mcp_tool]
pub async fn find(
    words: &str,
    #[arg(default = 3, min = 1)] limit: u32,
    how: ::std::option::Option<How>,
    count: State<u32>,
    cx: &Context,
) -> ::std::result::Result<Search, ToolError> {
    ::std::future::ready(()).await;
    match how {
        ::std::option::Option::Some(how) if cx.wants_progress() => ::std::result::Result::Ok(Search {
            words: ::std::convert::Into::into(words),
            limit: ::std::option::Option::Some(limit + *count),
            how,
        }),
        _ => ::std::result::Result::Err(ToolError::new("not found")),
    }
}

/// Where to look: a type without options on its fields needs no prelude.
#[::mcp_runtime::mcp_type]
pub struct Place {
    /// The first line.
    pub line: u32,
    /// The file.
    pub file: ::std::option::Option<String>,
}

/// Goes there.
#[::mcp_runtime::mcp_tool]
#[must_use]
pub const fn go(place: Place) -> Place {
    place
}

/// Finds.
#[::mcp_runtime::mcp_tool(blocking)]
#[must_use]
pub fn whole(Args(search): Args<Search>) -> String {
    search.words
}

/// Does nothing.
#[::mcp_runtime::mcp_tool]
pub const fn nothing() {}

/// Reads.
#[::mcp_runtime::mcp_resource(uri = "notes://{day}{?part}")]
#[must_use]
pub fn note(day: String, part: ::std::option::Option<u32>) -> ::std::option::Option<String> {
    part.map(|_| day)
}

/// Asks.
#[::mcp_runtime::mcp_prompt]
#[must_use]
pub fn ask(#[arg(complete = names)] name: String) -> String {
    name
}

fn names(_typed: &str) -> ::std::vec::Vec<String> {
    ::std::vec::Vec::new()
}

/// An object with methods for clients.
pub struct Counter;

#[::mcp_runtime::mcp_server(list = functions)]
impl Counter {
    /// Counts.
    #[::mcp_runtime::mcp_tool]
    fn count(&self, by: u64) -> u64 {
        let Self = self;
        by
    }
}

/// A module with a prefix.
#[::mcp_runtime::mcp_module(prefix = "file", list = functions)]
pub mod file {
    use ::std::string::String;

    /// Finds a file.
    #[::mcp_runtime::mcp_tool]
    #[must_use]
    pub const fn search(text: String) -> String {
        text
    }
}

/// The server.
pub fn listed() -> ::mcp_runtime::Server {
    ::mcp_runtime::server!()
        .state(Counter)
        .functions(Counter::functions())
        .functions(file::functions())
        .tools(::mcp_runtime::tools![find, whole, nothing])
        .resources(::mcp_runtime::resources![note])
        .prompts(::mcp_runtime::prompts![ask])
}

/// A program in a library.
pub mod program {
    ::mcp_runtime::mcp_main!(super::listed());

    /// Runs it.
    #[must_use]
    pub fn run() -> ::std::process::ExitCode {
        main()
    }
}

/// An object.
#[derive(::std::fmt::Debug)]
pub struct Object(u64);

/// Its module.
#[::mcp_runtime::mcp_module(prefix = "module", list = functions)]
pub mod module {
    use super::Object;

    #[::mcp_runtime::mcp_server(list = methods)]
    impl Object {
        /// The count.
        #[::mcp_runtime::mcp_tool]
        async fn count(&self, by: u64) -> u64 {
            ::std::future::ready(()).await;
            self.0 * by
        }
    }
}
