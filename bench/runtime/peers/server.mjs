// The TypeScript SDK of 2026-07-28, npm `@modelcontextprotocol/server`, as its documentation builds a server.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "bench", version: "0" });
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  return server;
});

const listener = createServer(toNodeHandler(handler));
listener.listen(0, "127.0.0.1", () => console.error(`listening on http://127.0.0.1:${listener.address().port}/mcp`));
