import assert from "node:assert/strict";
import fc from "fast-check";
import { pureProperty } from "@plasm/testkit";
import { ALL_FEATURES, CURRENT_FEATURES } from "../../src/policy/policy.ts";
import { arbitraryCatalogSet, ENTITIES } from "../arbitrary-catalog.ts";
import { type RowCheck, rowChecks } from "../row-faults.ts";
import { teach } from "../teach.ts";

/** Sessions are dear and rows are cheap: this many rows are tried of one session before the next. */
const TRIED = 100;

interface Session {
  /** of the catalogs: with it they can be made again */
  readonly seed: number;
  readonly features: "current" | "all";
  readonly notation: "symbols" | "names";
}

/** Draws a value anew for every {@link TRIED} runs; it is not made smaller, as it belongs to many runs. */
function lasting<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  let runs = 0;
  let value: Value | undefined;
  const drawn = arbitrary.map((fresh) => {
    if (runs % TRIED === 0) value = fresh;
    runs += 1;
    return value ?? fresh;
  });
  return fc.noShrink(drawn);
}

function checksOf({ seed, features, notation }: Session): readonly RowCheck[] {
  const [catalogs] = fc.sample(arbitraryCatalogSet(), { seed, numRuns: 1 });
  if (catalogs === undefined) throw new Error("no catalogs");
  const enabled = features === "all" ? ALL_FEATURES : CURRENT_FEATURES;
  const calls = [...catalogs.keys()].map((entryId) => [[entryId, ...ENTITIES] as const]);
  const { exposure } = teach(catalogs, calls, { notation, features: enabled });
  return rowChecks(exposure, enabled);
}

export const taughtRows = pureProperty({
  key: "P20-rows",
  says: "every executable row of any catalog plans, to its own capability and stated result",
  runs: 2500,
  holds: () => {
    const session = fc.record({
      seed: fc.integer(),
      features: fc.constantFrom("current" as const, "all" as const),
      notation: fc.constantFrom("symbols" as const, "names" as const),
    });
    let open: Session | undefined;
    let checks: readonly RowCheck[] = [];
    return fc.property(lasting(session), fc.nat(), (drawn, pick) => {
      if (drawn !== open) checks = checksOf(drawn);
      open = drawn;
      const fault = checks[pick % Math.max(1, checks.length)]?.();
      assert.equal(fault ?? null, null);
    });
  },
});

export const properties = [taughtRows];
