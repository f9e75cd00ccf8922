import { expect, it } from "vitest";
import type { RecordKind, RecordTypes } from "../store-port.ts";
import { testStore } from "../../test/test-store.ts";
import { keepWithin } from "./keep-within.ts";

const SCOPE = "one";

/** Of a record what its dropping looks at. */
const record = <K extends RecordKind>(fields: object): RecordTypes[K] =>
  fields as unknown as RecordTypes[K];

it("18.9: no more of what operations did goes than has to", async () => {
  const store = testStore();
  const effect = record<"effect">({ text: "x".repeat(500) });
  for (let n = 0; n < 100; n += 1) {
    const operation = record<"operation">({ n, state: "succeeded", answer: null });
    await store.insert("operation", SCOPE, `s/${n}`, operation);
    for (let k = 0; k < 20; k += 1) await store.insert("effect", SCOPE, `s/${n}/${k}`, effect);
  }
  const used = async (): Promise<number> => (await store.size?.())?.used ?? 0;
  const limit = (await used()) * 0.8;
  const kept = await keepWithin(store, limit);
  expect(kept?.dropped.operation).toBeGreaterThan(0);
  expect(await used()).toBeLessThanOrEqual(limit * 0.9);
  expect(await used()).toBeGreaterThan(limit * 0.9 * 0.85);
});
