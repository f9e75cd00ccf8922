import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";

const SEEDS = [
  { api: "quay", entity: "Boat" },
  { api: "quay", entity: "Person" },
  { api: "quay", entity: "Visit" },
  { api: "yard", entity: "Boat" },
  { api: "yard", entity: "Part" },
];

type Seed = (typeof SEEDS)[number];

/** Keys under which sessions were looked for, since the last look. */
const keys: string[] = [];
let dataDir: string;
let engine: Engine;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "plasm-keys-"));
  engine = await openEngine({
    dataDir,
    around: (store) => ({
      ...store,
      liveSession: (key) => {
        keys.push(key);
        return store.liveSession(key);
      },
    }),
  });
});
afterAll(async () => {
  await engine.close();
  rmSync(dataDir, { recursive: true });
});

/** As a host without intent opens: what it is looked for by, and what it comes to. */
async function open(seeds: readonly Seed[]) {
  keys.length = 0;
  const { meta } = await engine.context(caller(), { seeds });
  const [key, ...others] = keys;
  expect(others).toEqual([]);
  const { catalog_entry_ids: catalogs, execute_binding: binding } = meta;
  return { key, binding: JSON.stringify(binding), primary: (catalogs as readonly string[])[0] };
}

const sorted = (seeds: readonly Seed[]): readonly Seed[] =>
  SEEDS.filter((seed) => seeds.includes(seed));

/** SESS-13: the primary's own seeds, and no others. */
function factsOf(seeds: readonly Seed[]): string {
  const [first] = sorted(seeds);
  return JSON.stringify(sorted(seeds).filter(({ api }) => api === first?.api));
}

describe("B6 SESS-13 SESS-16 the primary is the first in code-point order", () => {
  it("B6 any order and repetition of seeds gives one key, and one session", async () => {
    const byFacts = new Map<string, string | undefined>();
    const asked = fc.subarray(SEEDS, { minLength: 1 }).chain((seeds) =>
      fc.tuple(
        fc.constant(seeds),
        fc.shuffledSubarray([...seeds, ...seeds], {
          minLength: seeds.length * 2,
          maxLength: seeds.length * 2,
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ([seeds, turned]) => {
        const first = await open(seeds);
        expect(await open(turned)).toEqual(first);
        const facts = factsOf(seeds);
        expect(first.key).toBe(byFacts.get(facts) ?? first.key);
        byFacts.set(facts, first.key);
      }),
      { numRuns: 25 },
    );
    // Another primary, or other seeds of it, is another key.
    expect(new Set(byFacts.values()).size).toBe(byFacts.size);
    expect(byFacts.size).toBeGreaterThan(3);
  });
});
