import { isEffect } from "../../check/effects/note-effect.ts";
import { conjuncts } from "../../check/reads/keyed-conditions.ts";
import type { ListRows, RelationRows, Rows, TypedPred } from "../../check/typed-program.ts";
import { rowSource, valueSources } from "./rows-graph.ts";

/** A read with the filters and the limit that reach it (PLAN-003). */
export interface Fused {
  readonly head: ListRows | RelationRows;
  /** the last step that reached it: what the read stands for */
  readonly top: Rows;
  /** every step from the head to the top */
  readonly steps: readonly Rows[];
  readonly conditions: readonly TypedPred[];
  readonly limit: number | null;
}

/**
 * For each list and relation the adjacent filters, then one limit, that each are the only use of what
 * is before them (PLAN-003, LANG-029), by the step the read then stands for.
 */
export function fuseReads(
  order: readonly Rows[],
  roots: readonly Rows[],
): ReadonlyMap<Rows, Fused> {
  const uses = usesOf(order, roots);
  const fused = new Map<Rows, Fused>();
  for (const rows of order) {
    if (rows.kind !== "list" && rows.kind !== "relation") continue;
    const read = fuse(rows, uses);
    fused.set(read.top, read);
  }
  return fused;
}

type Uses = ReadonlyMap<Rows, readonly (Rows | null)[]>;

/** Which steps use which rows; null stands for a result of the program. */
function usesOf(order: readonly Rows[], roots: readonly Rows[]): Uses {
  const uses = new Map<Rows, (Rows | null)[]>();
  const use = (rows: Rows, by: Rows | null): void => {
    const known = uses.get(rows);
    if (known === undefined) uses.set(rows, [by]);
    else known.push(by);
  };
  for (const rows of order) {
    const source = rowSource(rows);
    if (source !== null) use(source, rows);
    for (const each of new Set(valueSources(rows))) use(each, rows);
  }
  for (const root of new Set(roots)) use(root, null);
  return uses;
}

function onlyUse(uses: Uses, rows: Rows): Rows | null {
  const by = uses.get(rows) ?? [];
  const [only] = by;
  return by.length === 1 && only !== undefined ? only : null;
}

function fuse(head: ListRows | RelationRows, uses: Uses): Fused {
  let top: Rows = head;
  const conditions: TypedPred[] = [];
  const steps: Rows[] = [head];
  let next = onlyUse(uses, top);
  while (next?.kind === "filter" && next.source === top && reaches(next, head)) {
    conditions.push(...conjuncts(next.pred));
    top = next;
    steps.push(top);
    next = onlyUse(uses, top);
  }
  const between: Rows[] = [];
  while (next?.kind === "page_size" && next.source === (between.at(-1) ?? top)) {
    between.push(next);
    next = onlyUse(uses, next);
  }
  if (next?.kind === "limit" && next.source === (between.at(-1) ?? top)) {
    return { head, top: next, steps: [...steps, ...between, next], conditions, limit: next.n };
  }
  return { head, top, steps, conditions, limit: null };
}

/** A filter reaches a read only if what fills its values is there when the read is sent (PLAN-004). */
function reaches(filter: Rows, head: Rows): boolean {
  return valueSources(filter).every((each) => {
    const known = isEffect(each) ? each.stage + 1 : each.stage;
    return known <= head.stage;
  });
}
