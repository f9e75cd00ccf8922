import type { Json } from "@plasm/core";
import { describe, expect, test } from "vitest";
import type { EntityRow } from "../decode/entity-row.ts";
import { createCoalescer, createRunCache } from "./run-cache.ts";

const row = (entryId: string, id: string, fields: Record<string, Json>): EntityRow => ({
  entryId,
  entity: "Boat",
  identity: { key: { id }, text: `Boat:${id}` },
  ambient: {},
  fields: new Map(Object.entries(fields)),
  references: new Map(),
  edges: new Map(),
  loadedBy: new Set(),
  wire: null,
});

describe("RUN-060 to RUN-063: the cache of one run", () => {
  test("a newer value or null replaces, unknown replaces nothing", () => {
    const cache = createRunCache();
    cache.put("d", row("quay", "b1", { name: "old", note: "n" }), 1);
    cache.put("d", row("quay", "b1", { name: null }), 1);
    expect(cache.fields("d", row("quay", "b1", {}))).toEqual(
      new Map([
        ["name", null],
        ["note", "n"],
      ]),
    );
  });

  test("what a row learns later is not known of its identity, nor does another row change it", () => {
    const cache = createRunCache();
    const first = row("quay", "b1", { name: "old" });
    cache.put("d", first, 1);
    first.fields.set("note", null);
    expect(cache.fields("d", row("quay", "b1", {}))).toEqual(new Map([["name", "old"]]));
    cache.put("d", row("quay", "b1", { name: "new", crew: 2 }), 1);
    expect(cache.fields("d", row("quay", "b1", {}))).toEqual(
      new Map<string, Json>([
        ["name", "new"],
        ["crew", 2],
      ]),
    );
    expect(first.fields).toEqual(
      new Map<string, Json>([
        ["name", "old"],
        ["note", null],
      ]),
    );
  });

  test("catalogs and digests are kept apart; an effect discards its catalog's rows only", () => {
    const cache = createRunCache();
    cache.put("d", row("quay", "b1", { name: "q" }), 1);
    cache.put("d", row("yard", "b1", { name: "y" }), 1);
    expect(cache.fields("other", row("quay", "b1", {}))).toBeUndefined();
    cache.discard("quay");
    expect(cache.fields("d", row("quay", "b1", {}))).toBeUndefined();
    expect(cache.fields("d", row("yard", "b1", {}))?.get("name")).toBe("y");
  });

  test("least recently used rows go first, by count and by size", () => {
    const cache = createRunCache(2, 100);
    for (const id of ["b1", "b2"]) cache.put("d", row("quay", id, { id }), 10);
    cache.fields("d", row("quay", "b1", {}));
    cache.put("d", row("quay", "b3", {}), 10);
    const known = (id: string): boolean => cache.fields("d", row("quay", id, {})) !== undefined;
    expect(["b1", "b2", "b3"].map(known)).toEqual([true, false, true]);
    cache.put("d", row("quay", "b4", {}), 95);
    expect(["b1", "b3", "b4"].map(known)).toEqual([false, false, true]);
  });
});

test("26.10 rows beyond the limit go without a look at all that went before them", () => {
  const cache = createRunCache(100, 1e9);
  let begun = 0;
  const { entries } = Map.prototype;
  const iterator = Map.prototype[Symbol.iterator];
  const counting = function (this: Map<unknown, unknown>) {
    begun += this.size > 90 ? 1 : 0;
    return entries.call(this);
  };
  Object.assign(Map.prototype, { entries: counting, [Symbol.iterator]: counting });
  try {
    for (let at = 0; at < 5_000; at++) cache.put("d", row("quay", `b${at}`, { at }), 1);
  } finally {
    Object.assign(Map.prototype, { entries, [Symbol.iterator]: iterator });
  }
  const known = (id: string): boolean => cache.fields("d", row("quay", id, {})) !== undefined;
  expect(["b4899", "b4900", "b4999"].map(known)).toEqual([false, true, true]);
  expect(begun).toBeLessThan(10);
});

describe("RUN-023: equal reads are sent once", () => {
  test("until their catalog's answers are discarded", async () => {
    const answers = createCoalescer<number>();
    let sent = 0;
    const send = (entry: string): Promise<number> => answers.once(entry, "key", async () => ++sent);
    expect(await Promise.all([send("quay"), send("quay"), send("yard")])).toEqual([1, 1, 2]);
    answers.discard("quay");
    expect([await send("quay"), await send("yard")]).toEqual([3, 2]);
  });
});
