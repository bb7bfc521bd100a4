// The inspector (`@modelcontextprotocol/inspector`) in its command-line mode against `quickstart`.
// Each step is a process of its own, as in a user's shell. ERA is its `--protocol-era`.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { main } from "./checks.mjs";

const LAUNCHER = fileURLToPath(new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url));
const STEP_LIMIT_MS = 30_000;

const run = promisify(execFile);

async function step({ era, transport, target, args }, method, ...more) {
  const server = transport === "http" ? ["--transport", "http", "--server-url", target] : ["--transport", "stdio", target, ...args];
  const words = [LAUNCHER, "--cli", ...server, "--protocol-era", era, "--format", "json", "--stored-auth-only", "--method", method, ...more];
  const { stdout } = await run(process.execPath, words, { timeout: STEP_LIMIT_MS });
  return JSON.parse(stdout).result;
}

const pairs = (args) => Object.entries(args).map(([name, value]) => `${name}=${value}`);

await main((options) => ({
  connect: async () => (await step(options, "initialize")).protocolVersion,
  tools: async () => (await step(options, "tools/list")).tools,
  templates: async () => (await step(options, "resources/templates/list")).resourceTemplates,
  prompts: async () => (await step(options, "prompts/list")).prompts,
  call: (name, args) => step(options, "tools/call", "--tool-name", name, "--tool-arg", ...pairs(args)),
  read: (uri) => step(options, "resources/read", "--uri", uri),
  get: (name, args) => step(options, "prompts/get", "--prompt-name", name, "--prompt-args", ...pairs(args)),
  close: async () => {},
}));
