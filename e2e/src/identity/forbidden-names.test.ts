import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool, GATE_SURFACES, mcpCall, type GateSurface } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  TENANT,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";

let world: IdentityWorld;
let ann: Credential;
beforeAll(async () => {
  world = await openIdentityWorld();
  ann = await world.key({ subject: "ann" });
}, 60_000);
afterAll(() => world.close());
beforeEach(() => world.setPolicy(TENANT, { apis: { yard: {} } }));

/** Quay, which is forbidden, by every name it has and nearly has; invented ones of the same length. */
const NAMES: readonly (readonly [string, string])[] = [
  ["its id", "quay"],
  ["its id in capitals", "QUAY"],
  ["its label", "Quay"],
  ["its tag", "moorings"],
  ["its alias", "dockside"],
  ["a near miss of that", "docksite"],
  ["a near miss", "quai"],
  ["another near miss", "quays"],
  ["its id with blanks", " quay "],
];

/** Letters for letters, so that nothing but the name can differ. */
const invented = (name: string): string => name.replaceAll(/[a-z]/g, "x").replaceAll(/[A-Z]/g, "X");

/** All of an answer, the name that was asked for taken out of it. */
const without = (text: string, name: string): string =>
  [name, name.trim(), encodeURIComponent(name)].reduce(
    (left, one) => left.replaceAll(one, "NAME"),
    text,
  );

const BOAT = { api: "yard", entity: "Boat" };

/** Every place that takes the name of a catalog, as the bytes that it answers with. */
async function answers(
  surface: GateSurface,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const told: Record<string, string> = {};
  const seeds = [{ api: name, entity: "Boat" }];
  const ask = { intent: "boats", apis: [name] };
  if (surface === "MCP") {
    const raw = async (tool: string, args: object) =>
      JSON.stringify(
        await mcpCall(world.fetchAs(ann), "tools/call", { name: tool, arguments: args }),
      );
    told["seeds"] = await raw("plasm_context", { intent: "names", seeds });
    told["mixed seeds"] = await raw("plasm_context", { intent: "names", seeds: [BOAT, ...seeds] });
    told["discovery"] = await raw("discover_capabilities", ask);
    const opened = { intent: "yard alone", seeds: [BOAT], notation: "names" };
    await callTool(world.fetchAs(ann), "plasm_context", opened);
    const program = `e(${name.trim()}.Boat)`;
    told["a program"] = await raw("plasm", { logical_session_ref: "s0", program });
    return told;
  }
  const raw = async (method: string, path: string, body?: object) => {
    const { status, text } = await world.call(ann, method, path, body);
    return `${status} ${text}`;
  };
  told["seeds"] = await raw("POST", "/execute", { seeds });
  told["an entry id"] = await raw("POST", "/execute", { entry_id: name, entities: ["Boat"] });
  told["pins"] = await raw("POST", "/execute", {
    seeds: [BOAT],
    pins: [{ api: name, digest: `sha256:${"0".repeat(64)}` }],
  });
  told["discovery"] = await raw("POST", "/v1/discover", ask);
  told["an entry"] = await raw("GET", `/v1/registry/${encodeURIComponent(name)}`);
  const opened = await world.call(ann, "POST", "/execute", { seeds: [BOAT], notation: "names" });
  const path = opened.headers.get("location") ?? "";
  told["a program"] = await raw("POST", path, { program: `e(${name.trim()}.Boat)`, mode: "plan" });
  return told;
}

describe.each(GATE_SURFACES)("SURF-26 G19 a forbidden catalog, over %s", (surface) => {
  test.each(NAMES)("%s answers as an invented name, byte for byte", async (_, name) => {
    const made = invented(name);
    const [asked, never] = [await answers(surface, name), await answers(surface, made)];
    for (const [place, text] of Object.entries(asked)) {
      expect(without(text, name), place).toBe(without(never[place] ?? "", made));
      expect(text, place).not.toMatch(/policy|forbid/i);
    }
  });

  test("the names do mean the catalog where it is allowed", async () => {
    await world.setPolicy(TENANT, { apis: { yard: {}, quay: {} } });
    for (const name of ["quay", "QUAY", "Quay", "moorings", "dockside"]) {
      const { seeds } = await answers(surface, name);
      expect(seeds).toContain("prompt_hash");
    }
  });
});

describe("SURF-26 what nobody asked for by name", () => {
  const HIDDEN = /quay|berth_|boat_ping|boat_send/i;

  test("discovery, registry and what errors suggest say nothing of a forbidden catalog", async () => {
    const texts = [
      (await world.call(ann, "POST", "/v1/discover", { intent: "boats in the quay" })).text,
      (await world.call(ann, "GET", "/v1/registry")).text,
      (await world.call(ann, "POST", "/execute", { seeds: [{ api: "qay", entity: "Boat" }] })).text,
      (await world.call(ann, "POST", "/execute", { seeds: [{ api: "yard", entity: "Nope" }] }))
        .text,
    ];
    for (const text of texts) expect(text.replaceAll("in the quay", "")).not.toMatch(HIDDEN);
  });

  test("forbidden capabilities are shown by untaught alone, and not counted", async () => {
    await world.setPolicy(TENANT, { apis: { quay: {} } });
    const whole = jsonOf(await world.call(ann, "GET", "/v1/registry/quay"));
    const howMany = Number(whole["capabilities"]);
    await world.setPolicy(TENANT, {
      apis: { quay: { deny: ["boat_ping", "boat_send"] }, yard: {} },
    });
    const entry = await world.call(ann, "GET", "/v1/registry/quay");
    const counted = async () => jsonOf(await world.call(ann, "GET", "/v1/registry/quay"));
    expect(entry.text).not.toMatch(/boat_ping|boat_send|"ping"|"send"/);
    expect((await counted())["capabilities"]).toBe(howMany - 2);
    const found = await world.call(ann, "POST", "/v1/discover", { intent: "ping and send a boat" });
    expect(found.text).not.toMatch(/"(ping|send)"/);
    const seeds = [{ api: "quay", entity: "Boat" }];
    const asked = { intent: "what is hidden", seeds, notation: "names" };
    const opened = await world.call(ann, "POST", "/execute", asked);
    const { plasm } = jsonOf(opened) as { plasm: { waves: readonly { untaught: unknown }[] } };
    expect(JSON.stringify(plasm.waves[0]?.untaught)).toMatch(/ping.*send|send.*ping/);
    const path = opened.headers.get("location") ?? "";
    const prompt = await world.call(ann, "GET", path);
    expect(prompt.text).not.toMatch(/\.ping|\.send/);
    const wrong = await world.call(ann, "POST", path, {
      program: 'Boat("b1").pong()',
      mode: "plan",
    });
    expect([wrong.status, wrong.text]).toEqual([422, expect.not.stringMatching(/\bping\b/)]);
    const named = await world.call(ann, "POST", path, {
      program: 'Boat("b1").ping()',
      mode: "plan",
    });
    const never = await world.call(ann, "POST", path, {
      program: 'Boat("b1").pinx()',
      mode: "plan",
    });
    expect(without(named.text, "ping")).toBe(without(never.text, "pinx"));
  });
});
