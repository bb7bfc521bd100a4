// The TypeScript SDK of the handshake era, npm `@modelcontextprotocol/sdk`, as its documentation builds a stateless server.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

function makeServer() {
  const server = new McpServer({ name: "bench", version: "0" });
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  return server;
}

const listener = createServer(async (request, response) => {
  const server = makeServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
});
listener.listen(0, "127.0.0.1", () => console.error(`listening on http://127.0.0.1:${listener.address().port}/mcp`));
