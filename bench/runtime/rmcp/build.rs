//! Writes the servers of 200 tools: `add`, and tools beside it that nobody calls.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const HEAD: &str = "
/// Two numbers.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Add {
    /// First addend.
    a: i64,
    /// Second addend.
    b: i64,
}

/// What to look up.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Lookup {
    /// The text to look for.
    text: String,
    /// How many to give at most.
    limit: i64,
    /// Whether case matters.
    exact: bool,
}

#[rmcp::tool_router]
impl Server {
    /// Adds two numbers.
    #[rmcp::tool]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }
";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    let mut text = HEAD.to_owned();
    for tool in 1..200 {
        let _ = write!(
            text,
            "
    /// Looks something up in collection {tool}, with a filter and a limit, and gives what it finds.
    #[rmcp::tool]
    fn tool_{tool:04}(&self, Parameters(Lookup {{ text, limit, exact }}): Parameters<Lookup>) -> String {{
        format!(\"{{text}} {{limit}} {{exact}} {tool}\")
    }}
"
        );
    }
    text.push_str("}\n");
    fs::write(Path::new(&folder).join("tools_200.rs"), text).expect("the folder is there");
}
