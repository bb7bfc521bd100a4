// The handshake-era client (`@modelcontextprotocol/sdk`) over any of its transports. Questions reach it as requests of the
// server.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { main } from "./checks.mjs";

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

/** Runs the checks over what `makeTransport` makes of the options. */
export const check = (makeTransport) => main((options, passenger) => {
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
    close: async () => {
      // Only Streamable HTTP has sessions that outlive their connections.
      if (transport.sessionId) {
        await transport.terminateSession?.();
      }
      await client.close();
    },
  };
});
