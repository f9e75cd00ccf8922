import type { JsonObject } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import type { ContextMeta, PlanMeta, ReviewMeta, RunMeta } from "../harness/answers.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { MCP_SURFACES, type McpSurface } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");
const EFFECT = 'Boat("b1").ping()';

const pings = (): number => world().apis.requests.length;

describe("HTTP", () => {
  async function openPlace(what: string): Promise<string> {
    const agent = await world().newAgent("HTTP");
    const { meta } = await openSession(agent, `HTTP: ${what}`, seeds);
    const { prompt_hash: hash, session_id: id }: ContextMeta["execute_binding"] =
      meta.execute_binding;
    return `${world().url}/execute/${hash}/${id}`;
  }

  async function post(place: string, query: string, body: JsonObject) {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${place}${query}`, init);
    const answer = (await response.json()) as {
      readonly code?: string;
      readonly detail?: string;
      readonly _meta?: { readonly plasm: Partial<PlanMeta & RunMeta & ReviewMeta> };
    };
    return { status: response.status, ...answer, meta: answer._meta?.plasm ?? {} };
  }

  type Given = Readonly<Record<string, string | boolean>>;
  const WAYS: Readonly<Record<"body" | "query", (given: Given) => readonly [string, Given]>> = {
    body: (given) => ["", given],
    query: (given) => {
      const texts = Object.entries(given).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      return [`?${new URLSearchParams(texts).toString()}`, {}];
    },
  };

  test.each(["body", "query"] as const)(
    "L29 OPS-34 the %s carries mode, wait, force and plan_commit_ref",
    async (where) => {
      const place = await openPlace(`arguments in the ${where}`);
      world().apis.forgetRequests();
      const call = (given: Given) => {
        const [query, body] = WAYS[where](given);
        return post(place, query, { program: EFFECT, ...body });
      };
      const plan = await call({ mode: "plan" });
      expect(plan).toMatchObject({ status: 200, meta: { dry_run: true, plan_commit_ref: "pc0" } });
      expect(await call({ wait: true })).toMatchObject({
        status: 409,
        meta: { plan_commit_ref: "pc0" },
      });
      expect(await call({ force: false })).toMatchObject({ status: 409 });
      expect(pings()).toBe(0);
      const run = await call({ plan_commit_ref: "pc0", wait: true });
      expect(run).toMatchObject({ status: 200, meta: { dry_run: false, plan_commit_ref: "pc0" } });
      const forced = await call({ force: true });
      expect(forced).toMatchObject({ status: 200, meta: { plan_commit_ref: "pc1" } });
      expect(pings()).toBe(2);
    },
  );

  test.each<readonly [query: string, body: JsonObject]>([
    ["?mode=plan", { mode: "run" }],
    ["?mode=run", { mode: "plan" }],
    ["?wait=false", { wait: true }],
    ["?force=true", { force: false }],
    ["?force=false", { force: true }],
    ["?plan_commit_ref=pc1", { plan_commit_ref: "pc0" }],
  ])("L29 OPS-34 %s against %j is refused; nothing runs", async (query, body) => {
    const place = await openPlace(`${query} ${JSON.stringify(body)}`);
    world().apis.forgetRequests();
    const refused = await post(place, query, { program: EFFECT, ...body });
    expect(refused).toMatchObject({ status: 400, code: "plasm-bad-request" });
    expect(refused.detail).toContain(Object.keys(body)[0]);
    expect(pings()).toBe(0);
  });

  test("L29 equal values in both are one", async () => {
    const place = await openPlace("equal values");
    world().apis.forgetRequests();
    const body = { program: EFFECT, force: true, wait: true };
    const forced = await post(place, "?force=true&wait=true", body);
    expect(forced).toMatchObject({ status: 200, meta: { dry_run: false } });
    expect(pings()).toBe(1);
  });
});

describe.each(MCP_SURFACES)("%s", (surface: McpSurface) => {
  test("L30 SURF-4 plasm_run takes mode, wait, force and plan_commit_ref", async () => {
    const agent = await world().mcpAgent(surface);
    const { ref } = await openSession(agent, `${surface}: arguments`, seeds);
    world().apis.forgetRequests();
    const call = (given: JsonObject) =>
      agent.callTool("plasm_run", { logical_session_ref: ref, program: EFFECT, ...given });
    const plan = await call({ mode: "plan" });
    expect(plan.meta).toMatchObject({ dry_run: true, plan_commit_ref: "pc0" });
    for (const given of [{}, { wait: true }, { force: false }, { plan_commit_ref: "pc9" }]) {
      const { problem, meta } = await failureOf(call(given));
      expect(problem).toMatchObject({ code: "plasm-review-required", status: 409 });
      expect(meta).toMatchObject({ plan_commit_ref: "pc0" });
    }
    expect(pings()).toBe(0);
    const run = await call({ plan_commit_ref: "pc0", wait: true });
    expect(run.meta).toMatchObject({ dry_run: false, plan_commit_ref: "pc0" });
    expect((await call({ force: true })).meta).toMatchObject({ plan_commit_ref: "pc1" });
    expect(pings()).toBe(2);
  });

  test.each<JsonObject>([
    { force: "true" },
    { wait: 1 },
    { plan_commit_ref: 0 },
    { commit: "pc0" },
    { program: [EFFECT] },
  ])("L30 SURF-4 %j is refused; nothing runs", async (given) => {
    const agent = await world().mcpAgent(surface);
    const what = `${surface}: ${JSON.stringify(given)}`;
    const { ref } = await openSession(agent, what, seeds);
    world().apis.forgetRequests();
    const args = { logical_session_ref: ref, program: EFFECT, ...given };
    const { problem } = await failureOf(agent.callTool("plasm_run", args));
    expect(problem).toMatchObject({ code: "plasm-bad-request", status: 400 });
    expect(pings()).toBe(0);
  });
});
