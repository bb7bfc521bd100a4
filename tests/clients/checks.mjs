// What every client must see of the `quickstart` example, whatever client, transport and revision, and how a script runs.
// `booking.mjs` and `schemas.mjs` have the same for the other servers.

import assert from "node:assert/strict";

import { checkBooking, Passenger } from "./booking.mjs";
import { checkSchemas } from "./schemas.mjs";

/** A whole run of checks may take this long; a server that never answers must not hold the run. */
const LIMIT_MS = 90_000;

export const CODE = "fn main() {}";

/** The checks by the server that they are for. */
const CHECKS = { quickstart: checkQuickstart, booking: checkBooking, "schema-fixture": checkSchemas };

/**
 * Reads `node SCRIPT EXAMPLE ERA REVISION http URL` or `node SCRIPT EXAMPLE ERA REVISION stdio COMMAND [ARGUMENT...]`.
 *
 * `EXAMPLE` is the name of the server, `ERA` a word of the script's own (how it negotiates), `REVISION` what must come
 * out of it.
 */
export function readArguments(argv = process.argv.slice(2)) {
  const [example, era, revision, transport, target, ...args] = argv;
  if (!Object.hasOwn(CHECKS, example) || !era || !revision || !target || !["http", "stdio"].includes(transport)) {
    throw new Error(`usage: SCRIPT (${Object.keys(CHECKS).join(" | ")}) ERA REVISION (http URL | stdio COMMAND [ARGUMENT...])`);
  }
  return { example, era, revision, transport, target, args };
}

/**
 * Runs the checks over a peer and compares each value.
 *
 * A peer has `connect()` (gives the negotiated revision), `tools()`, `templates()`, `prompts()`,
 * `call(name, args)`, `read(uri)`, `get(name, args)` and `close()`, each answering with the protocol's own shapes.
 */
export async function checkQuickstart(peer, revision) {
  const negotiated = await peer.connect();
  assert.equal(negotiated, revision, "negotiated revision");
  checkTools(await peer.tools());
  checkTemplates(await peer.templates());
  checkPrompts(await peer.prompts());
  checkCall(await peer.call("add", { a: 2, b: 3 }));
  checkRead(await peer.read("greeting://Ada"));
  checkGet(await peer.get("review", { code: CODE }));
  return negotiated;
}

function checkTools(tools) {
  assert.deepEqual(tools.map((tool) => tool.name), ["add"], "tools");
  const [add] = tools;
  assert.equal(add.description, "Adds two numbers.", "description of add");
  assert.equal(add.inputSchema.type, "object", "input schema of add");
  assert.deepEqual(Object.keys(add.inputSchema.properties), ["a", "b"], "parameters of add");
  assert.deepEqual(add.inputSchema.required, ["a", "b"], "required parameters of add");
  for (const name of ["a", "b"]) {
    assert.equal(add.inputSchema.properties[name].type, "integer", `type of ${name}`);
  }
}

function checkTemplates(templates) {
  assert.deepEqual(templates.map((template) => template.uriTemplate), ["greeting://{name}"], "resource templates");
}

function checkPrompts(prompts) {
  assert.deepEqual(prompts.map((prompt) => prompt.name), ["review"], "prompts");
  const [{ arguments: args }] = prompts;
  assert.deepEqual(args.map(({ name, required }) => ({ name, required })), [{ name: "code", required: true }], "arguments of review");
}

function checkCall(result) {
  assert.ok(!result.isError, `add failed: ${JSON.stringify(result.content)}`);
  assert.deepEqual(texts(result.content), ["5"], "result of add");
}

function checkRead(result) {
  const seen = result.contents.map(({ uri, mimeType, text }) => ({ uri, mimeType, text }));
  assert.deepEqual(seen, [{ uri: "greeting://Ada", mimeType: "text/plain", text: "Hello, Ada!" }], "contents of greeting://Ada");
}

function checkGet(result) {
  assert.deepEqual(result.messages.map((message) => message.role), ["user"], "roles of review");
  assert.deepEqual(texts(result.messages.map((message) => message.content)), [`Review this code:\n${CODE}`], "text of review");
}

/** The texts of content blocks that must all be texts. */
function texts(blocks) {
  return blocks.map((block) => {
    assert.equal(block.type, "text", "kind of content");
    return block.text;
  });
}

/**
 * Runs one script: makes a peer from the options (and, for `booking`, the passenger who answers questions), checks, closes the peer in any case, prints `negotiated REVISION`, and ends the process
 * with 0 or, after a message on stderr, with 1.
 */
export async function main(makePeer) {
  const limit = setTimeout(() => {
    console.error(`failed: not done after ${LIMIT_MS / 1000} s`);
    process.exit(1);
  }, LIMIT_MS);
  let status = 0;
  try {
    const options = readArguments();
    const passenger = options.example === "booking" ? new Passenger() : undefined;
    const peer = makePeer(options, passenger);
    try {
      const negotiated = await CHECKS[options.example](peer, options.revision, passenger);
      console.log(`negotiated ${negotiated}`);
    } finally {
      await peer.close();
    }
  } catch (error) {
    console.error(`failed: ${error.stack ?? error}${error.cause ? `\ncause: ${error.cause}` : ""}`);
    status = 1;
  }
  clearTimeout(limit);
  process.exit(status);
}
