import type { JsonObject } from "@plasm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, mcpCall } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  TENANT,
  textIn,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";

/** Everything of ann's that has an id. */
interface Hers {
  readonly uuid: string;
  readonly hash: string;
  readonly session: string;
  readonly path: string;
  readonly runId: string;
  readonly waiting: string;
}

const INTENT = "boats to paint";
const SEEDS = [{ api: "quay", entity: "Boat" }];
const REVIEW = 'Boat("b1").update(note="x")';

let world: IdentityWorld;
let hers: Hers;
const who: Record<"ann" | "bob" | "eve" | "olga" | "other", Credential> = {
  ann: {},
  bob: {},
  eve: {},
  olga: {},
  other: {},
};

const open = async (caller: Credential, intent = INTENT): Promise<JsonObject> =>
  (
    await callTool(world.fetchAs(caller), "plasm_context", {
      intent,
      seeds: SEEDS,
      notation: "names",
    })
  ).meta;

/** An answer in full: what two callers may not tell apart. */
const tool = async (caller: Credential, name: string, args: object): Promise<string> =>
  JSON.stringify(await mcpCall(world.fetchAs(caller), "tools/call", { name, arguments: args }));
const read = async (caller: Credential, uri: string): Promise<string> =>
  JSON.stringify(await mcpCall(world.fetchAs(caller), "resources/read", { uri }));
const http = async (caller: Credential, method: string, path: string, body?: object) => {
  const { status, headers, text } = await world.call(caller, method, path, body);
  return `${status} ${headers.get("content-type")} ${text}`;
};

async function fill(): Promise<Hers> {
  const meta = await open(who.ann);
  const { prompt_hash: hash = "", session_id: session = "" } = meta["execute_binding"] as Record<
    string,
    string
  >;
  const run = (program: string, more: object = {}) =>
    callTool(world.fetchAs(who.ann), "plasm_run", {
      logical_session_ref: "s0",
      program,
      ...more,
    });
  const listed = await run("Boat.page_size(1)[id]", { force: true });
  const [step] = listed.meta["steps"] as readonly JsonObject[];
  expect(listed.text).toContain("s0_pg1");
  expect((await run("Boat.limit(2)[id]", { force: true, wait: false })).text).toContain("s0_o1");
  await world.setPolicy(TENANT, {
    apis: { quay: { approval: { operator: ["update"] } }, yard: {} },
  });
  await run(REVIEW);
  const waiting = jsonOf(await world.call(who.olga, "GET", "/v1/approvals"));
  const [asked] = waiting["approvals"] as readonly JsonObject[];
  await world.setPolicy(TENANT, { apis: { quay: {}, yard: {} } });
  return {
    uuid: textIn(meta, "logical_session_id"),
    hash,
    session,
    path: `/execute/${hash}/${session}`,
    runId: textIn(step, "run_id"),
    waiting: textIn(asked, "commit_uuid"),
  };
}

beforeAll(async () => {
  world = await openIdentityWorld();
  who.ann = await world.key({ subject: "ann" });
  who.bob = await world.key({ subject: "bob" });
  who.eve = await world.key({ subject: "ann", tenant: "other" });
  who.olga = await world.key({ subject: "olga", role: "operator" });
  who.other = await world.key({ subject: "olga", role: "operator", tenant: "other" });
  hers = await fill();
}, 60_000);
afterAll(() => world.close());

/** Another id of the same form. */
const another = (id: string): string =>
  id.replaceAll(/[0-9a-f]/g, (digit) => (digit === "0" ? "1" : "0"));

type Ask = (id: string) => Promise<string>;

/** The same question about a foreign and about an invented id has the same answer, but for the id. */
async function alike(ask: Ask, foreign: string, invented = another(foreign)): Promise<string> {
  const [theirs, never] = [await ask(foreign), await ask(invented)];
  expect(theirs.replaceAll(foreign, "ID")).toBe(never.replaceAll(invented, "ID"));
  return theirs;
}

const program = "Boat.limit(1)";

describe("F17 P25 SESS-38 what is another tenant's answers as what never was", () => {
  test.each<[string, (ref: string) => Promise<string>]>([
    ["plasm", (ref) => tool(who.eve, "plasm", { logical_session_ref: ref, program })],
    ["plasm_run", (ref) => tool(who.eve, "plasm_run", { logical_session_ref: ref, program })],
    ["its snapshot", (ref) => read(who.eve, `plasm://session/${ref}/r/1`)],
    ["its table", (ref) => read(who.eve, `plasm://session/${ref}/table`)],
    ["its file", (ref) => read(who.eve, `plasm://session/${ref}/a/${"0".repeat(64)}`)],
  ])("a logical session by uuid and by ref, MCP: %s", async (_, ask) => {
    expect(await alike(ask, hers.uuid)).toContain("plasm-unknown-session");
    expect(await alike(ask, "s0", "s7")).toContain("plasm-unknown-session");
  });

  test.each<[string, string, object?]>([
    ["GET", ""],
    ["POST", "", { program }],
    ["POST", "", { program: "page(s0_pg1)" }],
    ["POST", "", { program: "wait(s0_o1)" }],
    ["POST", "/context", { seeds: SEEDS }],
    ["GET", "/symbols"],
    ["GET", "/status"],
    ["GET", "/runs"],
    ["GET", "/r/1"],
    ["GET", "/operations/s0_o1"],
    ["GET", "/operations/s0_o1/stream"],
  ])("an execute session, HTTP: %s …%s", async (method, rest, body) => {
    const ask: Ask = (session) =>
      http(who.eve, method, `/execute/${hers.hash}/${session}${rest}`, body);
    expect(await alike(ask, hers.session)).toMatch(
      /^404 application\/problem\+json .*unknown-session/,
    );
    // The hash alone tells nothing, either: it is that of a text that many may be taught.
    const byHash: Ask = (hash) =>
      http(who.eve, method, `/execute/${hash}/${hers.session}${rest}`, body);
    await alike(byHash, hers.hash);
  });

  test("a run by its pair, MCP and HTTP", async () => {
    const uri: Ask = (session) =>
      read(who.eve, `plasm://execute/${hers.hash}/${session}/run/${hers.runId}`);
    expect(await alike(uri, hers.session)).toContain("plasm-unknown-session");
    const route: Ask = (session) =>
      http(who.eve, "GET", `/execute/${hers.hash}/${session}/artifacts/${hers.runId}`);
    await alike(route, hers.session);
  });

  test("a plan that waits, for an operator of another tenant", async () => {
    for (const action of ["approve", "reject"]) {
      const ask: Ask = (uuid) => http(who.other, "POST", `/v1/approvals/${uuid}/${action}`, {});
      expect(await alike(ask, hers.waiting)).toMatch(/^404 .*plasm-unknown-handle/);
    }
    expect(jsonOf(await world.call(who.other, "GET", "/v1/approvals"))).toEqual({
      approvals: [],
      callers: [],
      next: null,
      total: 0,
    });
  });

  test("the same intent is another session, with another id", async () => {
    const meta = await open(who.eve);
    expect([meta["logical_session_id"], meta["reused"]]).not.toContain(hers.uuid);
    expect(meta["reused"]).toBe(false);
  });
});

describe.each<["bob" | "eve", string]>([
  ["bob", "of the same tenant"],
  ["eve", "of another tenant"],
])("F17 G3 handles and refs in a session of %s, %s", (name) => {
  const run: Ask = (text) =>
    tool(who[name], "plasm_run", { logical_session_ref: "s0", program: text, force: true });

  beforeAll(async () => {
    await open(who[name]);
  });

  test("a page, an operation to wait for or to cancel", async () => {
    for (const op of ["page", "wait", "cancel"]) {
      const [foreign, invented] = op === "page" ? ["s0_pg1", "s0_pg9"] : ["s0_o1", "s0_o9"];
      const ask: Ask = (handle) => run(`${op}(${handle})`);
      expect(await alike(ask, foreign, invented)).toContain("plasm-unknown-handle");
    }
  });

  test("the ref of a plan is none of this principal's", async () => {
    const { meta } = await callTool(world.fetchAs(who.ann), "plasm", {
      logical_session_ref: "s0",
      program: REVIEW,
    });
    const ref = textIn(meta, "plan_commit_ref");
    world.carried();
    const ask = async (given: string) => {
      const args = { logical_session_ref: "s0", program: REVIEW, plan_commit_ref: given };
      const {
        code,
        text,
        meta: told,
      } = await callTool(world.fetchAs(who[name]), "plasm_run", args);
      return JSON.stringify([code, text, told["error"]]).replaceAll(
        textIn(told, "plan_commit_ref"),
        "MINE",
      );
    };
    const refused = await alike(ask, ref, "pc99");
    expect(refused).toContain("plasm-review-required");
    expect(refused).toContain("unknown ref");
    expect(world.carried()).toEqual([]);
  });
});

test("G3 a ref is refused in another session of its own principal", async () => {
  const { meta } = await callTool(world.fetchAs(who.ann), "plasm", {
    logical_session_ref: "s0",
    program: REVIEW,
  });
  const other = await open(who.ann, "another goal");
  const { code, text } = await callTool(world.fetchAs(who.ann), "plasm_run", {
    logical_session_ref: textIn(other, "logical_session_ref"),
    program: REVIEW,
    plan_commit_ref: textIn(meta, "plan_commit_ref"),
  });
  expect([code, text]).toEqual(["plasm-review-required", expect.stringContaining("unknown ref")]);
});
