import { compileProgram } from "../src/plan/compile.ts";
import type { Plan } from "../src/plan/ir.ts";
import type { Features } from "../src/policy/policy.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { foldWaves } from "../src/symbols/waves.ts";
import { executableRows, type TaughtRow } from "./executable-rows.ts";

/** What keeps a row from doing what it says (TEACH-19), or nothing. */
function faultOf(exposure: Exposure, row: TaughtRow, features: Features): string | null {
  const printed = compileProgram(row.printed, exposure, { features });
  const codes = printed.kind === "errors" ? printed.errors.map(({ code }) => code) : [];
  if (codes.some((code) => code !== "placeholder")) return `${row.printed}: ${codes.join(", ")}`;
  if (printed.kind === "plan" && row.printed !== row.filled)
    return `${row.printed}: no placeholder`;
  const filled = compileProgram(row.filled, exposure, { features });
  if (filled.kind === "errors") {
    return `${row.filled}: ${filled.errors.map(({ code, message }) => `${code} ${message}`).join()}`;
  }
  if (filled.kind !== "plan") return `${row.filled}: no plan`;
  return isMutation(row) ? effectFault(filled.plan, row) : claimFault(filled.plan, row);
}

export function isMutation({ kind }: TaughtRow): boolean {
  return kind === "create" || kind === "method";
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

/** Whether a plan is one effect, the row's own, that reads nothing and answers as the row states. */
function effectFault({ nodes }: Plan, row: TaughtRow): string | null {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) return `${row.filled}: ${nodes.length} nodes`;
  const own =
    "capability" in node &&
    node.capability === row.capability &&
    node.catalog.entry_id === row.entity.entryId &&
    (node.effect_class === "write" || node.effect_class === "side_effect");
  if (!own) return `${row.filled}: not by ${row.capability}`;
  const { card, entity, columns } = node.result;
  const found = JSON.stringify({ card, entity, columns });
  switch (row.result.kind) {
    case "rows": {
      const fits =
        card === row.result.card && entity === row.result.entity.entity && columns === null;
      return fits ? null : `${row.filled}: ${found}`;
    }
    case "open":
      return entity === null && columns?.length === 0 ? null : `${row.filled}: ${found}`;
    case "nothing":
      return JSON.stringify(columns) === '[["ok","bool"]]' ? null : `${row.filled}: ${found}`;
  }
}

/** Compiles a row and says what keeps it from doing what it says (TEACH-19), or null. */
export type RowCheck = () => string | null;

/**
 * One check for each row of a session, read after the wave that taught it and, in symbols, after the
 * last: a wire name may become ambiguous with a later catalog, a symbol never does (TEACH-10).
 */
export function rowChecks(exposure: Exposure, features: Features): readonly RowCheck[] {
  const { log, catalogs } = exposure;
  const after = log.map((_, at): Exposure => {
    const waves = log.slice(0, at + 1);
    return { ...exposure, log: waves, symbols: foldWaves(waves, catalogs) };
  });
  return executableRows(exposure, features).flatMap((row) => {
    const then = after[row.wave - 1];
    const seen = exposure.notation === "symbols" ? [then, exposure] : [then];
    return seen.flatMap((each) =>
      each === undefined ? [] : [(): string | null => faultOf(each, row, features)],
    );
  });
}

/** The faults of all rows of a session. */
export function rowFaults(exposure: Exposure, features: Features): readonly string[] {
  return rowChecks(exposure, features).flatMap((check) => check() ?? []);
}
