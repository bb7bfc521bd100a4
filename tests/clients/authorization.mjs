// A real authorization server (`oidc-provider`) and the server that takes its tokens, the example `protected`: a client that
// finds its way from a 401 to a token, one that finds its way from a 403 to a better one, good tokens by every kind of key, tokens of every wrong kind, keys that change, and
// introspection.
//
// node authorization.mjs PROGRAM

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import * as stateless from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { SignJWT, decodeJwt, decodeProtectedHeader, exportJWK, exportSPKI, generateKeyPair, importJWK } from "jose";
import Provider from "oidc-provider";

/** The whole run may take this long. */
const LIMIT_MS = 80_000;
/** The server asks for keys at most every ten seconds. */
const ROTATION_MS = 30_000;
const CLIENT = { id: "notes-client", secret: "a secret of the client" };
const SERVER = { id: "notes-server", secret: "a secret of the server" };
const SCOPES = "notes:read notes:write";
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];

/** A key of the provider's, named after its algorithm and a generation. */
async function makeKey(alg, generation) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${generation}` };
}

async function makeKeys(generation) {
  return Promise.all(ALGORITHMS.map((alg) => makeKey(alg, generation)));
}

/** Listens on a port of the system's choice. */
async function listen(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

/** A port that nobody listens on, as far as one can know. */
async function freePort() {
  const { server } = await listen(() => {});
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An authorization server whose keys can be exchanged while it runs. */
class AuthorizationServer {
  static async start() {
    const self = new AuthorizationServer();
    const { server, url } = await listen((request, response) => {
      self.issued += request.url === "/token" ? 1 : 0;
      self.handler(request, response);
    });
    Object.assign(self, { server, url, alg: "RS256", format: "jwt", issued: 0 });
    await self.rotate(1);
    return self;
  }

  async rotate(generation) {
    this.keys = await makeKeys(generation);
    const client = ({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: "client_secret_basic",
    });
    const provider = new Provider(this.url, {
      clients: [client(CLIENT), client(SERVER)],
      jwks: { keys: this.keys },
      scopes: SCOPES.split(" "),
      ttl: { ClientCredentials: 600 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        introspection: { enabled: true, allowedPolicy: () => true },
        revocation: { enabled: true, allowedPolicy: () => true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => undefined,
          getResourceServerInfo: (_, resource) => ({
            scope: SCOPES,
            audience: resource,
            accessTokenTTL: 600,
            accessTokenFormat: this.format,
            jwt: { sign: { alg: this.alg } },
          }),
        },
      },
    });
    this.handler = provider.callback();
  }

  key(alg = "RS256") {
    return this.keys.find((key) => key.alg === alg);
  }

  /** Posts a form as a client. */
  async form(path, { id, secret }, form) {
    const authorization = `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;
    const body = new URLSearchParams(form);
    const response = await fetch(`${this.url}${path}`, { method: "POST", headers: { authorization }, body });
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return text && JSON.parse(text);
  }

  /** An access token by client credentials. */
  async token(form) {
    return (await this.form("/token", CLIENT, { grant_type: "client_credentials", ...form })).access_token;
  }

  revoke(token) {
    return this.form("/token/revocation", CLIENT, { token });
  }
}

/** The program under test, serving. */
class Protected {
  static async start(program, variables) {
    const port = await freePort();
    const self = new Protected();
    self.url = `http://127.0.0.1:${port}/mcp`;
    const env = { ...process.env, MCP_RESOURCE: self.url, ...variables };
    self.child = spawn(program, ["serve", "--http", `127.0.0.1:${port}`], { env, stdio: ["ignore", "ignore", "pipe"] });
    self.log = [];
    await new Promise((resolve, reject) => {
      self.child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${self.log.join("\n")}`)));
      createInterface({ input: self.child.stderr }).on("line", (line) => {
        self.log.push(line);
        if (line.startsWith("listening on")) {
          resolve();
        }
      });
    });
    return self;
  }

  stop() {
    this.child.kill();
  }

  /** Calls a tool in the stateless era; gives status, challenge and text. */
  async call(name, token, args = {}) {
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const params = { name, arguments: args, _meta: meta };
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const { result } = await response.json();
    return { status: response.status, challenge: response.headers.get("www-authenticate"), text: result?.content?.[0]?.text };
  }

  metadataUrl() {
    return this.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
  }
}

const counted = { accepted: 0, refused: 0 };

/** The end of a challenge: where to go, and what to ask for. */
const guidance = (server, scope = "notes:read") => `resource_metadata="${server.metadataUrl()}", scope="${scope}"`;

async function accepts(server, token, expected, what) {
  const { status, text, challenge } = await server.call("who_am_i", token);
  assert.deepEqual({ status, text }, { status: 200, text: expected }, `${what}: ${challenge}`);
  counted.accepted += 1;
}

/** Refuses the token with exactly this challenge. */
async function refuses(server, token, description, what) {
  const { status, challenge } = await server.call("who_am_i", token);
  const expected = `Bearer error="invalid_token", error_description="${description}", ${guidance(server)}`;
  assert.deepEqual({ status, challenge }, { status: 401, challenge: expected }, what);
  counted.refused += 1;
}

/** From nothing but the URL of the server to a call, by the official client. */
async function checkClient(issuer, server) {
  // By client credentials this client asks for the scopes of its own settings, whatever it is told.
  const settings = { clientId: CLIENT.id, clientSecret: CLIENT.secret, expectedIssuer: issuer.url, scope: "notes:read" };
  const authProvider = new ClientCredentialsProvider(settings);
  const client = new Client({ name: "authorization-check", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { authProvider }));
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ["list_notes", "who_am_i"], "tools of a token with notes:read");
  const { content } = await client.callTool({ name: "who_am_i" });
  assert.equal(content[0].text, `${issuer.url} ${CLIENT.id}`, "who the client is");
  await client.close();
  counted.accepted += 1;
}

/**
 * The client of 2026-07-28 asks for what it is told: at first for what the 401 says, and for more when a 403 does.
 */
async function checkStepUp(issuer, server) {
  const settings = { clientId: CLIENT.id, clientSecret: CLIENT.secret, expectedIssuer: issuer.url };
  const authProvider = new stateless.ClientCredentialsProvider(settings);
  const versionNegotiation = { mode: { pin: "2026-07-28" } };
  const client = new stateless.Client({ name: "authorization-check", version: "1.0.0" }, { versionNegotiation });
  await client.connect(new stateless.StreamableHTTPClientTransport(new URL(server.url), { authProvider }));
  const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
  assert.deepEqual(await names(), ["list_notes", "who_am_i"], "tools of the first token");
  const before = issuer.issued;
  const { content } = await client.callTool({ name: "keep_note", arguments: { text: "stepped up" } });
  assert.match(content[0].text, /^There are \d+ notes now\.$/, "the note is kept");
  assert.equal(issuer.issued, before + 1, "another token was fetched for it");
  assert.deepEqual(await names(), ["keep_note", "list_notes", "who_am_i"], "tools of the second token");
  await client.close();
  counted.accepted += 2;
  counted.refused += 1;
}

async function checkDiscovery(issuer, server) {
  const bare = await server.call("who_am_i");
  assert.deepEqual(bare, { status: 401, challenge: `Bearer ${guidance(server)}`, text: undefined });
  for (const url of [server.metadataUrl(), server.metadataUrl().replace(/\/mcp$/, "")]) {
    const metadata = await (await fetch(url)).json();
    assert.equal(metadata.resource, server.url, "resource");
    assert.deepEqual(metadata.authorization_servers, [issuer.url], "authorization servers");
    assert.deepEqual(metadata.scopes_supported, ["notes:read"], "scopes");
  }
}

async function checkScopes(issuer, server) {
  const reader = await issuer.token({ resource: server.url, scope: "notes:read" });
  assert.equal((await server.call("list_notes", reader)).status, 200, "list_notes with notes:read");
  const denied = await server.call("keep_note", reader, { text: "x" });
  const error = 'error="insufficient_scope", error_description="the token does not allow this"';
  const challenge = `Bearer ${error}, ${guidance(server, SCOPES)}`;
  assert.deepEqual(denied, { status: 403, challenge, text: undefined }, "keep_note with notes:read");
  const writer = await issuer.token({ resource: server.url, scope: "notes:write" });
  const kept = await server.call("keep_note", writer, { text: "x" });
  assert.deepEqual([kept.status, kept.text], [200, "There are 1 notes now."], "notes:write implies notes:read");
  counted.accepted += 2;
  counted.refused += 1;
}

/** A token with other claims or another header, signed by the provider's own key. */
async function forged(issuer, token, claims, header = {}) {
  const payload = { ...decodeJwt(token), ...claims };
  const key = await importJWK(issuer.key(), "RS256");
  return new SignJWT(payload).setProtectedHeader({ ...decodeProtectedHeader(token), ...header }).sign(key);
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function checkRefusals(issuer, other, server) {
  const good = await issuer.token({ resource: server.url, scope: "notes:read" });
  const [header, payload, signature] = good.split(".");
  await accepts(server, good, `${issuer.url} ${CLIENT.id}`, "the token that the others are made of");
  const elsewhere = await issuer.token({ resource: "https://other.example.com/mcp", scope: "notes:read" });
  await refuses(server, elsewhere, "the token was not issued for this server", "wrong audience");
  const foreign = await other.token({ resource: server.url, scope: "notes:read" });
  await refuses(server, foreign, "the token is of another issuer", "wrong issuer");
  const pretended = encode({ ...decodeJwt(foreign), iss: issuer.url });
  await refuses(server, `${header}.${pretended}.${foreign.split(".")[2]}`, "the token's signature is wrong", "pretended issuer");
  const opaque = await issuer.token({ scope: "notes:read" });
  await refuses(server, opaque, "the token is no signed JWT", "no resource, no JWT");
  const seconds = Math.floor(Date.now() / 1000);
  await refuses(server, await forged(issuer, good, { exp: seconds - 60 }), "the token has expired", "expired");
  await refuses(server, await forged(issuer, good, { nbf: seconds + 60 }), "the token is not valid yet", "not valid yet");
  await refuses(server, await forged(issuer, good, {}, { typ: "logout+jwt" }), "the token is no access token", "another kind");
  const tampered = encode({ ...decodeJwt(good), sub: "somebody else" });
  await refuses(server, `${header}.${tampered}.${signature}`, "the token's signature is wrong", "tampered");
  const none = encode({ alg: "none", typ: "at+jwt" });
  const unsupported = "the token's algorithm is not taken here";
  await refuses(server, `${none}.${payload}.${signature}`, unsupported, "alg none");
  const { d, p, q, dp, dq, qi, ...publicKey } = issuer.key();
  const pem = await exportSPKI(await importJWK(publicKey, "RS256", { extractable: true }));
  const symmetric = encode({ alg: "HS256", typ: "at+jwt", kid: publicKey.kid });
  const tag = createHmac("sha256", pem).update(`${symmetric}.${payload}`).digest("base64url");
  await refuses(server, `${symmetric}.${payload}.${tag}`, unsupported, "HS256 with the public key");
}

async function checkAlgorithms(issuer, server) {
  for (const alg of ALGORITHMS) {
    issuer.alg = alg;
    const token = await issuer.token({ resource: server.url, scope: "notes:read" });
    assert.equal(decodeProtectedHeader(token).alg, alg, "the provider's algorithm");
    await accepts(server, token, `${issuer.url} ${CLIENT.id}`, alg);
  }
  issuer.alg = "RS256";
}

/** The provider gets new keys, and forgets the old ones; the server goes on. */
async function checkRotation(issuer, server) {
  const old = await issuer.token({ resource: server.url, scope: "notes:read" });
  await issuer.rotate(2);
  const fresh = await issuer.token({ resource: server.url, scope: "notes:read" });
  assert.notEqual(decodeProtectedHeader(fresh).kid, decodeProtectedHeader(old).kid, "the name of the key");
  const end = Date.now() + ROTATION_MS;
  while ((await server.call("who_am_i", fresh)).status !== 200) {
    assert.ok(Date.now() < end, "the new key is known in time");
    await sleep(200);
  }
  await accepts(server, fresh, `${issuer.url} ${CLIENT.id}`, "after the rotation");
  await refuses(server, old, "the token names no key of its issuer", "a token of the old key");
}

async function checkIntrospection(issuer, program) {
  issuer.format = "opaque";
  const server = await Protected.start(program, {
    MCP_ISSUER: issuer.url,
    MCP_INTROSPECTION: `${issuer.url}/token/introspection`,
    MCP_CLIENT_ID: SERVER.id,
    MCP_CLIENT_SECRET: SERVER.secret,
  });
  try {
    const token = () => issuer.token({ resource: server.url, scope: "notes:read" });
    const [good, revoked] = [await token(), await token()];
    await accepts(server, good, `${issuer.url}#client ${CLIENT.id}`, "an opaque token");
    await issuer.revoke(revoked);
    await refuses(server, revoked, "the token is not active", "revoked");
    await refuses(server, "junk", "the token is not active", "junk");
    const elsewhere = await issuer.token({ resource: "https://other.example.com/mcp", scope: "notes:read" });
    await refuses(server, elsewhere, "the token was not issued for this server", "an opaque token for another server");
  } finally {
    server.stop();
  }
}

async function main() {
  const [program] = process.argv.slice(2);
  assert.ok(program, "usage: authorization.mjs PROGRAM");
  const [issuer, other] = [await AuthorizationServer.start(), await AuthorizationServer.start()];
  const server = await Protected.start(program, { MCP_ISSUER: issuer.url });
  try {
    await checkDiscovery(issuer, server);
    await checkClient(issuer, server);
    await checkScopes(issuer, server);
    await checkStepUp(issuer, server);
    await checkRefusals(issuer, other, server);
    await checkAlgorithms(issuer, server);
    await checkRotation(issuer, server);
    await checkIntrospection(issuer, program);
  } catch (error) {
    throw new Error(`${error.stack}\nlog of the server:\n${server.log.join("\n")}`);
  } finally {
    server.stop();
  }
  console.log(`authorization: ${counted.accepted} accepted, ${counted.refused} refused`);
}

const limit = setTimeout(() => {
  console.error(`failed: not done after ${LIMIT_MS / 1000} s`);
  process.exit(1);
}, LIMIT_MS);
main().then(
  () => process.exit(0),
  (error) => {
    console.error(`failed: ${error.stack}`);
    process.exit(1);
  },
).finally(() => clearTimeout(limit));
