import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonOf, openIdentityWorld, type IdentityWorld } from "./identity-world.ts";
import { startIssuer, type Issuer } from "./tokens.ts";

interface Card {
  readonly $schema: string;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly remotes: readonly [
    {
      readonly type: string;
      readonly url: string;
      readonly supportedProtocolVersions: readonly string[];
      readonly headers?: readonly object[];
    },
  ];
}

let world: IdentityWorld;
beforeAll(async () => {
  world = await openIdentityWorld({});
}, 60_000);
afterAll(() => world.close());

const cardOf = async (one: IdentityWorld): Promise<Card> =>
  JSON.parse((await one.call({}, "GET", "/mcp/server-card")).text) as Card;

test("SURF-68 a client without a credential goes from the domain to the card", async () => {
  const catalog = await world.call({}, "GET", "/.well-known/ai-catalog.json");
  expect(catalog.headers.get("content-type")).toBe("application/ai-catalog+json");
  const card = await world.call({}, "GET", "/mcp/server-card");
  expect(jsonOf(catalog)).toEqual({
    specVersion: "1.0",
    entries: [
      {
        identifier: "urn:air:localhost:plasm",
        displayName: "Plasm",
        type: card.headers.get("content-type"),
        url: `${world.url}/mcp/server-card`,
      },
    ],
  });
  expect(card.headers.get("content-type")).toBe("application/mcp-server-card+json");
  expect(card.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(Object.keys(jsonOf(card) as object)).toEqual([
    "$schema",
    "name",
    "version",
    "title",
    "description",
    "remotes",
  ]);
});

test("SURF-68 the card says what a connection says: address, key, versions, name", async () => {
  const { remotes, version, description, name } = await cardOf(world);
  const [remote] = remotes;
  expect(name).toBe("localhost/plasm");
  expect(description.length).toBeLessThanOrEqual(100);
  expect(remote.headers).toEqual([
    {
      name: "Authorization",
      description: "Bearer and an API key of this server",
      isRequired: true,
      isSecret: true,
    },
  ]);
  const key = await world.key({ subject: "ann" });
  const bearer = { authorization: `Bearer ${key["x-api-key"]}` };
  const [newest, ...older] = remote.supportedProtocolVersions;
  const initialize = async (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "e2e", version: "1" } };
    const call = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const answered = await fetch(remote.url, {
      method: "POST",
      headers: {
        ...bearer,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify(call),
    });
    return /"protocolVersion":"([^"]+)"/.exec(await answered.text())?.[1];
  };
  for (const one of older) expect(await initialize(one)).toBe(one);
  expect(await initialize("2024-01-01")).toBe(older[0]);
  const client = new Client(
    { name: "e2e", version: "1" },
    { versionNegotiation: { mode: { pin: newest ?? "" } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(remote.url), {
    requestInit: { headers: bearer },
  });
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: "plasm", version });
  await client.close();
});

test("SURF-68 a server behind an identity provider asks no person for a key", async () => {
  const office: Issuer = await startIssuer("https://office.example");
  const env = { PLASM_JWT_JWKS_URL: office.jwksUrl, PLASM_JWT_ISSUER: office.name };
  const behind = await openIdentityWorld({ env });
  try {
    expect((await cardOf(behind)).remotes[0].headers).toBeUndefined();
  } finally {
    await behind.close();
    await office.close();
  }
});
