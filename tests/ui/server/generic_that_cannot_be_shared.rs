use mcp_runtime::prelude::*;

trait Store: 'static {
    fn get(&self) -> String;
}

struct Notes<S>(S);

#[mcp_server(list = functions)]
impl<S: Store> Notes<S> {
    /// Reads.
    #[mcp_tool]
    fn read(&self) -> String {
        self.0.get()
    }
}

fn main() {}
