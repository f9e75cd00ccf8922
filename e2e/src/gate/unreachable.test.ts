import { LOCAL, type KeyRole } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, mcpCall, refIn, requestOf, uuidIn, type Fetch } from "./gate-agent.ts";
import { openGateWorld, type GateWorld } from "./gate-world.ts";

const PROGRAM = 'Boat("b1").update(note="painted")';

let world: GateWorld;
let fetch: Fetch;
let [uuid, ref, path] = ["", "", ""];
beforeAll(async () => {
  world = await openGateWorld();
  world.setPolicy({ apis: { quay: { approval: { operator: "all" } } } });
  fetch = world.fetchAs(LOCAL);
  const seeds = [{ api: "quay", entity: "Boat" }];
  const body = { intent: "paint", seeds, notation: "names" };
  path = (await fetch(requestOf("POST", "/execute", body))).headers.get("location") ?? "";
  const told = await callTool(fetch, "plasm_run", { logical_session_ref: "s0", program: PROGRAM });
  [uuid, ref] = [uuidIn(told), refIn(told)];
});
afterAll(() => world.close());

/** What waits for operators, and what the API was asked for since the last look. */
async function state() {
  const listed = await world.approvals.list({ scope: LOCAL.scope, subject: "ann" });
  const waits = listed.map((one) => [one["commit_uuid"], one["state"]]);
  return { waits, sent: world.sent() };
}

/** The plan waits as before, and its API was asked for nothing. */
const waiting = () => ({ waits: [[uuid, "waiting"]], sent: [] });

describe("nothing that reaches the model can approve (OPS-36)", () => {
  it.each(["approve", "reject"])("POST …/%s without a credential is refused", async (action) => {
    const asked = await world.ask("POST", `/v1/approvals/${uuid}/${action}`);
    expect([asked.status, asked.body["code"]]).toEqual([401, "plasm-unauthenticated"]);
    expect(await state()).toEqual(waiting());
  });

  it.each<[string, KeyRole, string]>([
    ["the session's own credential", "agent", LOCAL.subject ?? ""],
    ["another agent's key", "agent", "bob"],
    ["an operator's key that is the session's principal", "operator", LOCAL.subject ?? ""],
  ])("%s is refused", async (_, role, subject) => {
    const key = await world.key(subject, role);
    for (const action of ["approve", "reject"]) {
      const asked = await world.ask("POST", `/v1/approvals/${uuid}/${action}`, key);
      expect([asked.status, asked.body["code"]]).toEqual([403, "plasm-policy-denied"]);
    }
    expect(await state()).toEqual(waiting());
  });

  it("the list is for operators alone", async () => {
    expect((await world.ask("GET", "/v1/approvals")).status).toBe(401);
    const key = await world.key("bob", "agent");
    expect((await world.ask("GET", "/v1/approvals", key)).status).toBe(403);
  });

  it("every tool, whatever it is given beside what it takes", async () => {
    const { tools } = (await mcpCall(fetch, "tools/list", {}))["result"] as {
      readonly tools: readonly { readonly name: string }[];
    };
    expect(tools.length).toBeGreaterThan(3);
    const seeds = [{ api: "quay", entity: "Boat" }];
    const base = { logical_session_ref: "s0", program: PROGRAM, intent: "paint", seeds };
    const tries: readonly JsonObject[] = [
      { plan_commit_ref: ref },
      { plan_commit_ref: ref, force: true },
      { plan_commit_ref: uuid, force: true },
      { mode: "approve", commit_uuid: uuid },
      { approve: true, approval: uuid, operator: "ann" },
      { principal: "ann" },
      { program: `approve(${uuid})` },
      { program: `wait(${ref})` },
    ];
    for (const { name } of tools) {
      for (const more of tries) await callTool(fetch, name, { ...base, ...more });
      await callTool(fetch, name, { logical_session_ref: "s0", program: PROGRAM, force: true });
    }
    expect(await state()).toEqual(waiting());
  });

  it("every resource, listed, templated or made up", async () => {
    const uris = [
      "plasm://registry",
      "plasm://session/s0/r/1",
      "plasm://session/s0/table",
      `plasm://approvals/${uuid}/approve`,
      `plasm://session/s0/approvals/${uuid}/approve`,
      `/v1/approvals/${uuid}/approve`,
    ];
    for (const uri of uris) await mcpCall(fetch, "resources/read", { uri });
    expect(await state()).toEqual(waiting());
  });

  it("every route of HTTP but the operators', with every method", async () => {
    const paths = [
      "/v1/health",
      "/v1/registry",
      "/v1/registry/quay",
      "/v1/discover",
      "/execute",
      path,
      `${path}/context`,
      `${path}/approvals/${uuid}/approve`,
      `${path}/operations/${ref}`,
    ];
    const body = { program: PROGRAM, plan_commit_ref: ref, force: true };
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      for (const one of paths) {
        await (await fetch(requestOf(method, one, method === "GET" ? undefined : body))).text();
      }
    }
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      await (await fetch(requestOf(method, `/v1/approvals/${uuid}/approve`))).text();
    }
    expect(await state()).toEqual(waiting());
  });
});
