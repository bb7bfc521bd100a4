// The handshake-era client over HTTP+SSE, the transport of 2024-11-05. The URL is that of the server's Streamable HTTP
// endpoint; the stream is beside it.

import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";

import { check } from "./handshake.mjs";

await check(({ transport, target }) => {
  if (transport !== "http") {
    throw new Error("HTTP+SSE is spoken over http alone");
  }
  return new SSEClientTransport(new URL("sse", target));
});
