import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@plasm/core";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sampleData, type ListedBoat } from "../harness/sample-data.ts";
import { caller, engineUnderTest, type EngineUnderTest } from "./engine-under-test.ts";

const PAGE = 20;
const ann = caller();
const s0 = { kind: "ref", ref: "s0" } as const;

let dir: string;
let apis: SampleApis;
let boats: readonly ListedBoat[];
let under: EngineUnderTest;

/** Boats per run: the policy allows one page. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-whole-"));
  apis = await startSampleApis({ dataDir: dir, ports: { quay: 0, yard: 0 } });
  ({ boats } = await sampleData(apis));
  const backends = new Map([["quay", apis.quay.url]]);
  under = await engineUnderTest(backends, { budgets: { pages: 1 } });
  const seeds = [{ api: "quay", entity: "Boat" }];
  await under.engine.context(ann, { intent: "counts", seeds });
});
afterEach(() => apis.forgetRequests());
afterAll(async () => {
  await under.dispose();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

/** What an answer says of its only result. */
interface Seen {
  readonly text: string;
  readonly rows: readonly JsonObject[];
  readonly handle: string | null;
  readonly n: number;
  readonly replaces: string | null;
  readonly partial: string | null;
}

async function run(program: string): Promise<Seen> {
  const { text, meta, results } = await under.engine.run(ann, s0, {
    program,
    force: true,
    wait: true,
  });
  const [step] = meta["steps"] as readonly {
    readonly n: number;
    readonly replaces?: string;
    readonly partial: string | null;
  }[];
  if (step === undefined) throw new Error("no step");
  const [next] = meta["paging"] as readonly { readonly next_page_handle: string }[];
  return {
    text,
    rows: results[0]?.rows ?? [],
    handle: next?.next_page_handle ?? null,
    n: step.n,
    replaces: step.replaces ?? null,
    partial: step.partial,
  };
}

async function problemOf(program: string) {
  try {
    await under.engine.run(ann, s0, { program, force: true, wait: true });
  } catch (thrown) {
    return under.engine.problemOf(thrown);
  }
  throw new Error(`${program} was answered`);
}

/** The first answer and those of its handle, to the end. */
async function toTheEnd(program: string): Promise<readonly Seen[]> {
  const all = [await run(program)];
  for (let last = all[0]; last?.handle; last = all.at(-1))
    all.push(await run(`page(${last.handle})`));
  return all;
}

describe("whole cursors, from call to call (PLAN-080, LANG-067)", () => {
  it("C-094: a count that a budget cut is partial in text and meta, with a handle", async () => {
    const seen = await run("Boat.aggregate(n=count)");
    expect(seen).toMatchObject({ rows: [{ n: PAGE }], partial: "pages", replaces: null });
    expect(seen.text).toMatch(/^Boat · 1 row, partial \(pages\)\n/);
    expect(seen.text).toMatch(new RegExp(`next: page\\(${seen.handle}\\)$`));
    expect(apis.requests).toHaveLength(1);
  });

  it("each answer is the whole new result, in the place of the last one", async () => {
    const all = await toTheEnd("Boat.aggregate(n=count)");
    const counts = all.map(({ rows }) => rows[0]?.["n"]);
    const pages = Math.ceil(boats.length / PAGE);
    expect(counts).toEqual(
      Array.from({ length: pages }, (_none, i) => Math.min(boats.length, PAGE * (i + 1))),
    );
    for (const [i, seen] of all.entries()) {
      const before = i === 0 ? null : `r/${all[i - 1]?.n}`;
      const last = i === all.length - 1;
      expect([seen.replaces, seen.partial]).toEqual([before, last ? null : "pages"]);
      const mark = before === null ? "" : ` · replaces: ${before}`;
      const head = `Boat · 1 row${last ? "" : ", partial (pages)"}${mark}`;
      expect(seen.text.split("\n")[0]).toBe(head);
    }
    // One handle throughout, and every page read once.
    expect(new Set(all.slice(0, -1).map(({ handle }) => handle)).size).toBe(1);
    expect(apis.requests).toHaveLength(pages);
    const exhausted = await problemOf(`page(${all[0]?.handle})`);
    expect(exhausted.code).toBe("plasm-cursor-exhausted");
  });

  it("goes on after a restart", async () => {
    const first = await run("Boat.group_by(owner, n=count)");
    await under.restart();
    const next = await run(`page(${first.handle})`);
    expect(next.replaces).toBe(`r/${first.n}`);
    expect(next.rows.reduce((sum, { n }) => sum + Number(n), 0)).toBe(2 * PAGE);
  });

  it("PLAN-082: takes no limit; without it the handle still stands", async () => {
    const { handle } = await run("Boat.sort(name)[name]");
    const refused = await problemOf(`page(${handle}, limit=5)`);
    expect(refused.code).toBe("plasm-bad-request");
    expect(refused.text).toContain("leave out limit");
    expect((await run(`page(${handle})`)).rows).toHaveLength(2 * PAGE);
  });

  it("whole again, it pages like any result: rows follow, none twice", async () => {
    const all: Seen[] = [await run("Boat.sort(name).page_size(15)[id]")];
    const joined: JsonObject[] = [];
    for (let last = all[0]; last !== undefined;) {
      if (last.partial === null) joined.push(...last.rows);
      if (last.handle === null) break;
      last = await run(`page(${last.handle})`);
      all.push(last);
    }
    expect(joined).toHaveLength(boats.length);
    expect(new Set(joined.map(({ id }) => id)).size).toBe(boats.length);
    const firstWhole = all.find(({ partial }) => partial === null);
    expect(firstWhole?.replaces).toMatch(/^r\/\d+$/);
    const after = all[all.indexOf(firstWhole ?? (all[0] as Seen)) + 1];
    expect(after?.replaces).toBeNull();
    expect(after?.text).toMatch(/^Boat · rows 16-30\n/);
  });
});
