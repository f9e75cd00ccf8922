import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { teach, type Call } from "../../test/teach.ts";
import { compileProgram } from "../plan/compile.ts";
import type { Plan } from "../plan/plan.ts";
import { CURRENT_FEATURES } from "../policy/features.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { foldWaves } from "../symbols/fold-waves.ts";
import { executableRows, type TaughtRow } from "./executable-rows.ts";

const features = CURRENT_FEATURES;
const catalogs = fixtureCatalogs();
const QUAY: readonly Call[] = [
  [["quay", "Boat"]],
  [["quay", "Person", "Visit", "Log", "Paper", "Office"]],
];
const YARD: readonly Call[] = [[["yard", "Boat", "Part"]]];
const ORCHARD: readonly Call[] = [[["orchard", "Tree"]], [["orchard", "Harvest", "Plot"]]];
const DEPOT: readonly Call[] = [[["depot", "Crate", "Harvest"]]];

/** The plan of a program, or the codes of its errors. */
function outcome(program: string, exposure: Exposure): Plan | readonly string[] {
  const compiled = compileProgram(program, exposure, { features });
  if (compiled.kind === "plan") return compiled.plan;
  return compiled.kind === "errors" ? compiled.errors.map(({ code }) => code) : [compiled.kind];
}

/** What the plan of a row does, in the words of the row's claim. */
function claimOf(
  plan: Plan,
): Pick<TaughtRow, "result"> & { readonly capabilities: readonly string[] } {
  const node = plan.nodes.find(({ id }) => id === plan.returns[0]?.node);
  const entryId = node !== undefined && "catalog" in node ? node.catalog.entry_id : lastEntry(plan);
  const card = node?.result.card === "many" ? "many" : "one";
  return {
    capabilities: plan.nodes.flatMap((each) =>
      "capability" in each && each.capability !== null
        ? [`${each.catalog.entry_id}.${each.capability}`]
        : [],
    ),
    result: { kind: "rows", card, entity: { entryId, entity: node?.result.entity ?? "" } },
  };
}

function lastEntry(plan: Plan): string {
  return (
    plan.nodes.flatMap((each) => ("catalog" in each ? [each.catalog.entry_id] : [])).at(-1) ?? ""
  );
}

const sessions: readonly (readonly [string, readonly Call[], "symbols" | "names"])[] = [
  ["quay", QUAY, "symbols"],
  ["quay", QUAY, "names"],
  ["yard", YARD, "names"],
  ["orchard", ORCHARD, "symbols"],
  ["orchard", ORCHARD, "names"],
  ["depot", DEPOT, "names"],
  ["all four", [...QUAY, ...YARD, ...ORCHARD, ...DEPOT], "symbols"],
];

test.each(sessions)(
  "P20, TEACH-19, A5: every row of %s plans to what it claims (%#)",
  (_, calls, notation) => {
    const { exposure } = teach(catalogs, calls, { notation, features });
    const rows = executableRows(exposure, features);
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      const log = exposure.log.slice(0, row.wave);
      const then = { ...exposure, log, symbols: foldWaves(log, catalogs) };
      const plan = outcome(row.filled, then);
      if (!("nodes" in plan)) throw new Error(`${row.filled}: ${plan.join(", ")}`);
      const claim = claimOf(plan);
      const capability = row.capability === null ? [] : [`${row.entity.entryId}.${row.capability}`];
      expect({ row: row.filled, result: claim.result }).toEqual({
        row: row.filled,
        result: row.result,
      });
      expect(claim.capabilities).toEqual(expect.arrayContaining(capability));
      const asPrinted = outcome(row.printed, then);
      if (row.printed === row.filled) expect(asPrinted).toEqual(plan);
      else expect(new Set(asPrinted as readonly string[])).toEqual(new Set(["placeholder"]));
    }
  },
);
