// What every client must be able to do with the schema fixture: list all its tools and call each with the arguments that its
// own schema gives as examples, without a warning.

import assert from "node:assert/strict";

/** Tools whose call is meant to fail. */
const FAILING = new Set(["not_a_number", "out_of_bounds", "fails"]);

/** The arguments that a tool's schema gives as examples. */
function example(tool) {
  const properties = Object.entries(tool.inputSchema.properties).filter(([, schema]) => schema.examples);
  return Object.fromEntries(properties.map(([name, schema]) => [name, schema.examples[0]]));
}

/** Collects what a client complains of on the console, which it would otherwise do beside all that works. */
function listenForWarnings() {
  const warnings = [];
  for (const kind of ["warn", "error"]) {
    console[kind] = (...words) => warnings.push(words.join(" "));
  }
  return warnings;
}

/** A schema that takes any value has nothing to say of it, which the inspector notes. */
function isAboutAnyValue(warning) {
  const tools = [...warning.matchAll(/tool "(\w+)"/g)].map(([, name]) => name);
  return tools.length > 0 && tools.every((name) => name === "anything");
}

/** Runs the checks over a peer as `checkQuickstart` takes it. */
export async function checkSchemas(peer, revision) {
  const { warn, error } = console;
  const warnings = listenForWarnings();
  const failures = [];
  try {
    assert.equal(await peer.connect(), revision, "negotiated revision");
    const tools = await peer.tools();
    assert.ok(tools.length >= 80, `${tools.length} tools`);
    for (const tool of tools) {
      const before = warnings.length;
      try {
        const result = await peer.call(tool.name, example(tool));
        assert.equal(result.isError === true, FAILING.has(tool.name), JSON.stringify(result.content));
      } catch (failure) {
        failures.push(`${tool.name}: ${failure.message}`);
      }
      if (FAILING.has(tool.name)) {
        // What the server logs of it.
        warnings.length = before;
      }
    }
  } finally {
    Object.assign(console, { warn, error });
  }
  assert.deepEqual(failures, [], "calls");
  assert.deepEqual(warnings.filter((warning) => !isAboutAnyValue(warning)), [], "warnings");
  return revision;
}
