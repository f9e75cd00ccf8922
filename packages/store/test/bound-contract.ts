import { type Engine, LOCAL, type Store } from "@plasm/agent-core";
import { keepWithin, sweep } from "@plasm/agent-core/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { agentOn, engineOn, type Agent } from "../../agent-core/test/engine-on.ts";
import type { StoreUnderTest } from "@plasm/agent-core/testing";

const T0 = 1_800_000_000_000;
const MINUTE = 60_000;
const GB = 1024 ** 3;

/** Done once, with its ref. */
async function ping(agent: Agent): Promise<string> {
  const { meta } = await agent.plan('Boat("b1").ping()');
  const ref = meta["plan_commit_ref"];
  if (typeof ref !== "string") throw new Error("A plan has no ref");
  expect((await agent.runPlanned(ref)).problem).toBeNull();
  return ref;
}

const usedOf = async (store: Store): Promise<number> => (await store.size?.())?.used ?? 0;

/** The code and the text of what reading a snapshot comes to. */
async function readOf(engine: Engine, n: number): Promise<readonly [string, string]> {
  try {
    const { uri } = await engine.readResource(LOCAL, `plasm://session/s0/r/${n}`);
    return ["ok", uri];
  } catch (thrown) {
    const { code, text } = engine.problemOf(thrown);
    return [code, text];
  }
}

/** A store of one test, and what starts engines on it. */
interface Bound {
  readonly under: () => StoreUnderTest;
  readonly start: (more?: Partial<Parameters<typeof engineOn>[0]>) => Engine;
}

/** What keeps a store within its bytes (issue 18, items 9 and 16). */
export function boundContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`bound contract: ${name}`, () => {
    let under: StoreUnderTest;
    const engines: Engine[] = [];
    const start: Bound["start"] = (more = {}) => {
      const store = { ...under.store, close: async () => undefined };
      const engine = engineOn({ store, api: boatsApi(200), ...more });
      engines.push(engine);
      return engine;
    };
    beforeEach(async () => {
      under = await open();
      under.setNow(T0);
    });
    afterEach(async () => {
      for (const engine of engines.splice(0)) await engine.close();
      await under.dispose();
    });
    const bound: Bound = { under: () => under, start };
    whatGoesFirst(bound);
    whatIsKept(bound);
    quotas(bound);
  });
}

function whatGoesFirst({ under, start }: Bound): void {
  it("18.9 over its limit the oldest snapshots go first, told as dropped; what was done stays", async () => {
    const { store, setNow, held } = under();
    const engine = start();
    const agent = await agentOn(engine);
    const ref = await ping(agent);
    for (let n = 0; n < 40; n += 1) await agent.run("Boat[id, name, state]");
    const before = await held();
    setNow(T0 + 2 * MINUTE);
    // Little enough to go that some snapshots stay, however much a slow machine notes beside them.
    const limit = Math.ceil((await usedOf(store)) * 0.85);
    expect(await keepWithin(store, 2 * GB)).toBeNull();
    const kept = await keepWithin(store, limit);
    expect(kept).toMatchObject({ isWithin: true });
    expect(await usedOf(store)).toBeLessThanOrEqual(limit);
    expect(Object.keys(kept?.dropped ?? {})).toEqual(["snapshot"]);
    const [code, text] = await readOf(engine, 2);
    expect(code).toBe("plasm-unknown-snapshot");
    expect(text).toContain(
      "r/2 is no longer kept. The store was full to its limit (PLASM_DATA_LIMIT)",
    );
    expect((await readOf(engine, 40))[0]).toBe("ok");
    const after = await held();
    expect(after["snapshot"]).toBeLessThan(before["snapshot"] ?? 0);
    for (const kind of ["effect", "operation", "commit", "logical", "sessions", "waves"]) {
      expect(after[kind], kind).toBe(before[kind]);
    }
    expect((await agent.runPlanned(ref)).text).toContain(`${ref} ran`);
    expect((await readOf(engine, 99))[1]).toContain("No snapshot");
  });
}

function whatIsKept({ under, start }: Bound): void {
  it("18.9 what operations did goes last and is told; nothing is a defect, and runs go on", async () => {
    const { store, setNow, held } = under();
    const engine = start();
    const agent = await agentOn(engine);
    const ref = await ping(agent);
    await agent.run("Boat.page_size(1)[id]");
    const accepted = await agent.run("Boat.limit(1)[id]", { wait: false });
    expect(accepted.text).toContain("wait(s0_o1)");
    await agent.run("wait(s0_o1)", { wait: true });
    setNow(T0 + 2 * MINUTE);
    const kept = await keepWithin(store, 1);
    expect(kept).toMatchObject({ isWithin: false });
    // Lines of the audit log go after everything else, and there are some where a second has passed (OPS-43).
    const order = Object.keys(kept?.dropped ?? {}).filter((kind) => kind !== "auditLine");
    expect(order.at(-1)).toBe("operation");
    const left = await held();
    expect([left["snapshot"], left["cursor"], left["effect"]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await sweep(store);
    const answers = [
      await agent.runPlanned(ref),
      await agent.run("page(s0_pg1)"),
      await agent.run("wait(s0_o1)"),
    ];
    expect(answers.map(({ problem }) => problem?.code)).toEqual([
      "plasm-commit-used",
      "plasm-unknown-handle",
      "plasm-unknown-handle",
    ]);
    for (const { text } of answers.slice(1)) expect(text).toContain("PLASM_DATA_LIMIT");
    expect((await agent.run("Boat.limit(1)[id]")).problem).toBeNull();
  });

  it("18.9 a read call keeps 2 KB or less, snapshot and trace included", async () => {
    const { store } = under();
    const agent = await agentOn(start());
    const read = (n: number) => agent.run(`Boat("b${(n % 150) + 1}")[id, name]`);
    // The events of a trace are bounded by themselves: it is full before the count.
    for (let n = 0; n < 320; n += 1) await read(n);
    const before = await usedOf(store);
    for (let n = 0; n < 300; n += 1) await read(n);
    expect(((await usedOf(store)) - before) / 300).toBeLessThan(2_048);
  });
}

function quotas({ under, start }: Bound): void {
  it("18.16 a tenant over its quota gets its rows, told that they are not kept; others are served", async () => {
    const { store } = under();
    const quota = 400_000;
    const engine = start({ bounds: { store: 2 * GB, tenant: quota } });
    const agent = await agentOn(engine);
    const texts: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      texts.push((await agent.run("Boat[id, name, state]")).text);
    }
    expect(texts[0]).not.toContain("warning");
    expect(texts.at(-1)).toContain("b1");
    expect(texts.at(-1)).toContain(`${quota} bytes (PLASM_TENANT_BYTES)`);
    let stored = 0;
    for (let after: number | null = 0; after !== null;) {
      const { bytes, next }: Awaited<ReturnType<Store["usage"]>> = await store.usage(after, 7);
      stored += bytes.get(LOCAL.scope) ?? 0;
      after = next;
    }
    expect(stored).toBeLessThan(quota * 1.1);
    const other = { ...LOCAL, scope: "acme" };
    const theirs = await agentOn(engine, "boats", other);
    expect((await theirs.run("Boat.limit(1)[id]")).text).not.toContain("warning");
  });

  it("18.16 far over its quota even plans are refused, by the quota's name and with what to do", async () => {
    const agent = await agentOn(start({ bounds: { store: 2 * GB, tenant: 100 } }));
    const refused = await agent.plan('Boat("b1").ping()');
    expect(refused.problem).toMatchObject({ code: "plasm-quota-exceeded", status: 429 });
    expect(refused.text).toMatch(/100 bytes \(PLASM_TENANT_BYTES\).*raise the quota/);
  });
}
