// The client of revision 2026-07-28 (`@modelcontextprotocol/client`). It answers the questions of an
// `input_required` result with the handler that answers requests of a server with a session, and calls again by itself.
// ERA: `pin` asks for the expected revision alone, `auto` probes first, `legacy` makes the handshake.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { main } from "./checks.mjs";

function makeTransport({ transport, target, args }) {
  return transport === "http"
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: target, args, stderr: "inherit" });
}

await main((options, passenger) => {
  const mode = options.era === "pin" ? { pin: options.revision } : options.era;
  const capabilities = passenger ? { elicitation: {} } : {};
  const client = new Client({ name: `${options.example}-check`, version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  if (passenger) {
    client.setRequestHandler("elicitation/create", ({ params }) => passenger.answer(params));
  }
  const transport = makeTransport(options);
  return {
    connect: async () => {
      await client.connect(transport);
      return client.getNegotiatedProtocolVersion();
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
