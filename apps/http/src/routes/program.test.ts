import type { Caller, Problem, RunArguments } from "@plasm/agent-core";
import { fail } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { problemIn, send, type Sent } from "../testing/app-for.ts";
import { programAnswer } from "./program.ts";

const pair = `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;
const asText = { "content-type": "text/plain" };

const meta = {
  steps: [{ return_label: "old", run_id: "pr1", artifact_uri: "plasm://session/s0/r/1" }],
  paging: [{ return_label: "old", next_page_handle: "s0_pg1", has_more: true }],
};
const old = {
  name: "old",
  columns: ["id"],
  rows: [{ id: 7 }, { id: 9 }],
  row_count: 2,
  partial: null,
  snapshot: "plasm://session/s0/r/1",
  next: "s0_pg1",
};

async function post(sent: Sent, query = "") {
  const runs: RunArguments[] = [];
  const plans: unknown[] = [];
  const run = async (_caller: Caller, _address: unknown, given: RunArguments) => {
    runs.push(given);
    return { text: "old · 2 rows", meta, results: [old] };
  };
  const plan = async (_caller: Caller, _address: unknown, program: unknown) => {
    plans.push(program);
    return { text: "plan ok pc0", meta: { dry_run: true } };
  };
  return { response: await send({ run, plan }, `${pair}${query}`, sent), runs, plans };
}

describe("a program's body (SURF-16)", () => {
  it.each<[string, Sent]>([
    ["text", { body: "Boat", headers: asText }],
    ["a JSON string", { json: "Boat" }],
    ["a JSON object", { json: { program: "Boat" } }],
  ])("may be %s", async (_what, sent) => {
    const { runs } = await post(sent);
    expect(runs.map(({ program }) => program)).toEqual(["Boat"]);
  });

  it.each<[Sent, number, string]>([
    [{ body: '{"program":"Boat"}', headers: asText }, 415, "application/json"],
    [{ body: '"Boat"', headers: asText }, 415, "application/json"],
    [
      { body: "Boat", headers: { "content-type": "application/x-www-form-urlencoded" } },
      415,
      "text/plain or application/json",
    ],
    [{ body: "x".repeat(262_145), headers: asText }, 413, "262144 bytes"],
    [{ json: ["Boat"] }, 400, "must be a program"],
    [{ json: { program: "Boat", plan_comit_ref: "pc0" } }, 400, "Did you mean plan_commit_ref?"],
    [{ json: { program: "Boat", mode: "live" } }, 400, "plan, explain or run"],
  ])("%j is refused", async (sent, status, said) => {
    const { response, runs, plans } = await post(sent);
    expect(response.status).toBe(status);
    expect((await problemIn(response)).detail).toContain(said);
    expect([runs, plans]).toEqual([[], []]);
  });

  it("may be as large as a program may be (LANG-001)", async () => {
    const { response } = await post({ body: "x".repeat(262_144), headers: asText });
    expect(response.status).toBe(200);
  });

  it("must be UTF-8", async () => {
    const body = new Uint8Array([0x42, 0xff]) as unknown as string;
    const { response } = await post({ body, headers: asText });
    expect((await problemIn(response)).detail).toContain("UTF-8");
  });
});

describe("its arguments (OPS-34)", () => {
  it.each<[string, Sent]>([
    ["?mode=plan", { json: { program: "Boat" } }],
    ["", { json: { program: "Boat", mode: "plan" } }],
    ["?mode=plan", { json: { program: "Boat", mode: "plan" } }],
    ["?mode=plan", { body: "Boat", headers: asText }],
  ])("plans with %j and %j", async (query, sent) => {
    const { runs, plans, response } = await post(sent, query);
    expect([runs, plans]).toEqual([[], ["Boat"]]);
    expect(await response.json()).toEqual({
      results: [],
      text: "plan ok pc0",
      _meta: { plasm: { dry_run: true } },
    });
  });

  it("come from body and query alike", async () => {
    const { runs } = await post(
      { json: { program: "Boat", force: true } },
      "?wait=false&plan_commit_ref=pc0&force=true",
    );
    expect(runs[0]).toMatchObject({ force: true, wait: false, planCommitRef: "pc0" });
  });

  it.each<[string, Sent]>([
    ["", { json: { plan_commit_ref: "pc0" } }],
    ["?plan_commit_ref=pc0", { json: {} }],
    ["?plan_commit_ref=pc0", { body: "", headers: asText }],
  ])("name a plan without its program (OPS-3): %j with %j", async (query, sent) => {
    const { runs, plans } = await post(sent, query);
    expect(plans).toEqual([]);
    expect(runs).toMatchObject([{ program: undefined, planCommitRef: "pc0" }]);
  });

  it.each<[Sent, unknown]>([
    [{ body: "", headers: asText }, ""],
    [{ json: "" }, ""],
    [{ json: {} }, undefined],
  ])("%j goes to the engine as it is, which tells what is missing", async (sent, program) => {
    expect((await post(sent)).runs).toMatchObject([{ program, planCommitRef: undefined }]);
  });

  it.each([
    ["?mode=run", { program: "Boat", mode: "plan" }, "mode is not the same"],
    ["?force=false", { program: "Boat", force: true }, "force is not the same"],
    ["?plan_commit_ref=pc1", { program: "Boat", plan_commit_ref: "pc0" }, "not the same"],
    ["?mode=plan&mode=run", { program: "Boat" }, "stands twice"],
    ["?wait=maybe", { program: "Boat" }, "true or false"],
    ["?mod=plan", { program: "Boat" }, "Did you mean mode?"],
  ])("%s with %j is plasm-bad-request", async (query, json, said) => {
    const { response, runs, plans } = await post({ json }, query);
    const problem = await problemIn(response);
    expect(problem.code).toBe("plasm-bad-request");
    expect(problem.detail).toContain(said);
    expect([runs, plans]).toEqual([[], []]);
  });
});

describe("its answer (SURF-17)", () => {
  const ask = async (accept: string) => {
    const { response, runs } = await post({ body: "Boat", headers: { ...asText, accept } });
    return { response, complete: runs[0]?.complete };
  };

  it("is JSON with results, text and meta by default", async () => {
    const { response, complete } = await ask("*/*");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      results: [old],
      text: "old · 2 rows",
      _meta: { plasm: meta },
    });
    expect(complete).toBe(true);
  });

  it.each(["text/plain", "text/markdown"])("is the MCP text as %s", async (type) => {
    const { response, complete } = await ask(type);
    expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    expect(await response.text()).toBe("old · 2 rows\n");
    expect(complete).toBe(false);
  });

  it("is a line per row, then the meta, as ndjson", async () => {
    const { response, complete } = await ask("application/x-ndjson");
    const lines = (await response.text()).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { result: "old", row: { id: 7 } },
      { result: "old", row: { id: 9 } },
      { _meta: { plasm: meta } },
    ]);
    expect(complete).toBe(true);
  });

  it.each(["application/json", "text/plain", "text/markdown", "application/x-ndjson"])(
    "names page and run in headers, as %s",
    async (accept) => {
      const { response } = await ask(accept);
      expect(response.headers.get("x-plasm-next-page")).toBe("s0_pg1");
      expect(response.headers.get("x-plasm-run-id")).toBe("pr1");
    },
  );

  it("runs nothing for a format there is not", async () => {
    const { response, complete } = await ask("text/html");
    expect((await problemIn(response)).code).toBe("plasm-not-acceptable");
    expect(complete).toBeUndefined();
  });
});

const RESULT = {
  name: "Boat",
  columns: ["id"],
  rows: [{ id: "b1" }],
  row_count: 1,
  partial: null,
  snapshot: null,
  next: null,
};

/** What a failed run says, as far as it is looked at here. */
const RUN_META = {
  nodes: [{ id: "n1" }],
  effects: [{ seq: 1 }],
  plan_commit_ref: "pc1",
} as unknown as Problem["meta"];

describe("its problem (ERR-031, OPS-10)", () => {
  it("carries the gate's meta, and what a run did", async () => {
    const run = async () => {
      throw fail("plasm-run-failed", "failed at n1: no_row", {
        meta: RUN_META,
        results: [RESULT],
        retryAfter: 7,
      });
    };
    const response = await send({ run }, pair, { body: "Boat", headers: asText });
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await problemIn(response)).toMatchObject({
      status: 422,
      detail: "failed at n1: no_row",
      nodes: [{ id: "n1" }],
      effects: [{ seq: 1 }],
      results: [RESULT],
      _meta: { plasm: { plan_commit_ref: "pc1" } },
    });
  });
});

const step = (partial: string | null) => ({ return_label: "a", run_id: "pr1", partial });

const headerOf = (steps: readonly object[], format: "text/plain" | "application/x-ndjson") => {
  const meta = { steps: [...steps] as never[] };
  const { headers } = programAnswer({ text: "a · 2 rows", meta }, [], format);
  return headers.get("x-plasm-partial");
};

describe("the partial marks of an answer, as a header in every format (SURF-17)", () => {
  it.each([
    [[step("rows")], "rows"],
    [[step("rows"), step(null), step("wall"), step("rows")], "rows, wall"],
    [[step(null)], null],
    [[], null],
  ])("%j: %s", (steps, expected) => {
    expect(headerOf(steps, "text/plain")).toBe(expected);
    expect(headerOf(steps, "application/x-ndjson")).toBe(expected);
  });
});
