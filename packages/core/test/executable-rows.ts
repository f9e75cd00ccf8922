import type { EntityKey } from "../src/catalog/federation.ts";
import type { Features } from "../src/policy/policy.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { fillCell, printCell } from "../src/teaching/cell.ts";
import type { ExecutableRow, RowKind, RowResult, TableRow } from "../src/teaching/row.ts";
import { TeachingSession } from "../src/teaching/teaching-session.ts";

/** A row of a table that is a program, with what it claims (TEACH-19). */
export interface TaughtRow {
  /** number of the wave that taught it, from 1 */
  readonly wave: number;
  readonly kind: RowKind;
  /** the left cell as printed: its only error must be `placeholder` */
  readonly printed: string;
  /** the same with samples in place of `$` and `..`: it must plan without error */
  readonly filled: string;
  readonly entity: EntityKey;
  /** the capability the plan must use; null where a relation's rows come with their parent's */
  readonly capability: string | null;
  readonly relation: string | null;
  readonly result: RowResult;
}

/** All executable rows that the waves of a session taught, in order (TEACH-19, P20). */
export function executableRows(exposure: Exposure, features: Features): readonly TaughtRow[] {
  const { log, catalogs, notation, policy, readOnly = false } = exposure;
  const session = new TeachingSession({ catalogs, notation, policy, readOnly, features });
  return log.flatMap((entry, at) => {
    const { rows } = session.teach(entry, null).rows;
    return rows.filter(isExecutable).map((row): TaughtRow => {
      const { kind, left, entity, capability, relation, result } = row;
      const [printed, filled] = [printCell(left), fillCell(left)];
      return { wave: at + 1, kind, printed, filled, entity, capability, relation, result };
    });
  });
}

function isExecutable(row: TableRow): row is ExecutableRow {
  return row.kind !== "slot" && row.kind !== "retyped" && row.kind !== "no_reads";
}
