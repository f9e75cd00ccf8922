import type { JsonObject, Policy } from "@plasm/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool, GATE_SURFACES, mcpCall, type GateSurface } from "../gate/gate-agent.ts";
import {
  openIdentityWorld,
  TENANT,
  textIn,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";
import { openTold, tellingCalls, type Asked, type Told, type ToldSession } from "./told-session.ts";

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

/** Results of a session, by all that names them. */
function readsOf(
  surface: GateSurface,
  at: ToldSession,
  step: JsonObject | undefined,
  operation: string,
): Asked {
  const { read, http } = tellingCalls(world, ann);
  const { ref, uuid, hash, id, path } = at;
  const n = Number(step?.["n"]);
  const runId = textIn(step, "run_id");
  return surface === "MCP"
    ? {
        "a snapshot by its ref": () => read(`plasm://session/${ref}/r/${n}`),
        "a snapshot by its uuid": () => read(`plasm://session/${uuid}/r/${n}`),
        "a snapshot by its run": () => read(`plasm://execute/${hash}/${id}/run/${runId}`),
      }
    : {
        "a snapshot by its ref": () => http("GET", `${path}/r/${n}`),
        "a snapshot by its run": () => http("GET", `${path}/artifacts/${runId}`),
        "how an operation stands": () => http("GET", `${path}/operations/${operation}`),
        "an operation's stream": () => http("GET", `${path}/operations/${operation}/stream`),
      };
}

/** A session that has run everything there is to be refused later, and the ways to each. */
async function session(surface: GateSurface, intent: string) {
  const at = await openTold(world, surface, ann, intent);
  const { run, plan } = at;
  const listed = await at.answer("Boat.page_size(1)[id]");
  const [step] = listed.meta["steps"] as readonly JsonObject[];
  const [page] = listed.meta["paging"] as readonly JsonObject[];
  const accepted = await at.answer("Boat.limit(2)[id]", { wait: false });
  const operation = /s\d+_o\d+/.exec(accepted.text)?.[0] ?? "";
  await expect.poll(run(`wait(${operation})`, { wait: true })).toBe("ok");
  const planned = await at.planned("Boat");
  const again = { plan_commit_ref: textIn(planned.meta, "plan_commit_ref"), force: false };
  const explain = surface === "MCP" ? { explain: true } : { mode: "explain" };
  return {
    path: at.path,
    reads: readsOf(surface, at, step, operation),
    continuations: {
      "a page": run(`page(${textIn(page, "next_page_handle")})`),
      "wait for an operation": run(`wait(${operation})`),
    },
    listing: {
      "a plan": plan("Boat"),
      "an explanation": plan("Boat", explain),
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

const all = async (asked: Asked): Promise<Readonly<Record<string, Told>>> => {
  const told: Record<string, Told> = {};
  for (const [name, ask] of Object.entries(asked)) told[name] = await ask();
  return told;
};
const each = (asked: Asked, told: Told) =>
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
      const { tool, http } = tellingCalls(world, ann);
      const points: Asked =
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
