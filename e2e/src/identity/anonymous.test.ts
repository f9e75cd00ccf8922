import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { LOCAL } from "@plasm/agent-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, mcpCall, requestOf } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  textIn,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";

let world: IdentityWorld;
beforeAll(async () => {
  world = await openIdentityWorld({ auth: "optional" });
}, 60_000);
afterAll(() => world.close());

const SEEDS = [{ api: "quay", entity: "Boat" }];
const context = (intent: string) => ({ intent, seeds: SEEDS, notation: "names" });

/** The header by which an MCP client of the older protocols has a connection. */
async function connection(who: Credential = {}): Promise<Credential> {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "e2e", version: "1" },
  };
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const response = await world.fetchAs(who)(requestOf("POST", "/mcp", body));
  await response.text();
  return { ...who, "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
}

describe("SESS-8 G17 optional, anonymous, MCP without a connection", () => {
  const told = async (name: string, args: object) => {
    const { code, text } = await callTool(world.fetchAs({}), name, args);
    return { code, text };
  };

  test("plasm_context is refused, discovery and the registry work", async () => {
    const refused = await told("plasm_context", context("anybody's"));
    expect(refused.code).toBe("plasm-unauthenticated");
    expect(refused.text).toContain("X-API-Key");
    expect(await told("discover_capabilities", { intent: "boats" })).toMatchObject({ code: null });
    const read = await mcpCall(world.fetchAs({}), "resources/read", { uri: "plasm://registry" });
    expect(JSON.stringify(read)).toContain("quay");
  });

  test("a client of 2026-07-28, which has no connection, is told the same", async () => {
    const client = new Client(
      { name: "e2e", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", world.url)));
    const opened = await client.callTool({ name: "plasm_context", arguments: context("x") });
    expect(opened.isError).toBe(true);
    expect(JSON.stringify(opened._meta)).toContain("plasm-unauthenticated");
    const found = await client.callTool({
      name: "discover_capabilities",
      arguments: { intent: "boats" },
    });
    expect(found.isError ?? false).toBe(false);
    await client.close();
  });

  test("no ref, uuid or invented connection leads it to a session", async () => {
    const { meta } = await callTool(
      world.fetchAs(await connection()),
      "plasm_context",
      context("a"),
    );
    const uuid = textIn(meta, "logical_session_id");
    const invented = { "mcp-session-id": "f".repeat(32) };
    for (const who of [{}, invented]) {
      for (const ref of ["s0", uuid]) {
        const args = { logical_session_ref: ref, program: "Boat" };
        const { code } = await callTool(world.fetchAs(who), "plasm_run", args);
        expect(code).toBe("plasm-unknown-session");
      }
      const opened = await callTool(world.fetchAs(who), "plasm_context", context("a"));
      expect(opened.code).toBe("plasm-unauthenticated");
    }
  });
});

describe("SESS-8 optional, anonymous, MCP with a connection", () => {
  test("each is a scope of its own: one intent, two sessions, nothing shared", async () => {
    const [one, two] = [await connection(), await connection()];
    const open = (who: Credential) =>
      callTool(world.fetchAs(who), "plasm_context", context("same"));
    const [first, second] = [await open(one), await open(two)];
    expect([first.code, second.code]).toEqual([null, null]);
    expect(second.meta["logical_session_id"]).not.toBe(first.meta["logical_session_id"]);
    expect(second.meta["reused"]).toBe(false);
    expect((await open(one)).meta["reused"]).toBe(true);
    const run = (who: Credential, ref: unknown, program = "Boat.page_size(1)[id]") =>
      callTool(world.fetchAs(who), "plasm_run", {
        logical_session_ref: ref,
        program,
        force: true,
      });
    expect(await run(one, "s0")).toMatchObject({ code: null });
    const uuid = textIn(first.meta, "logical_session_id");
    expect((await run(two, uuid)).code).toBe("plasm-unknown-session");
    expect((await run(two, "s0", "page(s0_pg1)")).code).toBe("plasm-unknown-handle");
    for (const name of ["s0", uuid]) {
      const uri = `plasm://session/${name}/r/1`;
      expect(await mcpCall(world.fetchAs(one), "resources/read", { uri })).toHaveProperty("result");
      expect(await mcpCall(world.fetchAs(two), "resources/read", { uri })).toHaveProperty("error");
    }
  });

  test("a connection of somebody known is none for an anonymous caller, and the other way", async () => {
    const ann = await world.key({ subject: "ann" });
    const { "mcp-session-id": hers = "" } = await connection(ann);
    const stolen = await callTool(
      world.fetchAs({ "mcp-session-id": hers }),
      "plasm_context",
      context("stolen"),
    );
    expect(stolen.code).toBe("plasm-unauthenticated");
    const { "mcp-session-id": nobodys = "" } = await connection();
    const mine = await callTool(
      world.fetchAs({ ...ann, "mcp-session-id": nobodys }),
      "plasm_context",
      context("mine"),
    );
    expect(mine.code).toBeNull();
  });
});

describe("SESS-8 optional, anonymous, HTTP", () => {
  const post = (body: object) => world.call({}, "POST", "/execute", body);

  test("an intent is refused with 401, and no session is ever found again", async () => {
    const bound = await post({ intent: "goal", seeds: SEEDS });
    expect([bound.status, jsonOf(bound)["code"]]).toEqual([401, "plasm-unauthenticated"]);
    const [first, second] = [await post({ seeds: SEEDS }), await post({ seeds: SEEDS })];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(second.headers.get("location")).not.toBe(first.headers.get("location"));
    for (const { text } of [first, second]) expect(text).toContain('"reused":false');
  });

  test("a session is reached by its path, extended and run", async () => {
    const opened = await post({ seeds: SEEDS, notation: "names" });
    const path = opened.headers.get("location") ?? "";
    const more = { seeds: [{ api: "quay", entity: "Person" }] };
    expect((await world.call({}, "POST", `${path}/context`, more)).status).toBe(200);
    const ran = await world.call({}, "POST", path, { program: "Person.limit(1)", force: true });
    expect(ran.status).toBe(200);
    const known = await world.key({ subject: "ann" });
    expect((await world.call(known, "POST", path, { program: "Boat" })).status).toBe(404);
  });

  test("whoami is nobody; a bad credential is not taken for none", async () => {
    const told = await world.call({}, "GET", "/v1/whoami");
    expect(jsonOf(told)).toEqual({ tenant: "anonymous", subject: null, method: "none" });
    expect((await world.call({ "x-api-key": "junk" }, "GET", "/v1/registry")).status).toBe(401);
  });
});

test("SESS-2 what a server without authentication keeps is not found by guessing its intent", async () => {
  const { engine } = world.host;
  const { meta } = await engine.context(LOCAL, context("the house's own"));
  const uuid = textIn(meta, "logical_session_id");
  await engine.run(LOCAL, { kind: "ref", ref: "s0" }, { program: "Boat.limit(1)", force: true });
  const uri = `plasm://session/${uuid}/r/1`;
  expect(await engine.readResource(LOCAL, uri)).toMatchObject({ uri });
  for (const who of [{}, await connection()]) {
    const told = JSON.stringify(await mcpCall(world.fetchAs(who), "resources/read", { uri }));
    expect(told).toContain("plasm-unknown-session");
  }
});
