import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, RunArguments } from "@plasm/agent-core";
import { DEFAULT_LIMITS } from "@plasm/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answeringTransport, boatAt, type Seen } from "./answering-transport.ts";
import { caller } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";

const s0 = { kind: "ref", ref: "s0" } as const;
let dir: string;
let engine: Engine | null = null;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-execution-"));
});
afterEach(async () => {
  await engine?.close();
  await rm(dir, { recursive: true, force: true });
});

/** An engine on an API in memory, with a session on its boats that uses names. */
async function open(answer: (request: Seen, arrived: number) => unknown, limits = DEFAULT_LIMITS) {
  const api = answeringTransport(answer);
  const opened = await openEngine({ dataDir: dir, limits, ports: { transport: api.transport } });
  engine = opened;
  const seeds = [{ api: "quay", entity: "Boat" }];
  await opened.context(caller(), { intent: "boats", seeds, notation: "names" });
  const run = (program: string, more: Partial<RunArguments> = {}) =>
    opened.run(caller(), s0, { program, force: true, wait: true, ...more });
  return { api, run, engine: opened };
}

const pathsOf = (seen: readonly Seen[]): readonly string[] =>
  seen.map(({ method, path }) => `${method} ${path}`);

describe("OPS-27 what runs when", () => {
  it("independent reads run concurrently, 6 of a host at a time", async () => {
    let six: () => void = () => undefined;
    const sixAreThere = new Promise<void>((resolve) => (six = resolve));
    const { api, run } = await open(async ({ path }, arrived) => {
      if (arrived === 6) six();
      // The first answers wait for the sixth request: fewer at a time would never end.
      await sixAreThere;
      await new Promise((resolve) => setImmediate(resolve));
      return boatAt(path);
    });
    const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const lines = names.map((name, index) => `${name} = Boat("b${index}")[id]`);
    await run([...lines, names.join(", ")].join("\n"));
    expect(api.seen).toHaveLength(20);
    expect([...api.most.values()]).toEqual([6]);
  });

  it("effects run one at a time, in source order", async () => {
    const under: string[] = [];
    const met: string[] = [];
    const { api, run } = await open(async ({ path }) => {
      if (under.length > 0) met.push(path);
      under.push(path);
      await new Promise((resolve) => setImmediate(resolve));
      under.splice(0);
      return boatAt(path);
    });
    const ids = ["b7", "b2", "b9", "b1", "b4"];
    await run(ids.map((id) => `Boat("${id}").ping()`).join("\n"));
    expect(pathsOf(api.seen)).toEqual(ids.map((id) => `POST /boats/${id}/ping`));
    expect(met).toEqual([]);
  });

  it("unreachable pure nodes never run; effect bindings always do", async () => {
    const { api, run } = await open(({ path }) => boatAt(path));
    await run('unused = Boat("b8")[id]\nx = Boat("b9").ping()\nBoat("b1")[id]');
    expect(pathsOf(api.seen).toSorted()).toEqual(["GET /boats/b1", "POST /boats/b9/ping"]);
  });
});

describe("F19 an API without end", () => {
  const PAGE = 20;
  /** Whatever page is asked for is full, and says that there is another one. */
  const endless = ({ path }: Seen): object => {
    const page = Number(new URL(path, "http://quay").searchParams.get("page"));
    const items = Array.from({ length: PAGE }, (_, index) => {
      const number = (page - 1) * PAGE + index + 1;
      return { ...boatAt(`/boats/b${number}`), length: number % 10 === 0 ? 40 : 9.5 };
    });
    return { items, page, total: Number.MAX_SAFE_INTEGER };
  };
  const rows = { ...DEFAULT_LIMITS, rows: 90 };

  const idsIn = (answer: { readonly results: readonly { readonly rows: readonly object[] }[] }) =>
    answer.results.flatMap((result) => result.rows.map((row) => (row as { id: string }).id));

  it("ends at the budget, marked, with a cursor that goes on from there; no page more is asked for", async () => {
    const { api, run } = await open(endless, rows);
    const first = await run("found = Boat{length>30}[id]\nfound");
    expect(first.meta["steps"]).toMatchObject([{ partial: "rows" }]);
    expect(first.text).toContain("partial (rows)");
    const asked = api.seen.length;
    expect(asked).toBeLessThanOrEqual(Math.ceil(rows.rows / PAGE) + 1);
    const ids = idsIn(first);
    expect(ids.length).toBeLessThanOrEqual(rows.rows);
    const [paging] = first.meta["paging"] as readonly { readonly next_page_handle: string }[];
    const next = await run(`page(${paging?.next_page_handle})`);
    expect(api.seen.length).toBeLessThanOrEqual(2 * asked + 1);
    const all = [...ids, ...idsIn(next)];
    expect(all.length).toBeGreaterThan(ids.length);
    expect(all).toEqual(all.map((_id, index) => `b${(index + 1) * 10}`));
  });

  it.each([
    ["an aggregate", "Boat{length>1}.aggregate(n=count)"],
    ["a sort", "Boat{length>1}.sort(name)[id]"],
  ])("%s over it is marked, and holds no more than its budget", async (_what, program) => {
    const { api, run } = await open(endless, rows);
    const answer = await run(`x = ${program}\nx`);
    expect(answer.meta["steps"]).toMatchObject([{ partial: "rows" }]);
    expect(answer.meta["budget"]).toMatchObject({ rows: expect.any(Number) });
    expect(idsIn(answer).length).toBeLessThanOrEqual(rows.rows);
    expect(api.seen.length).toBeLessThanOrEqual(Math.ceil(rows.rows / PAGE) + 1);
  });

  it("an effect that was outstanding then turns it into a failure, and is not sent (OPS-30)", async () => {
    const { api, engine: opened } = await open(endless, rows);
    const program = "found = Boat{length>1}[id]\nfound => Boat(_.id).ping()";
    const asked = opened.run(caller(), s0, { program, force: true, wait: true });
    const problem = await asked.then(
      () => null,
      (thrown: unknown) => opened.problemOf(thrown),
    );
    expect(problem?.errors[0]?.code).toMatch(/^(budget_exceeded|partial_source)$/);
    expect(api.seen.filter(({ method }) => method === "POST")).toEqual([]);
  });
});
