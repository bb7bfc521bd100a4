"""Python's fastmcp, as its documentation builds a server."""

import socket
import sys

import uvicorn
from fastmcp import FastMCP

mcp = FastMCP("bench")


@mcp.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


listener = socket.create_server(("127.0.0.1", 0))
print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
app = mcp.http_app(stateless_http=True, json_response=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
