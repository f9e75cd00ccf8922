import { hash } from "node:crypto";
import type { CommitRecord, OperationRecord, Store } from "@plasm/agent-core";
import { LOCAL } from "@plasm/agent-core";
import { sweep } from "@plasm/agent-core/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { agentOn, engineOn } from "../../agent-core/test/engine-on.ts";
import type { StoreUnderTest } from "@plasm/agent-core/testing";

const T0 = 1_800_000_000_000;
const DAY = 86_400_000;

/** As long as a program may be that an agent writes with its data. */
const LENGTH = 200_000;

/** A text that no database compresses. */
function textOf(letter: string): string {
  let text = "";
  for (let n = 0; text.length < LENGTH; n += 1) text += hash("sha512", letter + n, "base64");
  return text.slice(0, LENGTH);
}

const commit = (program?: string): CommitRecord => ({
  uuid: "u",
  ref: "pc0",
  session: { promptHash: "ab", sessionId: "s" },
  principal: "t1/a",
  commit: "sha256:c",
  ...(program === undefined ? {} : { program }),
  verdict: "ok",
  state: "live",
  hasEffects: false,
  mintedAt: T0,
  expiresAt: T0 + 600_000,
});

/** Of an operation what a store looks at. */
const operation = (program: string): OperationRecord =>
  ({ program, state: "running", event: 0, answer: null }) as unknown as OperationRecord;

const usedOf = async (store: Store): Promise<number> => (await store.size?.())?.used ?? 0;

/** Damages all blobs of a store and expects that of a program told, and that its record is listed, and goes. */
export async function expectDamagedText(
  store: Store,
  change: (statement: string) => unknown,
): Promise<void> {
  for (const statement of ["update blobs set bytes = BYTES", "delete from blobs"]) {
    await store.insert("commit", "t1", "x/pc0", commit(textOf("a")));
    await change(statement);
    await expect(store.get("commit", "t1", "x/pc0")).rejects.toThrow("damaged");
    await expect(store.getAll("commit", "t1", ["x/pc0"])).rejects.toThrow("damaged");
    expect((await store.peek("commit", "t1", "x/pc0"))?.value.ref).toBe("pc0");
    expect(await store.list("commit", "t1", "x/")).toHaveLength(1);
    await sweep(store);
    expect(await store.remove("commit", "t1", "x/pc0", 1)).toBe(true);
  }
}

/** The blobs that are left after a sweep. */
async function sweptBlobs({ store, held }: StoreUnderTest): Promise<number> {
  await sweep(store);
  return (await held())["blobs"] ?? 0;
}

/** What is written, and when it goes. */
function writing(current: () => StoreUnderTest): void {
  it("18.16 50 plans and operations of one program take one text; their progress writes none", async () => {
    const { store } = current();
    const program = textOf("a");
    const before = await usedOf(store);
    for (let n = 0; n < 50; n += 1) {
      await store.insert("commit", "t1", `x/pc${n}`, commit(program));
      await store.insert("operation", "t1", `x/o${n}`, operation(program));
    }
    expect((await usedOf(store)) - before).toBeLessThan(LENGTH * 1.5);
    for (let event = 1; event <= 5; event += 1) {
      for (let n = 0; n < 50; n += 1) {
        const next = { ...operation(program), event };
        expect(await store.cas("operation", "t1", `x/o${n}`, event, next)).toBe(true);
      }
    }
    expect((await usedOf(store)) - before).toBeLessThan(LENGTH * 1.5);
    expect((await current().held())["blobs"]).toBe(1);
    const again = await current().reopen();
    expect((await again.get("operation", "t1", "x/o49"))?.value).toMatchObject({
      program,
      event: 5,
    });
  });

  it("18.16 a program stays a record's while any has it, and a sweep removes it with the last", async () => {
    const { store } = current();
    const program = textOf("a");
    for (const n of [0, 1, 2]) await store.insert("commit", "t1", `x/pc${n}`, commit(program));
    const known = await store.get("commit", "t1", "x/pc0");
    expect(await store.cas("commit", "t1", "x/pc0", known?.version ?? 0, commit())).toBe(true);
    await store.delete("commit", "t1", "x/pc1");
    expect(await sweptBlobs(current())).toBe(1);
    expect((await store.get("commit", "t1", "x/pc2"))?.value.program).toBe(program);
    expect((await store.get("commit", "t1", "x/pc0"))?.value).toEqual(commit());
    await store.removeAll("commit", "t1", "x/pc2");
    // Named again before it is swept: it is there.
    await store.insert("commit", "t2", "y/pc0", commit(program));
    expect(await sweptBlobs(current())).toBe(1);
    await store.remove("commit", "t2", "y/pc0", 1);
    expect(await sweptBlobs(current())).toBe(0);
  });

  it("18.16 a record that gets another program has it, and loses the one before", async () => {
    const { store } = current();
    await store.insert("commit", "t1", "x/pc0", commit("short"));
    for (const [version, letter] of ["a", "b"].entries()) {
      const next = commit(textOf(letter));
      expect(await store.cas("commit", "t1", "x/pc0", version + 1, next)).toBe(true);
      expect(await store.cas("commit", "t1", "x/pc0", version + 1, commit("late"))).toBe(false);
      expect((await store.get("commit", "t1", "x/pc0"))?.value).toEqual(next);
    }
    expect(await sweptBlobs(current())).toBe(1);
  });
}

/** Writers beside each other, and what agents make of it. */
function sharing(current: () => StoreUnderTest): void {
  it("18.16 writers of one program at once, and sweeps beside them, leave it with each of them", async () => {
    const { store } = current();
    const program = textOf("a");
    const write = async (n: number): Promise<void> => {
      for (let round = 0; round < 5; round += 1) {
        await store.insert("commit", "t1", `x/${n}`, commit(program));
        expect((await store.get("commit", "t1", `x/${n}`))?.value.program).toBe(program);
        await store.delete("commit", "t1", `x/${n}`);
      }
      await store.insert("commit", "t1", `y/${n}`, commit(program));
    };
    const sweeping = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) await sweep(store);
    };
    await Promise.all([...Array.from({ length: 6 }, (_, n) => write(n)), sweeping()]);
    for (const { id } of await store.list("commit", "t1", "y/")) {
      expect((await store.get("commit", "t1", id))?.value.program).toBe(program);
    }
    await store.removeAll("commit", "t1", "y/");
    expect(await sweptBlobs(current())).toBe(0);
  });

  it("18.16 plans of one long program that wait in three sessions share it, and go with all they have", async () => {
    const { store, setNow, held } = current();
    const policy = { apis: { quay: { approval: { operator: ["delete" as const] } } } };
    const api = boatsApi(60);
    const engine = engineOn({ store: { ...store, close: async () => undefined }, api, policy });
    const bulk = Array.from({ length: 60 }, (_, n) => `Boat("b${n + 1}").delete()`);
    const program = [`;; ${textOf("a")}`, ...bulk].join("\n");
    const before = await usedOf(store);
    for (const intent of ["one", "two", "three"]) {
      const agent = await agentOn(engine, intent);
      const told = await agent.run(program);
      expect(told.problem?.code).toBe("plasm-approval-required");
    }
    const [asked] = await store.list("approval", LOCAL.scope, "");
    const approval = await store.get("approval", LOCAL.scope, asked?.id ?? "");
    expect(approval?.value.program).toBe(program);
    expect(approval?.value.plan.length).toBeGreaterThan(2_048);
    expect(approval?.value.plan).toContain("delete");
    expect((await usedOf(store)) - before).toBeLessThan(LENGTH * 2);
    await engine.close();
    setNow(T0 + 100 * DAY);
    await sweep(store);
    await sweep(store);
    expect(await held()).not.toHaveProperty("blobs");
  });
}

/** What a database does with texts that records have in common (issue 18, item 16; docs/adr/0137). */
export function textsContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`texts contract: ${name}`, () => {
    let under: StoreUnderTest;
    beforeEach(async () => {
      under = await open();
      under.setNow(T0);
    });
    afterEach(() => under.dispose());
    writing(() => under);
    sharing(() => under);
  });
}
