import { describe, expect, it } from "vitest";
import { memoryStore } from "../../memory-store/memory-store.ts";
import { DriftSigns, driftSignsOf } from "./drift-signs.ts";

const DAY_MS = 86_400_000;
const T0 = Date.UTC(2026, 0, 5, 12);
const MISSING = "field_missing";
const detail = "Boat.length: no such member";

describe("SURF-70 how often an API answered otherwise", () => {
  it("is one count of all processes on the store, however many count at once, and of each tenant apart", async () => {
    const store = memoryStore({ at: T0 });
    const processes = [new DriftSigns(store), new DriftSigns(store)];
    const all = processes.flatMap((one) =>
      Array.from({ length: 50 }, async () => {
        one.add("acme", "quay", MISSING, { count: 2, detail });
        await one.written();
      }),
    );
    await Promise.all(all);
    expect((await driftSignsOf(store, "acme", "quay")).signs).toEqual([
      {
        entry_id: "quay",
        sign: MISSING,
        count: 200,
        last: detail,
        last_at: "2026-01-05T12:00:00.000Z",
      },
    ]);
    expect((await driftSignsOf(store, "other", "quay")).signs).toEqual([]);
  });

  it("counts thirty days, and keeps no more of a catalog than these", async () => {
    const store = memoryStore({ at: T0 });
    const signs = new DriftSigns(store);
    for (let day = 0; day < 40; day += 1) {
      signs.add("acme", "quay", MISSING, { count: 1, detail: "x".repeat(9_000) });
      await signs.written();
      store.advance(DAY_MS);
    }
    const { since, signs: counted } = await driftSignsOf(store, "acme", "quay");
    expect(since).toBe("2026-01-16T00:00:00.000Z");
    expect(counted).toMatchObject([{ count: 29, last_at: "2026-02-13T12:00:00.000Z" }]);
    const kept = await store.get("driftSigns", "acme", "quay");
    expect(Object.keys(kept?.value.days ?? {})).toHaveLength(30);
    expect(JSON.stringify(kept).length).toBeLessThan(3_000);
  });
});
