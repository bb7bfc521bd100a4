//! A library that calls its own things as the standard library and the expansions call theirs.
#![deny(warnings)]
#![allow(
    dead_code,
    unused_macros,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    clippy::upper_case_acronyms
)]

macro_rules! own {
    ($dollar:tt $($name:ident)*) => { $(
        macro_rules! $name {
            ($dollar($dollar any:tt)*) => { this_is_not_the_one_of_the_standard_library };
        }
    )* };
}
own!($ assert concat env file format format_args include_str line matches module_path option_env panic);
own!($ stringify todo unreachable vec write);

use ::mcp_runtime::{
    Args, Context, State, mcp_main, mcp_module, mcp_prompt, mcp_resource, mcp_server, mcp_tool, mcp_type, server,
};
use ::std::option::Option as Maybe;
use ::std::result::Result as Either;
use ::std::string::String as Text;
use ::std::vec::Vec as List;
use types::{How, Search};

mod alloc {}
mod core {}
mod mcp_macros {}
mod schemars {}
mod serde {}
mod serde_json {}
mod std {}

struct Box;
struct Option;
struct Result;
struct String;
struct ToString;
struct Vec;
struct Some;
struct None;
struct Describe;
struct Entry;
struct Param;
struct Tool;
struct ToolEntry;
struct HERE;
struct ENTRY;

trait AsRef {}
trait Clone {}
trait Copy {}
trait Default {}
trait Deserialize {}
trait Drop {}
trait Eq {}
trait Fn {}
trait FnMut {}
trait FnOnce {}
trait From {}
trait Into {}
trait IntoIterator {}
trait Iterator {}
trait JsonSchema {}
trait PartialEq {}
trait Send {}
trait Serialize {}
trait Sized {}
trait Sync {}
trait ToOwned {}

const d: u32 = 1;
const call: u32 = 2;

fn Ok() {}
fn Err() {}
fn drop() {}

/// Methods that every type has, and expansions call otherwise.
trait Everywhere {
    fn reply(&self) {}
    fn borrow(&self) {}
    fn into(&self) {}
    fn serialize(&self) {}
    fn description(&self) {}
    fn param(&self) {}
    fn of(&self) {}
}
impl<T: ?::core::marker::Sized> Everywhere for T {}

/// Types. The derive of their schemas uses the names of the prelude and has them here; macros are the author's here too.
mod types {
    use ::mcp_runtime::mcp_type;

    /// What to look for.
    #[mcp_type]
    pub struct Search {
        /// The words.
        #[arg(default = "x", min_length = 1, example = "y")]
        pub words: String,
        /// How many.
        #[arg(default, max = 3)]
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
            #[arg(default = super::call)]
            from: u32,
        },
        /// A part.
        Part(String),
        /// Not at all.
        Not,
    }
}

/// Finds.
#[mcp_tool(read_only)]
pub async fn find(
    words: &str,
    #[arg(default = d, min = 1, example = 3, header = "Limit")] limit: u32,
    #[arg(default)] how: Maybe<How>,
    #[arg(default = "x")] text: Text,
    count: State<u32>,
    cx: &Context,
) -> Either<List<How>, Text> {
    ::std::future::ready(()).await;
    let _ = (words, limit, text, count, cx);
    how.map_or_else(|| Either::Err(Text::new()), |how| Either::Ok(List::from([how])))
}

/// Where to look: a type without options on its fields needs no derives, and no prelude with them.
#[mcp_type]
pub struct Place {
    /// The first line.
    pub line: u32,
    pub file: Maybe<Text>,
    pub within: List<Place>,
}

/// Goes there.
#[mcp_tool]
pub fn go(Args(place): Args<Place>) -> Place {
    place
}

/// Finds.
#[mcp_tool(blocking)]
pub fn whole(Args(search): Args<Search>) -> Search {
    search
}

/// Does nothing.
#[mcp_tool]
pub fn nothing(_rest: &[Text]) {}

/// Reads.
#[mcp_resource(uri = "notes://{day}{?part}")]
pub fn note(#[arg(complete = names)] day: Text, part: Maybe<u32>) -> Maybe<Text> {
    part.map(|_| day)
}

/// Asks.
#[mcp_prompt]
pub fn ask(#[arg(complete = names, default)] name: Text) -> Text {
    name
}

fn names(_typed: &str) -> List<Text> {
    List::new()
}

/// An object with methods for clients.
pub struct Counter;

#[mcp_server(list = functions)]
impl Counter {
    /// Counts.
    #[mcp_tool]
    async fn count(&self, words: &str, by: Maybe<u64>) -> Either<u64, Text> {
        let Self = self;
        let _ = words;
        by.map_or_else(|| Either::Err(Text::new()), Either::Ok)
    }
}

/// A module with a prefix.
#[mcp_module(prefix = "file", list = functions)]
pub mod file {
    use super::*;

    /// Finds a file.
    #[mcp_tool]
    pub fn search(text: &str) -> Maybe<Text> {
        text.lines().next().map(Text::from)
    }
}

/// The server.
pub fn listed() -> ::mcp_runtime::Server {
    server!()
        .state(Counter)
        .functions(Counter::functions())
        .functions(file::functions())
        .tools(::mcp_runtime::tools![find, whole, nothing])
        .resources(::mcp_runtime::resources![note])
        .prompts(::mcp_runtime::prompts![ask])
}

/// A program in a library.
pub mod program {
    use super::*;

    mcp_main!(listed());

    /// Runs it.
    pub fn run() -> ::std::process::ExitCode {
        main()
    }
}

struct Functions(u8);
struct Registration;
struct ObjectState;
struct Receiver;
struct Entries;

#[::mcp_runtime::mcp_server(list = functions)]
impl Functions {
    /// Shadows what a method's entry names.
    #[mcp_tool]
    async fn shadowed(&self, p0: u8) -> Either<u8, Text> {
        Either::Ok(self.0 + p0)
    }
}
