import type { JsonObject, Policy } from "@plasm/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool, GATE_SURFACES, mcpCall, type GateSurface } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  TENANT,
  textIn,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";

const ALL: Policy = { apis: { quay: {}, yard: {} } };
/** Everything of quay is gone. */
const NO_QUAY: Policy = { apis: { yard: {} } };
/** One read of it is. */
const NO_LIST: Policy = { apis: { quay: { deny: ["boat_query"] }, yard: {} } };
/** All that changes something is. */
const NO_EFFECTS: Policy = { apis: { quay: { effects: false }, yard: {} } };

let world: IdentityWorld;
let ann: Credential;
beforeAll(async () => {
  world = await openIdentityWorld();
  ann = await world.key({ subject: "ann" });
}, 60_000);
afterAll(() => world.close());
beforeEach(() => world.setPolicy(TENANT, ALL));

const BOAT = { api: "quay", entity: "Boat" };
const PERSON = { api: "quay", entity: "Person" };

/** What a point of check answered: `ok`, or the code it was refused with. */
type Told = string;
type Ask = () => Promise<Told>;

const codeIn = (text: string): Told =>
  (/"code":"(plasm-[a-z-]+)"/.exec(text)?.[1] ?? "ok").replace("plasm-", "");

const tool = async (name: string, args: object): Promise<Told> =>
  ((await callTool(world.fetchAs(ann), name, args)).code ?? "ok").replace("plasm-", "");
const read = async (uri: string): Promise<Told> =>
  codeIn(JSON.stringify(await mcpCall(world.fetchAs(ann), "resources/read", { uri })));
const http = async (method: string, path: string, body?: object): Promise<Told> => {
  const { status, text } = await world.call(ann, method, path, body);
  return status < 400 ? "ok" : codeIn(text);
};

const metaOf = async (surface: GateSurface, intent: string): Promise<JsonObject> => {
  const args = { intent, seeds: [BOAT], notation: "names" };
  if (surface === "MCP") return (await callTool(world.fetchAs(ann), "plasm_context", args)).meta;
  return jsonOf(await world.call(ann, "POST", "/execute", args))["plasm"] as JsonObject;
};

/** A session that has run everything there is to be refused later, and the ways to each. */
async function session(surface: GateSurface, intent: string) {
  const meta = await metaOf(surface, intent);
  const ref = textIn(meta, "logical_session_ref");
  const { prompt_hash: hash, session_id: id } = meta["execute_binding"] as Record<string, string>;
  const path = `/execute/${hash}/${id}`;
  const at = { logical_session_ref: ref };
  const answer = async (program: string, more: object = {}) => {
    if (surface === "MCP") {
      return callTool(world.fetchAs(ann), "plasm_run", { ...at, program, force: true, ...more });
    }
    const body = { program, force: true, ...more };
    const { text, _meta } = jsonOf(await world.call(ann, "POST", path, body));
    return { text: JSON.stringify(text), meta: (_meta as JsonObject)["plasm"] as JsonObject };
  };
  const run = (program: string, more: object = {}): Ask =>
    surface === "MCP"
      ? () => tool("plasm_run", { ...at, program, force: true, ...more })
      : () => http("POST", path, { program, force: true, ...more });
  const plan = (program: string, more: object = {}): Ask =>
    surface === "MCP"
      ? () => tool("plasm", { ...at, program, ...more })
      : () => http("POST", path, { program, mode: "plan", ...more });
  const listed = await answer("Boat.page_size(1)[id]");
  const [step] = listed.meta["steps"] as readonly JsonObject[];
  const [page] = listed.meta["paging"] as readonly JsonObject[];
  const handle = textIn(page, "next_page_handle");
  const accepted = await answer("Boat.limit(2)[id]", { wait: false });
  const operation = /s\d+_o\d+/.exec(accepted.text)?.[0] ?? "";
  await expect.poll(run(`wait(${operation})`, { wait: true })).toBe("ok");
  const planned =
    surface === "MCP"
      ? (await callTool(world.fetchAs(ann), "plasm", { ...at, program: "Boat" })).meta
      : ((
          jsonOf(await world.call(ann, "POST", path, { program: "Boat", mode: "plan" }))[
            "_meta"
          ] as JsonObject
        )["plasm"] as JsonObject);
  const again = { plan_commit_ref: textIn(planned, "plan_commit_ref"), force: false };
  const n = Number(step?.["n"]);
  const runId = textIn(step, "run_id");
  const uris = {
    "a snapshot by its ref": `plasm://session/${ref}/r/${n}`,
    "a snapshot by its uuid": `plasm://session/${textIn(meta, "logical_session_id")}/r/${n}`,
    "a snapshot by its run": `plasm://execute/${hash}/${id}/run/${runId}`,
  };
  const routes = {
    "a snapshot by its ref": `${path}/r/${n}`,
    "a snapshot by its run": `${path}/artifacts/${runId}`,
    "how an operation stands": `${path}/operations/${operation}`,
    "an operation's stream": `${path}/operations/${operation}/stream`,
  };
  const reads: Readonly<Record<string, Ask>> =
    surface === "MCP"
      ? Object.fromEntries(Object.entries(uris).map(([name, uri]) => [name, () => read(uri)]))
      : Object.fromEntries(
          Object.entries(routes).map(([name, route]) => [name, () => http("GET", route)]),
        );
  return {
    path,
    ref,
    reads,
    continuations: {
      "a page": run(`page(${handle})`),
      "wait for an operation": run(`wait(${operation})`),
    },
    listing: {
      "a plan": plan("Boat"),
      "an explanation": plan("Boat", surface === "MCP" ? { explain: true } : { mode: "explain" }),
      "a run": run("Boat"),
      "a run by the ref of its plan": run("Boat", again),
    },
    one: { "a plan of another read": plan('Boat("b1")'), "another read": run('Boat("b1")') },
    effects: {
      "a plan of an effect": plan('Boat("b1").update(note="x")'),
      "an effect": run('Boat("b1").update(note="x")'),
    },
  };
}

const all = async (
  asked: Readonly<Record<string, Ask>>,
): Promise<Readonly<Record<string, Told>>> => {
  const told: Record<string, Told> = {};
  for (const [name, ask] of Object.entries(asked)) told[name] = await ask();
  return told;
};
const each = (asked: Readonly<Record<string, Ask>>, told: Told) =>
  Object.fromEntries(Object.keys(asked).map((name) => [name, told]));

describe.each(GATE_SURFACES)(
  "SURF-25 F18 G20 policy that changes meanwhile, over %s",
  (surface) => {
    test("stops what was taught, and lets it go on when it is relaxed", async () => {
      const { listing, continuations, reads, one, effects, path } = await session(
        surface,
        `${surface} a`,
      );
      const before = await world.call(ann, "GET", path);
      const points = { ...listing, ...continuations, ...reads };
      world.carried();
      await world.setPolicy(TENANT, NO_QUAY);
      const everything = { ...points, ...one, ...effects };
      expect(await all(everything)).toEqual(each(everything, "policy-denied"));
      await world.setPolicy(TENANT, NO_LIST);
      expect(await all(points)).toEqual(each(points, "policy-denied"));
      expect(world.carried()).toEqual([]);
      expect(await all(one)).toEqual(each(one, "ok"));
      // What was taught stays as it was sent.
      expect((await world.call(ann, "GET", path)).text).toBe(before.text);
      await world.setPolicy(TENANT, ALL);
      expect(await all(points)).toEqual(each(points, "ok"));
    });

    test("effects: false stops effects alone; what is newly allowed may be used at once", async () => {
      const taught = await session(surface, `${surface} b`);
      await world.setPolicy(TENANT, NO_EFFECTS);
      expect(await all(taught.effects)).toEqual(each(taught.effects, "policy-denied"));
      const { listing, one, effects } = await session(surface, `${surface} untaught`);
      // What was never taught is told of nothing (SURF-26).
      expect(await all(effects)).toEqual(each(effects, "program-invalid"));
      expect(await all({ ...listing, ...one })).toEqual(each({ ...listing, ...one }, "ok"));
      await world.setPolicy(TENANT, ALL);
      for (const asked of [effects, taught.effects]) {
        expect(await all(asked)).toEqual(each(asked, "ok"));
      }
    });

    test("is looked at by discovery, registry and seeds", async () => {
      const intent = `${surface} c`;
      await session(surface, intent);
      const seeds = { intent, seeds: [PERSON] };
      const points: Readonly<Record<string, Ask>> =
        surface === "MCP"
          ? { seeds: () => tool("plasm_context", seeds) }
          : {
              seeds: () => http("POST", "/execute", seeds),
              "an entry of the registry": () => http("GET", "/v1/registry/quay"),
            };
      const shown = async () =>
        surface === "MCP"
          ? [
              (await callTool(world.fetchAs(ann), "discover_capabilities", { intent: "boats" }))
                .text,
              JSON.stringify(
                await mcpCall(world.fetchAs(ann), "resources/read", { uri: "plasm://registry" }),
              ),
            ]
          : [
              (await world.call(ann, "POST", "/v1/discover", { intent: "boats" })).text,
              (await world.call(ann, "GET", "/v1/registry")).text,
            ];
      for (const text of await shown()) expect(text).toContain("quay");
      await world.setPolicy(TENANT, NO_QUAY);
      expect(await all(points)).toEqual(each(points, "unknown-catalog"));
      for (const text of await shown()) expect(text).not.toContain("quay");
      await world.setPolicy(TENANT, ALL);
      expect(await all(points)).toEqual(each(points, "ok"));
    });
  },
);

test("SURF-25 every server on the store knows of a policy, and of a key, at once", async () => {
  const other = await world.replica();
  const bob = await world.key({ subject: "bob" });
  const listed = async () => (await other(bob, "GET", "/v1/registry")).text;
  expect(await listed()).toContain("quay");
  await world.setPolicy(TENANT, NO_QUAY);
  expect(await listed()).not.toContain("quay");
  const path =
    (await world.call(ann, "POST", "/execute", { seeds: [{ ...BOAT, api: "yard" }] })).headers.get(
      "location",
    ) ?? "";
  await world.setPolicy(TENANT, { apis: {} });
  expect((await other(ann, "POST", path, { program: "Boat" })).status).toBe(403);
});
