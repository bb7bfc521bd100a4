use rmcp::handler::server::router::tool::ToolRoute;
use std::sync::LazyLock;

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

/// Two tools that are compiled; the second is there under all the other names as well.
#[rmcp::tool_router(router = compiled)]
impl Server {
    /// Adds two numbers.
    #[rmcp::tool]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }

    /// Looks something up in collection 1, with a filter and a limit, and gives what it finds.
    #[rmcp::tool]
    fn tool_0001(&self, Parameters(Lookup { text, limit, exact }): Parameters<Lookup>) -> String {
        format!("{text} {limit} {exact} 1")
    }
}

/// Names and descriptions of the others.
static OTHERS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let other = |tool| {
        [
            format!("tool_{tool:04}"),
            format!("Looks something up in collection {tool}, with a filter and a limit, and gives what it finds."),
        ]
    };
    (2..2000).map(other).collect()
});

impl Server {
    /// What the attribute writes for compiled tools: a router that is made whenever it is asked for.
    fn tool_router() -> rmcp::handler::server::router::tool::ToolRouter<Self> {
        let mut router = Self::compiled();
        for [name, description] in OTHERS.iter() {
            let mut tool = Self::tool_0001_tool_attr();
            (tool.name, tool.description) = (name.as_str().into(), Some(description.as_str().into()));
            router.add_route(ToolRoute::new(tool, Self::tool_0001));
        }
        router
    }
}
