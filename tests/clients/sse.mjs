// The handshake-era client (`@modelcontextprotocol/sdk`) over HTTP+SSE, the transport of 2024-11-05. The URL is that of the
// server's Streamable HTTP endpoint; the stream is beside it.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { main } from "./checks.mjs";

function makeTransport({ transport, target }) {
  if (transport !== "http") {
    throw new Error("HTTP+SSE is spoken over http alone");
  }
  return new SSEClientTransport(new URL("sse", target));
}

/** The client keeps the negotiated revision to itself, but tells it to a transport that wants to know. */
function listenForRevision(transport) {
  const seen = {};
  const own = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    seen.revision = version;
    own?.(version);
  };
  return seen;
}

await main((options, passenger) => {
  const capabilities = passenger ? { elicitation: {} } : {};
  const client = new Client({ name: `${options.example}-check`, version: "1.0.0" }, { capabilities });
  if (passenger) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => passenger.answer(params));
  }
  const transport = makeTransport(options);
  const seen = listenForRevision(transport);
  return {
    connect: async () => {
      await client.connect(transport);
      return seen.revision;
    },
    tools: async () => (await client.listTools()).tools,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    prompts: async () => (await client.listPrompts()).prompts,
    call: (name, args) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    get: (name, args) => client.getPrompt({ name, arguments: args }),
    close: () => client.close(),
  };
});
