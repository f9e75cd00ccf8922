import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool, GATE_SURFACES, mcpCall, type GateSurface } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";

const CREDENTIALS = { ann: "ann-s-own", bob: "bob-s-own", desk: "desk-s-own" };

let world: IdentityWorld;
let who: Readonly<Record<"ann" | "bob" | "desk" | "clerk", Credential>>;
beforeAll(async () => {
  world = await openIdentityWorld({
    credentials: CREDENTIALS,
    env: { PLASM_CREDENTIALS: "user", QUAY_TOKEN: "the-deployment-s" },
  });
  who = {
    ann: await world.key({ subject: "ann" }),
    bob: await world.key({ subject: "bob" }),
    desk: await world.key({ subject: "desk", service: true, actAs: ["ann", "bob"] }),
    clerk: await world.key({ subject: "clerk", actAs: ["ann"] }),
  };
}, 60_000);
afterAll(() => world.close());
beforeEach(() => void world.carried());

const SEEDS = [{ api: "quay", entity: "Boat" }];

interface Opened {
  readonly code: string | null;
  readonly ref: string;
  readonly uuid: string;
  readonly session: string;
  /** as HTTP knows it */
  readonly path: string;
}

/** Opens a session over a surface, for a user if one is named. */
async function open(
  surface: GateSurface,
  caller: Credential,
  intent: string,
  principal?: string,
): Promise<Opened> {
  const args = {
    intent,
    seeds: SEEDS,
    notation: "names",
    ...(principal === undefined ? {} : { principal }),
  };
  const answer = async () => {
    if (surface === "MCP") return callTool(world.fetchAs(caller), "plasm_context", args);
    const raw = jsonOf(await world.call(caller, "POST", "/execute", args));
    const { plasm, code = null } = raw as { plasm?: object; code?: string };
    return { code, meta: plasm ?? {} };
  };
  const { code, meta } = await answer();
  const told = meta as Readonly<Record<string, unknown>>;
  const { prompt_hash: hash = "", session_id: session = "" } = (told["execute_binding"] ??
    {}) as Readonly<Record<string, string>>;
  const [ref, uuid] = [told["logical_session_ref"], told["logical_session_id"]].map(String);
  return { code, ref: ref ?? "", uuid: uuid ?? "", session, path: `/execute/${hash}/${session}` };
}

/** Runs a program in an opened session; null, or the code it failed with. */
async function run(
  surface: GateSurface,
  caller: Credential,
  { ref, path }: Opened,
  program: string,
): Promise<string | null> {
  if (surface === "MCP") {
    const args = { logical_session_ref: ref, program, force: true };
    return (await callTool(world.fetchAs(caller), "plasm_run", args)).code;
  }
  const raw = jsonOf(await world.call(caller, "POST", path, { program, force: true }));
  return (raw["code"] as string | undefined) ?? null;
}

describe.each(GATE_SURFACES)("SURF-24 G15 delegated, over %s", (surface) => {
  test("two principals with one intent have separate sessions, handles and snapshots", async () => {
    const intent = `${surface}: ours`;
    const hers = await open(surface, who.ann, intent);
    const his = await open(surface, who.bob, intent);
    expect([hers.code, his.code]).toEqual([null, null]);
    expect(his.session).not.toBe(hers.session);
    expect(his.uuid).not.toBe(hers.uuid);
    expect((await open(surface, who.ann, intent)).session).toBe(hers.session);
    expect(await run(surface, who.ann, hers, "Boat.page_size(1)[id]")).toBeNull();
    expect(world.carried()).toEqual(["Bearer ann-s-own"]);
    expect(await run(surface, who.bob, his, "Boat.limit(1)")).toBeNull();
    expect(world.carried()).toEqual(["Bearer bob-s-own"]);
    // By every name that there is for hers.
    expect(await run(surface, who.bob, his, `page(${his.ref}_pg1)`)).toBe("plasm-unknown-handle");
    const byUuid = { ...hers, ref: hers.uuid };
    expect(await run(surface, who.bob, byUuid, "Boat")).toBe("plasm-unknown-session");
    for (const uri of [`plasm://session/${hers.uuid}/r/1`, `plasm://session/${hers.uuid}/table`]) {
      expect(await mcpCall(world.fetchAs(who.ann), "resources/read", { uri })).toHaveProperty(
        "result",
      );
      expect(await mcpCall(world.fetchAs(who.bob), "resources/read", { uri })).toHaveProperty(
        "error",
      );
    }
    expect(world.carried()).toEqual([]);
  });

  test("principal of another user without act_as is refused; one's own is not", async () => {
    const intent = `${surface}: another's`;
    for (const [caller, principal] of [
      [who.ann, "bob"],
      [who.ann, "nobody"],
      [who.clerk, "bob"],
      [who.desk, "desk"],
    ] as const) {
      expect((await open(surface, caller, intent, principal)).code).toBe("plasm-policy-denied");
    }
    expect((await open(surface, who.ann, intent, "ann")).code).toBeNull();
  });

  test("a service credential has to name the user, and acts for each in a session of its own", async () => {
    const intent = `${surface}: the desk's`;
    expect((await open(surface, who.desk, intent)).code).toBe("plasm-principal-required");
    const forAnn = await open(surface, who.desk, intent, "ann");
    const forBob = await open(surface, who.desk, intent, "bob");
    expect([forAnn.code, forBob.code]).toEqual([null, null]);
    expect(forBob.ref).not.toBe(forAnn.ref);
    for (const [session, bearer] of [
      [forAnn, "Bearer ann-s-own"],
      [forBob, "Bearer bob-s-own"],
      [forAnn, "Bearer ann-s-own"],
    ] as const) {
      expect(await run(surface, who.desk, session, "Boat.limit(1)")).toBeNull();
      expect(world.carried()).toEqual([bearer]);
    }
    // The session is the user's own; its handles are those of who was answered.
    const hers = await open(surface, who.ann, intent);
    expect(hers.session).toBe(forAnn.session);
    expect(
      await run(surface, who.clerk, { ...forAnn, ref: forAnn.uuid }, "Boat.limit(1)"),
    ).toBeNull();
    expect(await run(surface, who.clerk, { ...forBob, ref: forBob.uuid }, "Boat")).toBe(
      "plasm-unknown-session",
    );
  });

  test("long work for a user uses that user's credentials, too", async () => {
    const session = await open(surface, who.desk, `${surface}: long`, "bob");
    const body = { program: "Boat.limit(2)", force: true, wait: false };
    const text =
      surface === "MCP"
        ? (
            await callTool(world.fetchAs(who.desk), "plasm_run", {
              logical_session_ref: session.ref,
              ...body,
            })
          ).text
        : (await world.call(who.desk, "POST", session.path, body)).text;
    const handle = /s\d+_o\d+/.exec(text)?.[0] ?? "";
    await expect
      .poll(() => run(surface, who.desk, session, `wait(${handle})`), { timeout: 10_000 })
      .toBeNull();
    expect(new Set(world.carried())).toEqual(new Set(["Bearer bob-s-own"]));
  });
});

test("a user without a credential gets none of anybody else's, the deployment's included", async () => {
  const eve = await world.key({ subject: "eve" });
  const session = await open("HTTP", eve, "none of my own");
  expect(await run("HTTP", eve, session, "Boat.limit(1)")).toBe("plasm-upstream-auth");
  expect(world.carried()).toEqual([]);
});

test("what a credential lists no longer, it finds no longer", async () => {
  const lists = { subject: "temp", service: true, actAs: ["ann"] };
  const temp = await world.key(lists);
  const session = await open("MCP", temp, "for a while", "ann");
  expect(await run("MCP", temp, session, "Boat.limit(1)")).toBeNull();
  const later = await world.key({ ...lists, actAs: ["bob"] });
  expect(await run("MCP", later, session, "Boat.limit(1)")).toBe("plasm-unknown-session");
});

test("RUN-183 the registry tells each user whether a credential of her own is at hand", async () => {
  const told = async (caller: Credential) => {
    const { credentials, credentials_needed: needed } = jsonOf(
      await world.call(caller, "GET", "/v1/registry/quay"),
    );
    return [credentials, typeof needed];
  };
  expect(await told(who.ann)).toEqual([true, "undefined"]);
  expect(await told(await world.key({ subject: "eve" }))).toEqual([false, "string"]);
  expect(await told(await world.key({ subject: "ann", tenant: "other" }))).toEqual([
    false,
    "string",
  ]);
});

describe("OPS-36 SURF-24 a plan that a service has run for a user, before an operator", () => {
  const PROGRAM = 'Boat("b1").update(note="x")';
  let operator: Credential;
  beforeAll(async () => {
    operator = await world.key({ subject: "olga", role: "operator" });
    await world.setPolicy("acme", { apis: { quay: { approval: { operator: ["update"] } } } });
  });
  afterAll(() => world.setPolicy("acme", {}));

  test.each(GATE_SURFACES)(
    "%s: says who calls and for whom, and neither decides",
    async (surface) => {
      await world.setPolicy("acme", { apis: { quay: { approval: { operator: ["update"] } } } });
      const intent = `approve over ${surface}`;
      const opened = await open(surface, who.desk, intent, "ann");
      expect(await run(surface, who.desk, opened, PROGRAM)).toBe("plasm-approval-required");
      const listed = jsonOf(await world.call(operator, "GET", "/v1/approvals"));
      const all = listed["approvals"] as readonly Readonly<Record<string, unknown>>[];
      const [asked] = all.filter((one) => one["intent"] === intent);
      expect(asked).toMatchObject({ subject: "desk", acting_for: "ann" });
      const approve = `/v1/approvals/${String(asked?.["commit_uuid"])}/approve`;
      for (const subject of ["ann", "desk"]) {
        const own = await world.key({ subject, role: "operator" });
        expect((await world.call(own, "POST", approve)).status).toBe(403);
      }
      const decided = await world.call(operator, "POST", approve);
      expect([decided.status, jsonOf(decided)["acting_for"]]).toEqual([200, "ann"]);
    },
  );

  test("one who calls for nobody else acts for nobody else", async () => {
    const opened = await open("HTTP", who.bob, "approve alone");
    await run("HTTP", who.bob, opened, PROGRAM);
    const listed = jsonOf(await world.call(operator, "GET", "/v1/approvals"));
    const all = listed["approvals"] as readonly Readonly<Record<string, unknown>>[];
    const own = all.find((one) => one["intent"] === "approve alone");
    expect(own).toMatchObject({ subject: "bob", acting_for: null });
  });
});
