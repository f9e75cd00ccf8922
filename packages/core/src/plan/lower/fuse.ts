import type { CheckContext } from "../../check/check-context.ts";
import { runsEffect } from "../../check/effects/effect-rows.ts";
import { conjuncts } from "../../check/reads/choose-list.ts";
import type {
  AggregateRows,
  FilterRows,
  JoinRows,
  ListRows,
  RelationRows,
  Rows,
  TypedPred,
} from "../../check/typed-program.ts";
import { type FirstRows, firstRows } from "./api-order.ts";
import { type Uses, onlyUse, valueSources } from "./rows-graph.ts";
import { type ForeignRead, type SemiJoins, semiJoins } from "./semi-joins.ts";

/** A read with the filters and the limit that reach it (PLAN-003). */
export interface Fused {
  readonly head: ListRows | RelationRows;
  /** the last step that reached it: what the read stands for */
  readonly top: Rows;
  /** every step from the head to the top */
  readonly steps: readonly Rows[];
  readonly conditions: readonly TypedPred[];
  readonly limit: number | null;
  /** the rows of it that are read where the API sorts them */
  readonly first: FirstRows | null;
  /** the step that counts its rows, and nothing else of them is used */
  readonly count: AggregateRows | null;
  /** lists of referenced entities whose identities are sent (RUN-114) */
  readonly foreign: readonly ForeignRead[];
  /** joins of filters on referenced rows; some may be needless where identities are sent */
  readonly joins: readonly JoinRows[];
  /** what is left to test behind the joins */
  readonly rest: readonly TypedPred[];
}

/** A read that is sent what it is written with. */
export const NOTHING_SENT = Object.freeze({
  first: null,
  count: null,
  foreign: [],
  joins: [],
  rest: [],
});

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
  const own: TypedPred[] = [];
  const steps: Rows[] = [head];
  let next = onlyUse(uses, top);
  while (next?.kind === "filter" && next.source === top && reaches(next, head)) {
    own.push(...conjuncts(next.pred));
    top = next;
    steps.push(top);
    next = onlyUse(uses, top);
  }
  const semi = head.kind === "list" ? semiFused(context, head, own, uses, top) : null;
  if (semi !== null) {
    steps.push(...semi.steps);
    top = semi.top;
  }
  const { foreign = [], sent = [], rest = [], joins = [] } = semi ?? {};
  const conditions = [...own, ...sent];
  const read = { head, conditions, first: null, count: null, foreign, rest, joins };
  // What is left to test stands between the list and a limit.
  if (rest.length > 0) return { ...read, top, steps, limit: null };
  const between: Rows[] = [];
  next = onlyUse(uses, top);
  while (next?.kind === "page_size" && next.source === (between.at(-1) ?? top)) {
    between.push(next);
    next = onlyUse(uses, next);
  }
  if (next?.kind === "limit" && next.source === (between.at(-1) ?? top)) {
    return { ...read, top: next, steps: [...steps, ...between, next], limit: next.n };
  }
  const count = joins.length === 0 ? countOf(uses, top) : null;
  return { ...read, top, steps, limit: null, first: firstRows(uses, top), count };
}

/** The step behind a read that counts its rows, if it is the only use of them and asks for nothing else. */
function countOf(uses: Uses, top: Rows): AggregateRows | null {
  const step = onlyUse(uses, top);
  if (step?.kind !== "aggregate" || step.source !== top || step.stage !== top.stage) return null;
  return step.aggs.every(({ fn, path }) => fn === "count" && path === null) ? step : null;
}

interface SemiFused extends SemiJoins {
  readonly joins: readonly JoinRows[];
  readonly steps: readonly Rows[];
  readonly top: FilterRows;
}

/** The filters on referenced rows right behind a list, if identities can be sent for any of them. */
function semiFused(
  context: CheckContext,
  head: ListRows,
  own: readonly TypedPred[],
  uses: Uses,
  from: Rows,
): SemiFused | null {
  const chain: (FilterRows | JoinRows)[] = [];
  let before = from;
  let next = onlyUse(uses, before);
  while (
    next !== null &&
    (next.kind === "join" || next.kind === "filter") &&
    next.source === before &&
    reaches(next, head)
  ) {
    chain.push(next);
    before = next;
    next = onlyUse(uses, next);
  }
  // Joins behind the last filter are of the steps that follow.
  const steps = chain.slice(0, chain.findLastIndex(({ kind }) => kind === "filter") + 1);
  const filters = steps.filter((step) => step.kind === "filter");
  const top = filters.at(-1);
  if (top === undefined) return null;
  const found = semiJoins(context, head, own, filters);
  const joins = steps.filter((step) => step.kind === "join");
  return found.sent.length === 0 ? null : { ...found, joins, steps, top };
}

/** A filter reaches a read only if what fills its values is there when the read is sent (PLAN-004). */
function reaches(filter: Rows, head: Rows): boolean {
  return valueSources(filter).every((each) => {
    const known = runsEffect(each) ? each.stage + 1 : each.stage;
    return known <= head.stage;
  });
}

/** Adjacent filters, which are one (LANG-029), with the joins that they and those between them read. */
export interface FilterBlock {
  readonly top: FilterRows;
  readonly base: Rows;
  /** every step from behind the base to the top */
  readonly steps: readonly (FilterRows | JoinRows)[];
}

/**
 * The filters that no read takes, each with those before it that it is the only use of, by the last
 * one (PLAN-003). `taken` are steps that belong to reads.
 */
export function filterBlocks(
  order: readonly Rows[],
  uses: Uses,
  taken: ReadonlySet<Rows>,
): ReadonlyMap<Rows, FilterBlock> {
  const blocks = new Map<Rows, FilterBlock>();
  const inside = new Set<Rows>();
  for (const top of order.toReversed()) {
    if (top.kind !== "filter" || taken.has(top) || inside.has(top)) continue;
    const steps: (FilterRows | JoinRows)[] = [top];
    let above: FilterRows | JoinRows = top;
    let at: Rows = top.source;
    while (
      (at.kind === "filter" || at.kind === "join") &&
      !taken.has(at) &&
      at.stage === top.stage &&
      onlyUse(uses, at) === above
    ) {
      steps.unshift(at);
      inside.add(at);
      above = at;
      at = at.source;
    }
    blocks.set(top, { top, base: at, steps });
  }
  return blocks;
}
