//! Writes the servers of many tools: `add`, and tools beside it that nobody calls.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").expect("cargo sets it");
    for tools in [200, 2000] {
        let mut text = String::new();
        for tool in 1..tools {
            let _ = write!(
                text,
                "
/// Looks something up in collection {tool}, with a filter and a limit, and gives what it finds.
#[mcp_tool]
fn tool_{tool:04}(
    /// The text to look for.
    text: String,
    /// How many to give at most.
    limit: i64,
    /// Whether case matters.
    exact: bool,
) -> String {{
    format!(\"{{text}} {{limit}} {{exact}} {tool}\")
}}
"
            );
        }
        fs::write(Path::new(&folder).join(format!("tools_{tools}.rs")), text).expect("the folder is there");
    }
}
