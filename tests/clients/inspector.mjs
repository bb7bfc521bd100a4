// The inspector (`@modelcontextprotocol/inspector`) in its command-line mode against `quickstart` and the schema fixture.
// Each step is a process of its own, as in a user's shell; the many calls of the schema fixture are commands that one
// process gives one after the other. ERA is its `--protocol-era`.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { main } from "./checks.mjs";

const CLIENTS = new URL("node_modules/@modelcontextprotocol/inspector/clients/", import.meta.url);
const LAUNCHER = fileURLToPath(new URL("launcher/build/index.js", CLIENTS));
const COMMAND_LINE = new URL("cli/build/index.js", CLIENTS);
const STEP_LIMIT_MS = 30_000;

const execute = promisify(execFile);

async function inAProcess(words) {
  return (await execute(process.execPath, [LAUNCHER, "--cli", ...words], { timeout: STEP_LIMIT_MS })).stdout;
}

/**
 * What the launcher does after it has read `--cli`. The result is all that is written to standard output. A result with
 * `isError` is written, and is an error to a shell.
 */
async function inThisProcess(words) {
  const { runCli } = await import(COMMAND_LINE);
  const written = { stdout: "", stderr: "" };
  const own = Object.keys(written).map((name) => [name, process[name].write]);
  for (const name of Object.keys(written)) {
    process[name].write = (text, ...rest) => {
      written[name] += text;
      rest.find((word) => typeof word === "function")?.();
      return true;
    };
  }
  let failure;
  try {
    await runCli([process.execPath, LAUNCHER, ...words]);
  } catch (error) {
    failure = error;
  } finally {
    own.forEach(([name, write]) => (process[name].write = write));
  }
  if (failure && !written.stdout) throw failure;
  if (written.stderr) console.warn(written.stderr);
  return written.stdout;
}

async function step({ example, era, transport, target, args }, method, ...more) {
  const server = transport === "http" ? ["--transport", "http", "--server-url", target] : ["--transport", "stdio", target, ...args];
  const words = [...server, "--protocol-era", era, "--format", "json", "--stored-auth-only", "--method", method, ...more];
  const run = example === "schema-fixture" ? inThisProcess : inAProcess;
  return JSON.parse(await run(words)).result;
}

const pairs = (args) => Object.entries(args).map(([name, value]) => `${name}=${value}`);

await main((options) => ({
  connect: async () => (await step(options, "initialize")).protocolVersion,
  // Strictly: with a word about every schema that some client might not take.
  tools: async () => (await step(options, "tools/list", "--strict")).tools,
  templates: async () => (await step(options, "resources/templates/list")).resourceTemplates,
  prompts: async () => (await step(options, "prompts/list")).prompts,
  call: (name, args) => step(options, "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)),
  read: (uri) => step(options, "resources/read", "--uri", uri),
  get: (name, args) => step(options, "prompts/get", "--prompt-name", name, "--prompt-args", ...pairs(args)),
  close: async () => {},
}));
