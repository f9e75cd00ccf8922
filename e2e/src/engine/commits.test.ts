import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller, RunArguments } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { READS_REVIEWED } from "../harness/world.ts";
import { caller, engineUnderTest, START, type EngineUnderTest } from "./engine-under-test.ts";

const SECOND = 1_000;
const EFFECT = 'Boat("b1").ping()';
/** Paged, its condition local: it needs a ref here, and has no effect. */
const READ = "Boat{length>10}[id]";
const boats = { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] };
const s0 = { kind: "ref", ref: "s0" } as const;
const ann = caller({ subject: "ann" });

let dir: string;
let apis: SampleApis;
let under: EngineUnderTest;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-commits-"));
  apis = await startSampleApis({ dataDir: dir, ports: { quay: 0, yard: 0 } });
  under = await engineUnderTest(new Map([["quay", apis.quay.url]]), READS_REVIEWED);
  await under.engine.context(ann, boats);
});
afterEach(async () => {
  await under.dispose();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

const refIn = (meta: JsonObject): string | null => {
  const ref = meta["plan_commit_ref"];
  return typeof ref === "string" ? ref : null;
};

const at = (seconds: number): void => under.setNow(START + seconds * SECOND);

async function mint(program = EFFECT, who: Caller = ann): Promise<string> {
  const { meta } = await under.engine.plan(who, s0, program);
  const ref = refIn(meta);
  if (ref === null) throw new Error(`No ref for ${program}`);
  return ref;
}

/** How a run ends: with its text, or with the code, the reason and the text of its problem. */
async function runs(given: Partial<RunArguments>, who: Caller = ann) {
  try {
    const { text, meta } = await under.engine.run(who, s0, {
      program: EFFECT,
      wait: true,
      ...given,
    });
    return { code: null, reason: null, text, ref: refIn(meta) };
  } catch (thrown) {
    const { code, text, meta } = under.engine.problemOf(thrown);
    const { reason } = (meta["error"] ?? {}) as { readonly reason?: string };
    return { code, reason, text, ref: refIn(meta) };
  }
}

const pings = (): number => apis.requests.filter(({ path }) => path.endsWith("/ping")).length;
const DONE = { code: null, text: expect.stringMatching(/^done ping quay\.Boat b1$/) as string };
const toldAgain = (seconds: number, ref: string) => ({
  code: null,
  text: expect.stringMatching(
    new RegExp(`^done ping quay\\.Boat b1\nnote: ${ref} ran ${seconds} s ago( \\(r/1\\))?; `),
  ) as string,
});

/** Held back for this reason, with a ref that does run the program, once. */
async function expectBlocked(
  given: Partial<RunArguments>,
  reason: string,
  bracket: string,
  who: Caller = ann,
): Promise<void> {
  const before = apis.requests.length;
  const blocked = await runs(given, who);
  expect(blocked).toMatchObject({ code: "plasm-review-required", reason });
  expect(blocked.text).toMatch(`review ${blocked.ref}: not run (${bracket})\n`);
  expect(blocked.text).toContain(`\nRun again with plan_commit_ref=${blocked.ref}`);
  expect(apis.requests).toHaveLength(before);
  const run = await runs({ ...given, planCommitRef: blocked.ref ?? "none" }, who);
  expect(run).toMatchObject({ code: null });
  expect(apis.requests.length).toBeGreaterThan(before);
}

describe("OPS-3 a ref lives 600 s from minting, by the store's clock", () => {
  it.each([EFFECT, READ])("L12 %s runs at 599 s", async (program) => {
    const ref = await mint(program);
    at(599);
    expect(await runs({ program, planCommitRef: ref })).toMatchObject({ code: null });
  });

  it.each([EFFECT, READ])("L12 L13 %s is blocked at 601 s, with a fresh ref", async (program) => {
    const ref = await mint(program);
    at(601);
    await expectBlocked({ program, planCommitRef: ref }, "expired", `expired ref ${ref}`);
    expect(await mint(program)).not.toBe(ref);
  });

  it("L12 PLAN-031 planning again does not extend it; after that it is another ref", async () => {
    const ref = await mint();
    at(599);
    expect(await mint()).toBe(ref);
    at(601);
    expect(await mint()).not.toBe(ref);
    await expectBlocked({ planCommitRef: ref }, "expired", `expired ref ${ref}`);
  });

  it("L13 a changed program is blocked as mismatch, not as expired", async () => {
    const ref = await mint();
    const changed = { program: 'Boat("b2").ping()', planCommitRef: ref };
    at(601);
    await expectBlocked(changed, "mismatch", `${ref} is of another program`);
    expect(pings()).toBe(1);
  });

  it("a ref without effects may be used until it expires", async () => {
    const ref = await mint(READ);
    for (const seconds of [0, 300, 599]) {
      at(seconds);
      const run = await runs({ program: READ, planCommitRef: ref });
      expect(run.code).toBeNull();
      expect(run.text).not.toContain("note:");
    }
  });
});

describe("G12 a consumed ref answers with its run, never as expired", () => {
  it.each([1, 601, 3_599])("after %i s", async (seconds) => {
    const ref = await mint();
    expect(await runs({ planCommitRef: ref })).toMatchObject(DONE);
    at(seconds);
    expect(await runs({ planCommitRef: ref })).toMatchObject(toldAgain(seconds, ref));
    expect(pings()).toBe(1);
  });

  it("after a restart, too", async () => {
    const ref = await mint();
    await runs({ planCommitRef: ref });
    await under.restart();
    at(601);
    expect(await runs({ planCommitRef: ref })).toMatchObject(toldAgain(601, ref));
    expect(pings()).toBe(1);
  });

  it("after the session was lost and recovered, too (OPS-3)", async () => {
    const ref = await mint();
    await runs({ planCommitRef: ref });
    at(3_601);
    const recovered = await under.engine.context(ann, boats);
    expect(recovered.meta["continuity"]).toMatchObject({ stale_binding_recovered: true });
    expect(await runs({ planCommitRef: ref })).toMatchObject(toldAgain(3_601, ref));
    expect(pings()).toBe(1);
  });

  it("of another program it is a mismatch", async () => {
    const ref = await mint();
    await runs({ planCommitRef: ref });
    const changed = { program: 'Boat("b2").ping()', planCommitRef: ref };
    await expectBlocked(changed, "mismatch", `${ref} is of another program`);
    expect(pings()).toBe(2);
  });

  it("the failure of a run is told again as it was", async () => {
    const program = 'Boat("nobody").ping()';
    const ref = await mint(program);
    const failed = await runs({ program, planCommitRef: ref });
    expect(failed.code).not.toBeNull();
    at(601);
    const again = await runs({ program, planCommitRef: ref });
    expect(again.code).toBe(failed.code);
    expect(again.text).toMatch(new RegExp(`\nnote: ${ref} ran 601 s ago`));
    expect(again.text.replace(/\nnote: .*$/, "")).toBe(failed.text);
    expect(pings()).toBe(1);
  });
});

describe("G3 a ref is its session's and its principal's", () => {
  /** Theirs is the third of its session, so that no ref minted meanwhile has its name. */
  async function theirs(): Promise<string> {
    for (const program of [READ, 'Boat("b3").ping()']) await mint(program);
    return mint();
  }

  it.each<[string, Caller, typeof boats]>([
    ["principal, in the same session", caller({ subject: "bob" }), boats],
    ["tenant", caller({ scope: "t2", subject: "ann" }), boats],
  ])("another %s: unknown, and it stays the owner's", async (_, who, request) => {
    const ref = await theirs();
    await under.engine.context(who, request);
    await expectBlocked({ planCommitRef: ref }, "unknown", `unknown ref ${ref}`, who);
    expect(pings()).toBe(1);
    expect(await runs({ planCommitRef: ref })).toMatchObject(DONE);
    expect(pings()).toBe(2);
  });

  it("a consumed ref of another principal tells nothing of its run", async () => {
    const ref = await theirs();
    await runs({ planCommitRef: ref });
    const bob = caller({ subject: "bob" });
    await under.engine.context(bob, boats);
    await expectBlocked({ planCommitRef: ref }, "unknown", `unknown ref ${ref}`, bob);
    expect(pings()).toBe(2);
  });

  it("another session: unknown", async () => {
    const ref = await theirs();
    await under.engine.context(ann, { ...boats, intent: "other boats" });
    const s1 = { kind: "ref", ref: "s1" } as const;
    const run = under.engine.run(ann, s1, { program: EFFECT, planCommitRef: ref });
    const problem = await run.catch((thrown: unknown) => under.engine.problemOf(thrown));
    expect(problem).toMatchObject({
      code: "plasm-review-required",
      meta: { error: { reason: "unknown" }, plan_commit_ref: "pc0" },
    });
    expect(pings()).toBe(0);
  });
});

describe("races", () => {
  it("G2 of several runs under one ref one starts, in 50 races", async () => {
    for (let race = 0; race < 50; race += 1) {
      const before = pings();
      const ref = await mint();
      const ended = await Promise.all([1, 2, 3, 4].map(() => runs({ planCommitRef: ref })));
      expect(pings() - before, `race ${race}`).toBe(1);
      expect(ended.map(({ code }) => code)).toEqual([null, null, null, null]);
      const told = ended.map(({ text }) => text.includes(`\nnote: ${ref} ran `));
      expect(told.filter((again) => !again)).toEqual([false]);
    }
  });

  it("G2 50 runs under one ref are one run", async () => {
    const ref = await mint();
    const ended = await Promise.all(Array.from({ length: 50 }, () => runs({ planCommitRef: ref })));
    expect(pings()).toBe(1);
    const answers = new Set(ended.map(({ text }) => text.replace(/\nnote: .*$/, "")));
    expect([...answers]).toEqual([DONE.text]);
  });
});

describe("force", () => {
  it("G22 a forced run consumes the ref it mints: sending that repeats no effect", async () => {
    const forced = await runs({ force: true });
    expect(forced).toMatchObject({ ...DONE, ref: "pc0" });
    at(601);
    expect(await runs({ planCommitRef: "pc0" })).toMatchObject(toldAgain(601, "pc0"));
    expect(pings()).toBe(1);
  });

  it("G22 it consumes the live ref of its plan", async () => {
    const ref = await mint();
    expect(await runs({ force: true })).toMatchObject({ ...DONE, ref });
    expect(await runs({ planCommitRef: ref })).toMatchObject(toldAgain(0, ref));
    expect(pings()).toBe(1);
  });

  it("PLAN-030 with a consumed ref it starts nothing; with any other, or none, it does", async () => {
    const ref = await mint();
    await runs({ planCommitRef: ref });
    expect(await runs({ planCommitRef: ref, force: true })).toMatchObject(toldAgain(0, ref));
    expect(pings()).toBe(1);
    expect(await runs({ force: true })).toMatchObject(DONE);
    expect(await runs({ force: true, planCommitRef: "pc77" })).toMatchObject(DONE);
    expect(pings()).toBe(3);
  });
});

it.each([EFFECT, READ])("G13 planning %s sends nothing, however often", async (program) => {
  const ref = await mint(program);
  expect(await mint(program)).toBe(ref);
  expect(apis.requests).toEqual([]);
});

describe("17.19: unused seeds are said once a session", () => {
  const seeds = ["Boat", "Log", "Visit"].map((entity) => ({ api: "quay", entity }));
  const said = async (program: string): Promise<string | undefined> => {
    const { text } = await under.engine.plan(ann, { kind: "ref", ref: "s1" }, program);
    return text.split("\n").find((line) => line.includes("unused_seed"));
  };

  it("with its first plan, with that plan again, and with no other", async () => {
    await under.engine.context(ann, { intent: "logs", seeds });
    const first = "info unused_seed: quay.Log, quay.Visit";
    expect(await said('Boat("b1")[id]')).toBe(first);
    expect(await said('Boat("b2")[id]')).toBe(undefined);
    expect(await said('Boat("b1")[id]')).toBe(first);
  });
});
