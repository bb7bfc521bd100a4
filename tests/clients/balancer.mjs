// A call of several rounds through a balancer that sends each request to the next instance of `everything`.
//
// `node balancer.mjs (finishes | refused) URL`; prints `rounds INSTANCE...`, the instance that answered each round.

import assert from "node:assert/strict";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const LIMIT_MS = 60_000;
const TOOL = "test_input_required_result_multi_round";
const ANSWERS = {
  "Step 1: What is your name?": { name: "Ada" },
  "Step 2: What is your favorite color?": { color: "green" },
};

/** A fetch that keeps who answered the requests with a method. */
function watch(method, instances) {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (init?.body && JSON.parse(init.body).method === method) {
      instances.push(response.headers.get("x-instance"));
    }
    return response;
  };
}

async function run(expected, url) {
  const instances = [];
  const asked = [];
  const client = new Client(
    { name: "balancer-check", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", ({ params: { message } }) => {
    asked.push(message);
    return { action: "accept", content: ANSWERS[message] };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: watch("tools/call", instances) }));
  try {
    const call = client.callTool({ name: TOOL, arguments: {} });
    if (expected === "finishes") {
      assert.deepEqual((await call).content, [{ type: "text", text: "Ada likes green." }], "final text");
      assert.deepEqual(asked, Object.keys(ANSWERS), "questions");
    } else {
      await assert.rejects(call, (error) => {
        assert.equal(error.code, -32602, `code of: ${error.message}`);
        assert.match(error.message, /`requestState` is not valid: .* sealed with a key that this server does not have/);
        return true;
      });
      assert.deepEqual(asked, Object.keys(ANSWERS).slice(0, 1), "questions");
    }
  } finally {
    await client.close();
  }
  return instances;
}

const [expected, url] = process.argv.slice(2);
if (!["finishes", "refused"].includes(expected) || !url) {
  console.error("usage: balancer.mjs (finishes | refused) URL");
  process.exit(2);
}
setTimeout(() => {
  console.error(`failed: not done after ${LIMIT_MS / 1000} s`);
  process.exit(1);
}, LIMIT_MS).unref();
try {
  console.log(`rounds ${(await run(expected, url)).join(" ")}`);
} catch (error) {
  console.error(`failed: ${error.stack ?? error}`);
  process.exit(1);
}
process.exit(0);
