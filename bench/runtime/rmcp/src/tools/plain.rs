use rmcp::ServerHandler;
use rmcp::handler::server::wrapper::Parameters;

struct Server;

#[rmcp::tool_handler]
impl ServerHandler for Server {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rmcp_servers::serve(|| Server)
}
