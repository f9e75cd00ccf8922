import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { ALL_FEATURES, type Policy } from "../policy/policy.ts";
import type { WaveEntry } from "../symbols/waves.ts";
import { exposeSeeds, TaughtSessions } from "./expose-seeds.ts";
import type { WaveText } from "./wave-text.ts";

const calls = fc.array(
  fc.record({
    entryId: fc.constantFrom("north", "south"),
    entities: fc.subarray([...ENTITIES], { minLength: 1 }),
    /** another call of the same session came first: this one is computed, and never written */
    lost: fc.boolean(),
    /** a policy that hides what changes anything */
    readsOnly: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

const READS_ONLY: Policy = { apis: { north: { effects: false }, south: { effects: false } } };

test("TEACH-6 TEACH-30 P7 a session that is remembered and one made anew teach the same bytes", () => {
  fc.assert(
    fc.property(
      arbitraryCatalogSet(),
      calls,
      fc.constantFrom("symbols" as const, "names" as const),
      fc.boolean(),
      (catalogs, all, notation, readOnly) => {
        const taught = new TaughtSessions();
        let log: readonly WaveEntry[] = [];
        let sent: readonly WaveText[] = [];
        for (const { entryId, entities, lost, readsOnly } of all) {
          const input = {
            catalogs,
            notation,
            policy: readsOnly ? READS_ONLY : {},
            readOnly,
            features: ALL_FEATURES,
            exposure: log.length === 0 ? null : { log, sent },
            seeds: [{ entryId, entities }],
          };
          const exposed = taught.expose("one", input);
          expect(exposed).toEqual(exposeSeeds(input));
          if (lost) continue;
          ({ log } = exposed);
          sent = [...sent, ...exposed.waves];
        }
      },
    ),
    { numRuns: 30 },
  );
});
