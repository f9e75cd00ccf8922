import type { CheckContext } from "../../check/check-context.ts";
import { isEffect } from "../../check/effects/note-effect.ts";
import { chooseList } from "../../check/reads/choose-list.ts";
import { conjuncts } from "../../check/reads/keyed-conditions.ts";
import { keyedRead } from "../../check/reads/keyed-read.ts";
import { isFaulty } from "../../check/reads/list-candidates.ts";
import type {
  FilterRows,
  JoinRows,
  ListRows,
  RelationRows,
  Rows,
  SemiJoin,
  TypedPred,
} from "../../check/typed-program.ts";
import { valueSources } from "./rows-graph.ts";
import { onlyUse, type Uses } from "./uses.ts";

/** A read with the filters and the limit that reach it (PLAN-003). */
export interface Fused {
  readonly head: ListRows | RelationRows;
  /** the last step that reached it: what the read stands for */
  readonly top: Rows;
  /** every step from the head to the top */
  readonly steps: readonly Rows[];
  readonly conditions: readonly TypedPred[];
  readonly limit: number | null;
  /** joins that what is sent made needless; some step further on may read what they fetch */
  readonly joins: readonly JoinRows[];
}

/**
 * For each list and relation the adjacent filters, then one limit, that each are the only use of what
 * is before them (PLAN-003, LANG-029), by the step the read then stands for. A filter on fields of
 * another entity reaches the list if identities can be sent in its place (RUN-114).
 */
export function fuseReads(
  context: CheckContext,
  order: readonly Rows[],
  uses: Uses,
): ReadonlyMap<Rows, Fused> {
  const fused = new Map<Rows, Fused>();
  for (const rows of order) {
    if (rows.kind !== "list" && rows.kind !== "relation") continue;
    const read = fuse(context, rows, uses);
    fused.set(read.top, read);
  }
  return fused;
}

function fuse(context: CheckContext, head: ListRows | RelationRows, uses: Uses): Fused {
  let top: Rows = head;
  const conditions: TypedPred[] = [];
  const steps: Rows[] = [head];
  const joins: JoinRows[] = [];
  for (;;) {
    const next = onlyUse(uses, top);
    if (next?.kind === "filter" && next.source === top && reaches(next, head)) {
      conditions.push(...conjuncts(next.pred));
      steps.push(next);
      top = next;
      continue;
    }
    const semi: SemiFilter | null = next === null ? null : semiFilter(uses, next, top);
    if (semi === null || head.kind !== "list" || !reaches(semi.filter, head)) break;
    const { condition } = semi.instead;
    if (!isSent(context, head, conditions, condition)) break;
    conditions.push(condition);
    joins.push(...semi.joins);
    steps.push(...semi.joins, semi.filter);
    top = semi.filter;
  }
  const between: Rows[] = [];
  let next = onlyUse(uses, top);
  while (next?.kind === "page_size" && next.source === (between.at(-1) ?? top)) {
    between.push(next);
    next = onlyUse(uses, next);
  }
  if (next?.kind === "limit" && next.source === (between.at(-1) ?? top)) {
    const all = [...steps, ...between, next];
    return { head, top: next, steps: all, conditions, limit: next.n, joins };
  }
  return { head, top, steps, conditions, limit: null, joins };
}

interface SemiFilter {
  readonly joins: readonly JoinRows[];
  readonly filter: FilterRows;
  readonly instead: SemiJoin;
}

/** Joins, each the only use of the one before, and the filter on them that something may stand for. */
function semiFilter(uses: Uses, first: Rows, source: Rows): SemiFilter | null {
  const joins: JoinRows[] = [];
  let before = source;
  let next: Rows | null = first;
  while (next?.kind === "join" && next.source === before) {
    joins.push(next);
    before = next;
    next = onlyUse(uses, next);
  }
  if (next?.kind !== "filter" || next.source !== before || next.instead === undefined) return null;
  return { joins, filter: next, instead: next.instead };
}

/** Whether the list that all conditions choose is sent this one (RUN-114). */
function isSent(
  context: CheckContext,
  head: ListRows,
  conditions: readonly TypedPred[],
  condition: TypedPred,
): boolean {
  const all = [...conditions, condition];
  if (all.some(isFaulty) || keyedRead(context, head, all) !== null) return false;
  const { search, args } = head;
  const question = { conditions: all, search, args, anchored: new Set<string>() };
  const choice = chooseList(context, head.entity, question, head.by);
  return choice.kind === "chosen" && !choice.list.local.includes(condition);
}

/** A filter reaches a read only if what fills its values is there when the read is sent (PLAN-004). */
function reaches(filter: Rows, head: Rows): boolean {
  return valueSources(filter).every((each) => {
    const known = isEffect(each) ? each.stage + 1 : each.stage;
    return known <= head.stage;
  });
}
