import fc from "fast-check";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { U42, bodyIn, codeOf, fetchWhole, graftSet, openTelling } from "../../test/graft-agent.ts";
import { testStore } from "../../test/test-store.ts";
import { tokenCounter } from "../answer/tokens.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../identity/caller.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { sweep } from "../retention/sweep.ts";
import { chunkOf } from "./fetch.ts";

/** A token is four code units. */
const count = (text: string): number => Math.ceil(text.length / 4);

it("chunks fit the budget, make progress and join to the text (GRAFT-11)", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "🍐", "é", "`"),
    maxLength: 3_000,
  });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 300 }), (text, budget) => {
      const parts: string[] = [];
      let next: number | null = 0;
      while (next !== null) {
        const chunk = chunkOf(text, next, budget, count);
        if (chunk === null) throw new Error(`nothing at ${next}`);
        parts.push(chunk.text);
        expect(count(chunk.text)).toBeLessThanOrEqual(budget);
        expect(chunk.next === null || chunk.next > next).toBe(true);
        expect(chunk.text).not.toMatch(/\p{Surrogate}/u);
        next = chunk.next;
      }
      expect(parts.join("")).toBe(text);
    }),
    { numRuns: 60 },
  );
});

it.each([
  ["", 0, { text: "", next: null }],
  ["", 1, null],
  ["🍐b", 1, { text: "b", next: null }],
  ["🍐b", 2, { text: "", next: null }],
  ["🍐b", 3, null],
])("%j from %i", (text, offset, chunk) => {
  expect(chunkOf(text, offset, 10, count)).toEqual(chunk);
});

it("a budget of nothing still gives a character", () => {
  expect(chunkOf("🍐🍐", 0, 0, count)).toEqual({ text: "🍐", next: 1 });
});

const open: Engine[] = [];
const onStore = (store: MemoryStore): Engine => {
  const engine = engineOn({ store, api: boatsApi() });
  open.push(engine);
  return engine;
};
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

describe("fetching (GRAFT-11, GRAFT-12)", () => {
  it("D4 tool text is a header line and the body in a fence longer than any run inside", async () => {
    const engine = onStore(testStore());
    const content = "Prune.\n````js\nx\n````\n";
    const grafts = graftSet([{ content: "Prune quince" }, { graft_id: "g02", path: "b", content }]);
    const { ref } = await openTelling(engine, U42, { grafts });
    const plain = await engine.fetchGraft(U42, { graftId: "g01", ref });
    expect(plain.text).toBe(
      "g01 · git · a.md · 12 bytes · revision 1\n````markdown\nPrune quince\n````",
    );
    expect(plain.meta["graft"]).toEqual({
      graft_id: "g01",
      revision: 1,
      sha256: sha256("Prune quince"),
      bytes: 12,
      next_offset: null,
    });
    const fenced = bodyIn(await engine.fetchGraft(U42, { graftId: "g02", ref }));
    expect([fenced.fence, fenced.body]).toEqual(["`````markdown", content]);
  });

  it("a long body comes in chunks within the result budget, each naming the next", async () => {
    const engine = onStore(testStore());
    const content = "Prune quince 🍐 in late winter, ``` and so on.\n".repeat(900);
    const { ref } = await openTelling(engine, U42, { grafts: graftSet([{ content }]) });
    const count = await tokenCounter();
    const first = await engine.fetchGraft(U42, { graftId: "g01", ref });
    const { head, next } = bodyIn(first);
    expect(head).toMatch(/ · revision 1 · cut, next offset \d+$/);
    expect(count(first.text)).toBeLessThanOrEqual(4_000);
    expect(count(first.text)).toBeGreaterThan(3_000);
    expect(Number(next)).toBe(Array.from(bodyIn(first).body).length);
    const whole = await fetchWhole(engine, U42, "g01", ref);
    expect(whole.text).toBe(content);
    expect(whole.calls).toBeGreaterThan(2);
  });

  it("P19 what is fetched after an attach is what was attached, by every way", async () => {
    const engine = onStore(testStore());
    const { ref } = await openTelling(engine, U42);
    const unit = fc.oneof(
      fc.constantFrom("`", "\n", "\r", "\u202e", "\ufeff", "\u0000", "~~~", "🍐"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
    );
    const content = fc
      .array(unit, { maxLength: 60 })
      .map((all) => all.join("").replaceAll(/\p{Surrogate}/gu, ""));
    const at = { kind: "ref", ref } as const;
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        await engine.attachGrafts(U42, at, graftSet([{ content: text }]));
        expect((await fetchWhole(engine, U42, "g01", ref)).text).toBe(text);
        const { bytes, graft } = await engine.graft(U42, at, "g01");
        expect(Buffer.from(bytes)).toEqual(Buffer.from(text, "utf8"));
        expect([graft.sha256, graft.bytes]).toEqual([sha256(text), bytes.length]);
        const read = await engine.readResource(U42, `plasm://session/${ref}/g/g01`);
        expect(read).toMatchObject({ mimeType: "text/markdown", text });
      }),
      { numRuns: 40 },
    );
  });

  it("D7 of 400 grafts the section lists what fits, and * the rest", async () => {
    const engine = onStore(testStore());
    const items = Array.from({ length: 400 }, (_, n) => ({
      graft_id: `g${n}`,
      path: `${String(n).padStart(3, "0")}.md`,
      content: `${n} ${"prune ".repeat(300)}`,
    }));
    const { section, meta, ref } = await openTelling(engine, U42, { grafts: graftSet(items) });
    expect(Array.from(section).length).toBeLessThanOrEqual(32_768);
    const { indexed, hidden } = meta;
    expect(Number(indexed) + Number(hidden)).toBe(400);
    expect(section.split("\n").at(-1)).toBe(
      `+ ${Number(hidden)} more: grafted_context_fetch("*") lists them`,
    );
    const { text } = await fetchWhole(engine, U42, "*", ref);
    expect(text.split("\n").filter((line) => line.startsWith("- `"))).toHaveLength(400);
    const resource = await engine.readResource(U42, `plasm://session/${ref}/g`);
    expect("text" in resource && resource.text).toBe(text);
    expect((await engine.grafts(U42, { kind: "ref", ref })).text).toBe(text);
    expect(meta).toMatchObject({ count: 400, revision: 1 });
  });

  it("an offset beyond the end says how long the graft is", async () => {
    const engine = onStore(testStore());
    const { ref } = await openTelling(engine, U42, { grafts: graftSet([{ content: "🍐" }]) });
    const call = engine.fetchGraft(U42, { graftId: "g01", ref, offset: 2 });
    await expect(call).rejects.toThrow("offset 2 is beyond the end: g01 has 1 characters.");
    for (const offset of [-1, 0.5, "0"]) {
      const bad = engine.fetchGraft(U42, { graftId: "g01", ref, offset });
      expect(await codeOf(engine, bad)).toBe("plasm-bad-request");
    }
  });
});

describe("a call that names no session (GRAFT-11)", () => {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const fetched = { graftId: "g01" };

  it("means the only one of its principal, else lists them", async () => {
    const engine = onStore(testStore());
    await expect(engine.fetchGraft(U42, fetched)).rejects.toThrow("Call plasm_context first");
    await engine.context(U42, { intent: "a", seeds, grafts: graftSet() });
    expect((await engine.fetchGraft(U42, fetched)).text).toContain("Prune quince");
    await engine.context(U42, { intent: "b", seeds });
    await expect(engine.fetchGraft(U42, fetched)).rejects.toThrow("several sessions: s0, s1.");
  });

  it("means the only one of its connection", async () => {
    const engine = onStore(testStore());
    const here = { ...U42, connection: "c1" };
    await engine.context(U42, { intent: "a", seeds });
    await engine.context(here, { intent: "b", seeds, grafts: graftSet() });
    expect((await engine.fetchGraft(here, fetched)).meta["logical_session_ref"]).toBe("s1");
    const elsewhere = { ...U42, connection: "c2" };
    await expect(engine.fetchGraft(elsewhere, fetched)).rejects.toThrow("plasm_context first");
  });

  it.each<[string, (engine: Engine, there: Caller, ref: string) => Promise<unknown>]>([
    ["plasm", (engine, there, ref) => engine.plan(there, { kind: "ref", ref }, "Boat")],
    [
      "plasm_run",
      (engine, there, ref) => engine.run(there, { kind: "ref", ref }, { program: 'Boat("b1")' }),
    ],
    [
      "its table",
      (engine, there, ref) => engine.readResource(there, `plasm://session/${ref}/table`),
    ],
    ["its grafts", (engine, there, ref) => engine.readResource(there, `plasm://session/${ref}/g`)],
    [
      "a call that names it",
      (engine, there, ref) => engine.fetchGraft(there, { graftId: "g01", ref }),
    ],
  ])(
    "SESS-3 SESS-4 knows a session that a new connection went on with, by %s",
    async (_by, use) => {
      const engine = onStore(testStore());
      const grafts = graftSet([{ content: "one" }]);
      const { ref } = await openTelling(engine, { ...U42, connection: "c1" }, { grafts });
      await openTelling(engine, { ...U42, connection: "c1" }, { intent: "another" });
      const there = { ...U42, connection: "c2" };
      const fetched = () => engine.fetchGraft(there, { graftId: "g01" });
      await expect(fetched()).rejects.toThrow("logical_session_ref is missing. Call plasm_context");
      await use(engine, there, ref);
      expect((await fetched()).text).toContain("\none\n");
    },
  );
});

describe("what is not there (GRAFT-13)", () => {
  it("unknown, foreign and swept grafts answer alike", async () => {
    const store = testStore();
    const engine = onStore(store);
    const { ref } = await openTelling(engine, U42, { grafts: graftSet() });
    const [logical] = await store.list("logical", U42.scope, "");
    const uuid = logical?.id ?? "";
    const others = [
      { ...U42, subject: "u43" },
      { ...U42, scope: "other" },
      { ...U42, subject: null },
    ];
    const told = new Set<string>();
    const ask = async (caller: typeof U42, at: string, graftId = "g01"): Promise<void> => {
      const call = engine.fetchGraft(caller, { graftId, ref: at });
      expect(await codeOf(engine, call)).toBe("plasm-unknown-graft");
      const address = { kind: "ref", ref: at } as const;
      const read = engine.graft(caller, address, graftId);
      expect(await codeOf(engine, read)).toBe("plasm-unknown-graft");
      const resource = engine.readResource(caller, `plasm://session/${at}/g/${graftId}`);
      expect(await codeOf(engine, resource)).toBe("plasm-unknown-graft");
      told.add(await engine.graft(caller, address, graftId).then(String, String));
    };
    for (const other of others) await ask(other, uuid);
    await ask(U42, "s9");
    store.advance(32 * 86_400_000);
    for (let n = 0; n < 3; n += 1) await sweep(store);
    await ask(U42, ref);
    await ask(U42, uuid);
    expect([...told]).toHaveLength(1);
    expect(store.held()).not.toHaveProperty("graft");
    expect(store.held()).not.toHaveProperty("blobs");
  });
});
