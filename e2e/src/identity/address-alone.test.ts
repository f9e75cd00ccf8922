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

const SEEDS = [{ api: "quay", entity: "Boat" }];
const REVIEW = 'Boat("b1").update(note="x")';

let world: IdentityWorld;
const who: Record<"ann" | "bob" | "desk" | "olga" | "root", Credential> = {
  ann: {},
  bob: {},
  desk: {},
  olga: {},
  root: {},
};

beforeAll(async () => {
  world = await openIdentityWorld();
  who.ann = await world.key({ subject: "ann" });
  who.bob = await world.key({ subject: "bob" });
  who.desk = await world.key({ subject: "desk", service: true, actAs: ["ann", "olga"] });
  who.olga = await world.key({ subject: "olga", role: "operator" });
  who.root = await world.key({ subject: "root", role: "admin" });
}, 60_000);
afterAll(() => world.close());

interface Opened {
  readonly uuid: string;
  readonly hash: string;
  readonly session: string;
  readonly path: string;
}

/** Opens a session over HTTP, with an intent or with none. */
async function open(caller: Credential, intent?: string): Promise<Opened> {
  const body = { seeds: SEEDS, notation: "names", ...(intent === undefined ? {} : { intent }) };
  const meta = jsonOf(await world.call(caller, "POST", "/execute", body))["plasm"] as JsonObject;
  const { prompt_hash: hash = "", session_id: session = "" } = meta["execute_binding"] as Record<
    string,
    string
  >;
  const uuid = meta["logical_session_id"];
  return {
    uuid: typeof uuid === "string" ? uuid : "",
    hash,
    session,
    path: `/execute/${hash}/${session}`,
  };
}

/** The statuses of all that an execute session answers at its own address. */
async function atPath(caller: Credential, { path, hash, session }: Opened): Promise<Set<number>> {
  const calls: readonly [string, string, object?][] = [
    ["GET", ""],
    ["POST", "", { program: "Boat.limit(1)" }],
    ["POST", "", { program: "Boat.limit(1)", mode: "plan" }],
    ["POST", "/context", { seeds: SEEDS }],
    ["GET", "/symbols"],
    ["GET", "/status"],
    ["GET", "/runs"],
    ["GET", "/grafts"],
  ];
  const told = calls.map(async ([method, rest, body]) => {
    const { status } = await world.call(caller, method, `${path}${rest}`, body);
    return status;
  });
  const uri = `plasm://execute/${hash}/${session}/run/pr${"0".repeat(64)}`;
  const read = JSON.stringify(await mcpCall(world.fetchAs(caller), "resources/read", { uri }));
  return new Set([...(await Promise.all(told)), read.includes("plasm-unknown-session") ? 404 : 0]);
}

/** The same where a session is named by its uuid. */
async function byUuid(caller: Credential, { uuid }: Opened): Promise<readonly (string | null)[]> {
  const args = { logical_session_ref: uuid, program: "Boat.limit(1)" };
  const told = ["plasm", "plasm_run"].map(
    async (name) => (await callTool(world.fetchAs(caller), name, args)).code,
  );
  const uri = `plasm://session/${uuid}/table`;
  const read = JSON.stringify(await mcpCall(world.fetchAs(caller), "resources/read", { uri }));
  return [
    ...(await Promise.all(told)),
    read.includes("unknown-session") ? "plasm-unknown-session" : null,
  ];
}

const UNKNOWN = ["plasm-unknown-session", "plasm-unknown-session", "plasm-unknown-session"];

describe("18.18 two callers of a tenant share a session only by intent", () => {
  test("the path or uuid of hers is to him what never was, until he says her intent", async () => {
    const hers = await open(who.ann, "boats to paint");
    expect(await atPath(who.bob, hers)).toEqual(new Set([404]));
    expect(await byUuid(who.bob, hers)).toEqual(UNKNOWN);
    expect(await atPath(who.ann, hers)).not.toContain(404);
    expect(await byUuid(who.ann, hers)).toEqual([null, null, null]);
    // What he was refused gave him nothing for later.
    expect(await byUuid(who.bob, hers)).toEqual(UNKNOWN);
    const his = await open(who.bob, "boats to paint");
    expect([his.uuid, his.session]).toEqual([hers.uuid, hers.session]);
    expect(await byUuid(who.bob, hers)).toEqual([null, null, null]);
    const { status } = await world.call(who.bob, "GET", `${hers.path}/symbols`);
    expect(status).toBe(200);
  });

  test("without an intent equal seeds are each caller's own session", async () => {
    const hers = await open(who.ann);
    const his = await open(who.bob);
    expect(his.session).not.toBe(hers.session);
    expect((await open(who.ann)).session).toBe(hers.session);
    expect(await atPath(who.bob, hers)).toEqual(new Set([404]));
    expect((await world.call(who.ann, "GET", hers.path)).status).toBe(200);
  });
});

const traces = async (caller: Credential): Promise<readonly string[]> =>
  (jsonOf(await world.call(caller, "GET", "/v1/traces"))["traces"] as readonly JsonObject[]).map(
    (one) => textIn(one, "trace_id"),
  );

describe("18.18 traces of other users are for operators", () => {
  test("his list and each address have his own alone; an operator has all of the tenant", async () => {
    const bound = await open(who.ann, "boats to sell");
    const unbound = await open(who.ann);
    const ids = [bound.uuid, unbound.session];
    for (const id of ids) {
      expect(await traces(who.ann)).toContain(id);
      expect(await traces(who.bob)).not.toContain(id);
      expect(await traces(who.olga)).toContain(id);
      for (const rest of ["", "/stream"]) {
        const path = `/v1/traces/${id}${rest}`;
        expect((await world.call(who.bob, "GET", path)).status).toBe(404);
      }
      for (const caller of [who.ann, who.olga]) {
        expect((await world.call(caller, "GET", `/v1/traces/${id}`)).status).toBe(200);
      }
    }
    await open(who.bob, "boats to sell");
    expect(await traces(who.bob)).toContain(bound.uuid);
  });

  test("an operator of another tenant has none of them, an administrator may not ask", async () => {
    const other = await world.key({ subject: "olga", role: "operator", tenant: "other" });
    const { uuid } = await open(who.ann, "boats to rent");
    expect(await traces(other)).toEqual([]);
    expect((await world.call(other, "GET", `/v1/traces/${uuid}`)).status).toBe(404);
    expect((await world.call(who.root, "GET", "/v1/traces")).status).toBe(403);
  });
});

describe("18.18 principal where calls do not use credentials of users", () => {
  test("is refused, with what would enable it, and nothing is opened", async () => {
    const asked = { intent: "for ann", seeds: SEEDS, notation: "names", principal: "ann" };
    const { code, text } = await callTool(world.fetchAs(who.desk), "plasm_context", asked);
    expect(code).toBe("plasm-policy-denied");
    expect(text).toContain("PLASM_CREDENTIALS");
    expect((await world.call(who.desk, "POST", "/execute", asked)).status).toBe(403);
    const none = { intent: "for itself", seeds: SEEDS, notation: "names" };
    expect((await callTool(world.fetchAs(who.desk), "plasm_context", none)).code).toBeNull();
  });
});

describe("18.18 an approver is never the one it is made for", () => {
  test.each(["olga", "Olga", "OLGA"])(
    "an agent's subject %s, the operator's olga",
    async (subject) => {
      const agent = await world.key({ subject });
      await world.setPolicy(TENANT, { apis: { quay: { approval: { operator: ["update"] } } } });
      const { path } = await open(agent, `notes of ${subject}`);
      await world.call(agent, "POST", path, { program: REVIEW });
      const list = jsonOf(await world.call(who.olga, "GET", "/v1/approvals"));
      const asked = (list["approvals"] as readonly JsonObject[]).find(
        (one) => one["subject"] === subject,
      );
      const uuid = textIn(asked, "commit_uuid");
      const { status, text } = await world.call(
        who.olga,
        "POST",
        `/v1/approvals/${uuid}/approve`,
        {},
      );
      expect(status).toBe(403);
      expect(text).toContain("ask another operator");
      const mary = await world.key({ subject: "mary", role: "operator" });
      expect((await world.call(mary, "POST", `/v1/approvals/${uuid}/approve`, {})).status).toBe(
        200,
      );
      await world.setPolicy(TENANT, { apis: { quay: {}, yard: {} } });
    },
  );
});
