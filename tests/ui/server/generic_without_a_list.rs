use mcp_runtime::prelude::*;

trait Store: Send + Sync + 'static {
    fn get(&self) -> String;
}

struct Notes<S>(S);

#[mcp_server]
impl<S: Store> Notes<S> {
    /// Reads.
    #[mcp_tool]
    fn read(&self) -> String {
        self.0.get()
    }
}

fn main() {}
