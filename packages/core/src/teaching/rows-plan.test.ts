import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { fixtureExposure } from "../../test/fixture-exposure.ts";
import { teach } from "../../test/teach.ts";
import { compileProgram } from "../plan/compile.ts";
import type { Plan } from "../plan/plan.ts";
import { CURRENT_FEATURES } from "../policy/features.ts";
import type { Exposure, Notation } from "../symbols/exposure.ts";
import { foldWaves } from "../symbols/fold-waves.ts";
import { executableRows, type TaughtRow } from "./executable-rows.ts";

/** What keeps a row from doing what it says (TEACH-19), or nothing. */
function faultOf(exposure: Exposure, row: TaughtRow): string | null {
  const printed = compileProgram(row.printed, exposure);
  const codes = printed.kind === "errors" ? printed.errors.map(({ code }) => code) : [];
  if (codes.some((code) => code !== "placeholder")) return `${row.printed}: ${codes.join(", ")}`;
  if (printed.kind === "plan" && row.printed !== row.filled)
    return `${row.printed}: no placeholder`;
  const filled = compileProgram(row.filled, exposure);
  if (filled.kind === "errors") {
    return `${row.filled}: ${filled.errors.map(({ code, message }) => `${code} ${message}`).join()}`;
  }
  if (filled.kind !== "plan") return `${row.filled}: no plan`;
  return claimFault(filled.plan, row);
}

/** Whether the plan uses the row's own capability and gives the result the row states. */
function claimFault(plan: Plan, row: TaughtRow): string | null {
  const used = plan.nodes.some(
    (node) =>
      "capability" in node &&
      node.capability === row.capability &&
      (node.kind === "relation"
        ? node.relation === row.relation
        : node.catalog.entry_id === row.entity.entryId),
  );
  if (!used) return `${row.filled}: not by ${row.capability}`;
  if (row.result.kind !== "rows") return null;
  const returned = plan.nodes.find(({ id }) => id === plan.returns[0]?.node);
  const card = returned?.result.card === "many" ? "many" : "one";
  const fits = returned?.result.entity === row.result.entity.entity && card === row.result.card;
  return fits ? null : `${row.filled}: ${card} ${returned?.result.entity}`;
}

/**
 * The faults of all rows of a session, each read after the wave that taught it: a wire name may become
 * ambiguous with a later catalog, a symbol never does (TEACH-10).
 */
function faults(exposure: Exposure): readonly string[] {
  const { log, catalogs } = exposure;
  const after = log.map((_, at): Exposure => {
    const waves = log.slice(0, at + 1);
    return { ...exposure, log: waves, symbols: foldWaves(waves, catalogs) };
  });
  return executableRows(exposure, CURRENT_FEATURES).flatMap((row) => {
    const seen =
      exposure.notation === "symbols" ? [after[row.wave - 1], exposure] : [after[row.wave - 1]];
    return seen.flatMap((each) => (each === undefined ? [] : (faultOf(each, row) ?? [])));
  });
}

test.each<Notation>(["symbols", "names"])(
  "P20: every executable row of the fixtures plans to its own capability, in %s",
  (notation) => {
    const exposure = fixtureExposure(["quay", "orchard", "depot", "yard"], { notation });
    expect(executableRows(exposure, CURRENT_FEATURES).length).toBeGreaterThan(20);
    expect(faults(exposure)).toEqual([]);
  },
);

test("P20: every executable row of any catalog plans to its own capability", () => {
  const notation = fc.constantFrom<Notation>("symbols", "names");
  fc.assert(
    fc.property(arbitraryCatalogSet(), notation, (catalogs, spelled) => {
      const calls = [...catalogs.keys()].map((entryId) => [[entryId, ...ENTITIES] as const]);
      const { exposure } = teach(catalogs, calls, {
        notation: spelled,
        features: CURRENT_FEATURES,
      });
      expect(faults(exposure)).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 60_000);
