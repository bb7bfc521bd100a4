use mcp_runtime::FromContext;
use mcp_runtime::prelude::*;

struct Local(std::rc::Rc<u64>);

impl FromContext for Local {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Ok(Local(std::rc::Rc::new(1)))
    }
}

/// Sleeps for a while.
#[mcp_tool]
async fn nap(local: Local) -> u64 {
    *local.0
}

fn main() {}
