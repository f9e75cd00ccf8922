import { fail } from "@plasm/agent-core/internal";
import type { CallRecord } from "@plasm/host";
import { describe, expect, it } from "vitest";
import { createHttpApp } from "./create-http-app.ts";
import { ROUTES } from "./routes/all-routes.ts";
import { engineWith } from "./testing/engine-with.ts";

/** How a record names the session of a path, which is a key to it (18.19). */
const NAMED: unknown = expect.stringMatching(/^#[0-9a-f]{12}$/);
const SEEDS = [{ api: "quay", entity: "Boat" }];
const meta = { execute_binding: { prompt_hash: "a", session_id: "b" } };

const engine = engineWith({
  context: async () => ({ text: "the table", meta }),
  plan: async () => {
    throw fail("plasm-program-invalid", "error");
  },
  run: async ({ onRun }) => {
    onRun?.("run-uuid");
    return {
      text: "old · 0 rows",
      meta: { plan_commit_ref: "pc0", commit: "sha256:ab" },
      results: [],
    };
  },
  registry: async () => [],
  describe: async () => ({ prompt: "p" }),
});

async function wholeRecordsOf(method: string, path: string, body?: unknown) {
  const records: CallRecord[] = [];
  const mcp = { fetch: async () => new Response(), close: async () => undefined };
  const app = createHttpApp({ engine, mcp, log: (record) => records.push(record) });
  const headers = { "content-type": "application/json", "x-request-id": "req-1" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  await app.fetch(new Request(`http://127.0.0.1${path}`, { method, ...sent }));
  return records;
}

const recordsOf = async (method: string, path: string, body?: unknown) =>
  (await wholeRecordsOf(method, path, body)).map(({ name, ref, outcome, tenant }) => [
    name,
    ref,
    outcome,
    tenant,
  ]);

describe("the log has one record per call (SURF-28, A40)", () => {
  it.each([
    ["POST", "/execute", { seeds: SEEDS }, "plasm_context", NAMED, "ok"],
    ["POST", "/execute", { sed: [] }, "plasm_context", null, "plasm-bad-request"],
    ["POST", "/execute/a/b/context", { seeds: SEEDS }, "plasm_context", NAMED, "ok"],
    ["POST", "/execute/a/b", { program: "x" }, "plasm_run", NAMED, "ok"],
    [
      "POST",
      "/execute/a/b",
      { program: "x", mode: "plan" },
      "plasm",
      NAMED,
      "plasm-program-invalid",
    ],
    ["POST", "/v1/discover", { intent: "x" }, "discover_capabilities", null, "plasm-internal"],
    ["GET", "/v1/registry", undefined, "list_registry", null, "ok"],
  ])("%s %s %j is %s", async (method, path, body, name, ref, outcome) => {
    expect(await recordsOf(method, path, body)).toEqual([[name, ref, outcome, "anonymous"]]);
  });

  it("a run's names its request, its plan and its run (OPS-60)", async () => {
    const [record] = await wholeRecordsOf("POST", "/execute/a/b", { program: "x" });
    expect(record).toMatchObject({
      requestId: "req-1",
      planCommitRef: "pc0",
      commit: "sha256:ab",
      operationUuid: "run-uuid",
    });
  });

  it("every route that does such a call has its name", () => {
    const named = ROUTES.flatMap(({ method, path, name }) =>
      name === undefined ? [] : [[`${method} ${path}`, name] as const],
    );
    const session = "/execute/:prompt_hash/:session_id";
    expect(Object.fromEntries(named)).toMatchObject({
      "GET /v1/registry": "list_registry",
      "GET /v1/registry/:entry_id": "list_registry",
      "POST /v1/discover": "discover_capabilities",
      "POST /execute": "plasm_context",
      [`POST ${session}/context`]: "plasm_context",
      [`POST ${session}`]: "plasm_run",
    });
  });

  it("and none of health and of what renews nothing", async () => {
    expect(await recordsOf("GET", "/v1/health")).toEqual([]);
    expect(await recordsOf("GET", "/execute/a/b")).toEqual([]);
  });
});
