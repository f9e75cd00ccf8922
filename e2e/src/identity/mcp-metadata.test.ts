import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonOf, openIdentityWorld, type IdentityWorld } from "./identity-world.ts";
import { startIssuer, type Issuer } from "./tokens.ts";

let [world, office]: [IdentityWorld, Issuer] = [] as never;
beforeAll(async () => {
  office = await startIssuer("https://office.example");
  const env = { PLASM_JWT_JWKS_URL: office.jwksUrl, PLASM_JWT_ISSUER: office.name };
  world = await openIdentityWorld({ env });
}, 60_000);
afterAll(async () => {
  await world.close();
  await office.close();
});

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("SURF-23 a 401 of MCP names the metadata, which names issuer and resource (RFC 9728)", async () => {
  const place = `${world.url}/.well-known/oauth-protected-resource/mcp`;
  const none = await world.call({}, "POST", "/mcp", CALL);
  expect(none.headers.get("www-authenticate")).toBe(
    `Bearer realm="plasm", resource_metadata="${place}"`,
  );
  const bad = await world.call({ authorization: "Bearer junk" }, "POST", "/mcp", CALL);
  expect(bad.headers.get("www-authenticate")).toBe(
    `Bearer realm="plasm", error="invalid_token", resource_metadata="${place}"`,
  );
  for (const suffix of ["/mcp", ""]) {
    const path = `/.well-known/oauth-protected-resource${suffix}`;
    const found = await world.call({}, "GET", path);
    expect(jsonOf(found)).toEqual({
      resource: `${world.url}/mcp`,
      authorization_servers: [office.name],
      bearer_methods_supported: ["header"],
      resource_name: "Plasm",
    });
  }
});

test("metadata is asked for by allowed names alone (G21)", async () => {
  const path = "/.well-known/oauth-protected-resource/mcp";
  expect((await world.call({ origin: "https://evil.example" }, "GET", path)).status).toBe(403);
});

test.each(["legacy", { pin: "2026-07-28" }] as const)(
  "a real client with a token, %j",
  async (mode) => {
    const connect = async (headers: Readonly<Record<string, string>>) => {
      const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode } });
      const options = { requestInit: { headers: { ...headers } } };
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", world.url), options));
      return client;
    };
    const client = await connect({ authorization: `Bearer ${office.token({ tid: "acme" })}` });
    const { tools } = await client.listTools();
    expect(tools[0]?.name).toBe("plasm_context");
    const seeds = [{ api: "quay", entity: "Boat" }];
    const opened = await client.callTool({
      name: "plasm_context",
      arguments: { intent: "a", seeds },
    });
    expect(opened.isError ?? false).toBe(false);
    await client.close();
    await expect(connect({})).rejects.toThrow();
  },
);
