import type { CheckContext } from "../check-context.ts";
import { conjuncts } from "../reads/keyed-conditions.ts";
import { keyedRead } from "../reads/keyed-read.ts";
import type { FilterRows, JoinRows, Rows, TypedPred, TypedValue } from "../typed-program.ts";

/** A body, and the steps of it that run once behind all its rows, innermost first. */
export interface SplitBody {
  readonly body: Rows;
  readonly after: readonly (FilterRows | JoinRows)[];
}

/**
 * A body as one read per row, and what is tested behind it: conditions on fields of other entities, and
 * those beside a whole key, which no read takes (LANG-071). The rows are the same, since neither adds
 * any. Null if what would be behind reads the row the `=>` is at.
 */
export function splitBody(context: CheckContext, made: Rows): SplitBody | null {
  const after: (FilterRows | JoinRows)[] = [];
  let at = made;
  while (at.kind === "join" || (at.kind === "filter" && isBehindJoin(at))) {
    after.unshift(at);
    at = at.source;
  }
  const keyed = splitKey(context, at);
  const steps = keyed === null ? after : [keyed.rest, ...after];
  const isFree = steps.every((step) => step.kind === "join" || !readsCursor(step.pred));
  return isFree ? { body: keyed?.body ?? at, after: steps } : null;
}

function isBehindJoin(rows: FilterRows): boolean {
  let at: Rows = rows;
  while (at.kind === "filter") at = at.source;
  return at.kind === "join";
}

/** Conditions that name a key, and those beside it (LANG-027); null where there are no two such parts. */
function splitKey(
  context: CheckContext,
  rows: Rows,
): { readonly body: Rows; readonly rest: FilterRows } | null {
  if (rows.kind !== "filter") return null;
  const conditions: TypedPred[] = [];
  let at: Rows = rows;
  while (at.kind === "filter") {
    conditions.push(...conjuncts(at.pred));
    at = at.source;
  }
  const keyed = at.kind === "list" ? keyedRead(context, at, conditions) : null;
  if (keyed === null || keyed.rest.length === 0) return null;
  const rest = new Set(keyed.rest);
  const own = conditions.filter((each) => !rest.has(each));
  const body: FilterRows = { ...rows, source: at, pred: { kind: "and", items: own } };
  return { body, rest: { ...rows, source: body, pred: { kind: "and", items: keyed.rest } } };
}

function readsCursor(pred: TypedPred): boolean {
  switch (pred.kind) {
    case "and":
    case "or":
      return pred.items.some(readsCursor);
    case "not":
      return readsCursor(pred.pred);
    case "condition": {
      const values = [pred.tested, ...[...pred.sendable.values()].map(({ value }) => value)];
      return values.some((value) => value !== null && isOfCursor(value));
    }
    case "exists":
    case "bad":
      return false;
  }
}

function isOfCursor(value: TypedValue): boolean {
  switch (value.kind) {
    case "cursor":
      return true;
    case "ref":
      return [...value.key.values()].some(isOfCursor);
    case "list":
      return value.items.some(isOfCursor);
    case "object":
      return [...value.entries.values()].some(isOfCursor);
    case "lit":
    case "dec":
    case "now":
    case "hole":
    case "placeholder":
      return false;
  }
}
