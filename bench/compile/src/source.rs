//! The servers that are measured, as source text.

use std::fmt::Write as _;

/// What a server is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framework {
    /// This repository.
    Ours,
    /// The official Rust SDK.
    Rmcp,
}

/// How the tools take their arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Three parameters. `rmcp` has no such form: it takes a struct all the same.
    Plain,
    /// One struct of three fields.
    Struct,
}

impl Style {
    /// All of them.
    pub(crate) const ALL: [Style; 2] = [Style::Plain, Style::Struct];

    /// What it is called on the command line and in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Style::Plain => "plain",
            Style::Struct => "struct",
        }
    }

    /// The style of that name.
    pub(crate) fn named(name: &str) -> Option<Style> {
        Style::ALL.into_iter().find(|style| style.name() == name)
    }
}

impl Framework {
    /// What it is called in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Framework::Ours => "ours",
            Framework::Rmcp => "rmcp",
        }
    }

    /// The dependencies of a server that speaks stdio and nothing else. `runtime` is the path of this repository's
    /// runtime.
    pub(crate) fn dependencies(self, runtime: &str) -> String {
        match self {
            Framework::Ours => {
                format!("mcp-runtime = {{ path = {runtime:?}, default-features = false, features = [\"stdio\"] }}\n")
            }
            Framework::Rmcp => concat!(
                "rmcp = { version = \"=3.11.0\", features = [\"transport-io\"] }\n",
                "schemars = \"1\"\n",
                "serde = { version = \"1\", features = [\"derive\"] }\n",
                "tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n",
            )
            .to_owned(),
        }
    }

    /// `main.rs` of a server; `literals[i]` stands in the body of tool `i`.
    pub(crate) fn main(self, style: Style, literals: &[usize]) -> String {
        let mut text = String::new();
        text.push_str(match self {
            Framework::Ours => OURS_HEAD,
            Framework::Rmcp => RMCP_HEAD,
        });
        if self == Framework::Rmcp || style == Style::Struct {
            let attribute = match self {
                Framework::Ours => "#[mcp_type]",
                Framework::Rmcp => "#[derive(Deserialize, JsonSchema)]",
            };
            for tool in 0..literals.len() {
                structure(&mut text, tool, attribute);
            }
        }
        if self == Framework::Rmcp {
            text.push_str(RMCP_OPEN);
        }
        for (tool, literal) in literals.iter().enumerate() {
            let item = match (self, style) {
                (Framework::Ours, Style::Plain) => ours_plain(tool, *literal),
                (Framework::Ours, Style::Struct) => ours_struct(tool, *literal),
                (Framework::Rmcp, _) => rmcp(tool, *literal),
            };
            text.push_str(&item);
        }
        text.push_str(match self {
            Framework::Ours => OURS_FOOT,
            Framework::Rmcp => RMCP_FOOT,
        });
        text
    }
}

const OURS_HEAD: &str = "use mcp_runtime::prelude::*;\n";

const OURS_FOOT: &str = "\nmcp_main!();\n";

const RMCP_HEAD: &str = "\
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::stdio;
use rmcp::{ServiceExt, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
";

const RMCP_OPEN: &str = "
#[derive(Clone)]
struct Server;

#[tool_router(server_handler)]
impl Server {";

const RMCP_FOOT: &str = "}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
";

/// The struct of a tool's arguments.
fn structure(text: &mut String, tool: usize, attribute: &str) {
    let _ = write!(
        text,
        "
/// What tool {tool} works on.
{attribute}
struct Input{tool} {{
    /// The text to look at.
    text: String,
    /// How often.
    count: i64,
    /// Whether case matters.
    exact: bool,
}}
"
    );
}

/// The body of a tool with its arguments in `text`, `count` and `exact`.
fn body(literal: usize, indent: &str) -> String {
    format!("{indent}format!(\"{{text}} {{count}} {{exact}} {{}}\", {literal:06})")
}

fn ours_plain(tool: usize, literal: usize) -> String {
    format!(
        "
/// Does what tool {tool} does.
#[mcp_tool]
fn tool_{tool}(
    /// The text to look at.
    text: String,
    /// How often.
    count: i64,
    /// Whether case matters.
    exact: bool,
) -> String {{
{}
}}
",
        body(literal, "    ")
    )
}

fn ours_struct(tool: usize, literal: usize) -> String {
    format!(
        "
/// Does what tool {tool} does.
#[mcp_tool]
fn tool_{tool}(Args(input): Args<Input{tool}>) -> String {{
    let Input{tool} {{ text, count, exact }} = input;
{}
}}
",
        body(literal, "    ")
    )
}

fn rmcp(tool: usize, literal: usize) -> String {
    format!(
        "
    /// Does what tool {tool} does.
    #[tool]
    fn tool_{tool}(&self, Parameters(input): Parameters<Input{tool}>) -> String {{
        let Input{tool} {{ text, count, exact }} = input;
{}
    }}
",
        body(literal, "        ")
    )
}
