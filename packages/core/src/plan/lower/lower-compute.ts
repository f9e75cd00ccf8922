import { canonicalJson } from "../../base/canonical-json.ts";
import { compareCodePoints } from "../../base/text.ts";
import { catalogOf } from "../../catalog/federation.ts";
import { isFaulty, isTestable, listsOnly, unlisted } from "../../check/reads/list-candidates.ts";
import { readTooLate, unlistedCondition } from "../../check/reads/list-problems.ts";
import type {
  AggregateRows,
  DistinctRows,
  GroupByRows,
  LimitRows,
  PairRows,
  ProjectRows,
  Rows,
  SingletonRows,
  SortRows,
  TypedAgg,
  TypedColumn,
  TypedPred,
} from "../../check/typed-program.ts";
import { cellPaths, isPath, opValues } from "../algebra.ts";
import type { ComputeOp, PlanAgg, PlanColumn, PlanPred } from "../ir.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { type ValueLowering, planValue, valueInputs } from "./plan-value.ts";
import type { Draft } from "./rows-graph.ts";

/**
 * Reports conditions that would be tested without the rows that the list behind them leaves out (RUN-112), wherever they
 * stand behind it; gives whether there were any. Of a limit the rows that it gave are meant.
 */
export function testsLeftOutRows(
  lowering: Lowering,
  { type, span }: Rows,
  source: string,
  conditions: readonly TypedPred[],
): boolean {
  const { context, drafts } = lowering;
  const list = type.entity === null ? null : listBehind(drafts.get(source), (id) => drafts.get(id));
  if (list === null || type.entity === null) return false;
  const { node, read } = list;
  if (!("capability" in node) || node.capability === null) return false;
  const { cgs } = catalogOf(context.exposure.catalogs, node.catalog.entry_id);
  const capability = cgs.capabilities.get(node.capability);
  if (capability?.listsOnly === undefined || capability.entity !== type.entity.entity) return false;
  const isGiven = (name: string): boolean => name in node.args || read?.bound?.has(name) === true;
  const only = listsOnly(capability, isGiven);
  const place = { entity: type.entity, nameSpan: span };
  const found = conditions.flatMap((pred) => unlisted(only, pred) ?? []);
  for (const each of found)
    context.found.add(unlistedCondition(context, place, { capability }, each));
  return found.length > 0;
}

/** The list whose rows a node keeps, all of them; null where there is none. */
function listBehind(from: Draft, draft: (id: string) => Draft): Draft | null {
  let at = from;
  for (;;) {
    const { node } = at;
    if (node.kind === "join") at = draft(node.source);
    else if (node.kind === "compute" && keepsRows(node.op)) at = draft(node.source);
    else if (node.kind === "query" || node.kind === "search" || node.kind === "relation") {
      return node.limit === null ? at : null;
    } else return null;
  }
}

const keepsRows = (op: object): boolean =>
  "filter" in op || "sort" in op || "project" in op || "distinct" in op;

/** A filter node over `source`; the source itself if there are no conditions. */
export function filterNode(
  lowering: Lowering,
  rows: Rows,
  source: string,
  stage: number,
  conditions: readonly TypedPred[],
): string {
  const filter = planPred(lowering, conditions);
  if (filter === null) return source;
  return computeNode(lowering, rows, source, stage, { filter }, predInputs(filter));
}

/** Whether conditions can be tested on rows; reports those that only a request could test (RUN-112). */
export function areTestable(
  lowering: Lowering,
  rows: Rows,
  conditions: readonly TypedPred[],
): boolean {
  if (conditions.some(isFaulty)) return false;
  const refused = conditions.filter((pred) => !isTestable(pred));
  for (const pred of refused) lowering.context.found.add(readTooLate(lowering.context, rows, pred));
  return refused.length === 0;
}

/** Steps that compute with the rows of their source alone. */
export type ComputedRows =
  | LimitRows
  | SortRows
  | ProjectRows
  | SingletonRows
  | DistinctRows
  | AggregateRows
  | GroupByRows
  | PairRows;

export function lowerStep(lowering: Lowering, rows: ComputedRows): string {
  const op = operation(lowering, rows);
  const source = lowering.idOf(rows.source);
  const other = "pair" in op ? [op.pair.with] : [];
  const inputs = [...other, ...opValues(op).flatMap(valueInputs)];
  return computeNode(lowering, rows, source, rows.stage, op, inputs);
}

function planColumn(lowering: ValueLowering, column: TypedColumn): PlanColumn {
  return isPath(column) ? column : planValue(lowering, column);
}

function planAgg(lowering: ValueLowering, agg: TypedAgg): PlanAgg {
  const path = agg.path === null ? null : planColumn(lowering, agg.path);
  return { as: agg.as, fn: agg.fn, path };
}

function operation(lowering: Lowering, rows: ComputedRows): ComputeOp {
  switch (rows.kind) {
    case "limit":
      return { limit: rows.n };
    case "sort": {
      const first = lowering.firstOf(rows);
      const sort = rows.keys.map(({ path, desc }) => ({ path: planColumn(lowering, path), desc }));
      return first === undefined ? { sort } : { sort, first };
    }
    case "project":
      return { project: rows.paths };
    case "singleton":
      return { singleton: true };
    case "distinct": {
      const distinct = rows.paths.map((path) => planColumn(lowering, path));
      return rows.keep === 1 ? { distinct } : { distinct, keep: rows.keep };
    }
    case "pair": {
      const keys = rows.pairs.map(({ left, right, on }) => ({
        left: planColumn(lowering, left),
        right: planColumn(lowering, right),
        on,
      }));
      const { as, keepsLeft: left } = rows;
      return { pair: { with: lowering.idOf(rows.right), as, keys, left, wanted: [] } };
    }
    case "aggregate":
      return { aggregate: rows.aggs.map((agg) => planAgg(lowering, agg)) };
    case "group_by":
      return {
        group_by: {
          keys: rows.keys.map((key) =>
            "as" in key ? { as: key.as, value: planValue(lowering, key.value) } : key,
          ),
          aggs: rows.aggs.map((agg) => planAgg(lowering, agg)),
        },
      };
  }
}

/** Adds a compute node whose result is that of `rows`. */
export function computeNode(
  lowering: Lowering,
  rows: Rows,
  source: string,
  stage: number,
  op: ComputeOp,
  further: readonly string[] = [],
): string {
  const result = resultType(lowering.exposure, rows.type);
  const effect_class = "local";
  return lowering.drafts.add(
    { id: "", kind: "compute", effect_class, stage, source, op, result },
    [source, ...further],
    rows,
  );
}

/**
 * Conditions in normal form (PLAN-003): flattened, deduplicated, sorted by canonical text, double
 * negation removed. Null if there are none.
 */
export function planPred(lowering: ValueLowering, preds: readonly TypedPred[]): PlanPred | null {
  const items = preds.map((pred) => lowered(lowering, pred));
  const whole = group(
    "and",
    items.filter((item) => item !== null),
  );
  return "and" in whole && whole.and.length === 0 ? null : whole;
}

function lowered(lowering: ValueLowering, pred: TypedPred): PlanPred | null {
  switch (pred.kind) {
    case "and":
      return planPred(lowering, pred.items);
    case "or": {
      const items = pred.items.map((item) => lowered(lowering, item) ?? { and: [] });
      return group("or", items);
    }
    case "not": {
      const inner = lowered(lowering, pred.pred) ?? { and: [] };
      return "not" in inner ? inner.not : { not: inner };
    }
    case "exists":
      return { exists: pred.path };
    case "test":
      return { test: planValue(lowering, pred.value) };
    case "condition": {
      if (pred.tested === null) throw new Error("A condition without column is not tested.");
      return { op: pred.op, path: pred.path, value: planValue(lowering, pred.tested) };
    }
    case "bad":
      throw new Error("A condition in error has no plan.");
  }
}

/** One group of conditions: nested groups of its kind flattened, equal ones once, a single one bare. */
function group(kind: "and" | "or", items: readonly PlanPred[]): PlanPred {
  const flat = items.flatMap((item) => {
    if (kind === "and" && "and" in item) return item.and;
    return kind === "or" && "or" in item ? item.or : [item];
  });
  const byText = new Map(flat.map((item) => [canonicalJson(item), item]));
  const sorted = [...byText]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([, item]) => item);
  const [only] = sorted;
  if (only !== undefined && sorted.length === 1) return only;
  return kind === "and" ? { and: sorted } : { or: sorted };
}

/** The ids of nodes a condition's values are filled from. */
export function predInputs(pred: PlanPred | null): readonly string[] {
  if (pred === null) return [];
  if ("and" in pred) return pred.and.flatMap(predInputs);
  if ("or" in pred) return pred.or.flatMap(predInputs);
  if ("not" in pred) return predInputs(pred.not);
  if ("exists" in pred) return [];
  return valueInputs("test" in pred ? pred.test : pred.value);
}

/** The paths a condition reads. */
export function conditionPaths(pred: PlanPred | null): readonly (readonly string[])[] {
  if (pred === null) return [];
  if ("and" in pred) return pred.and.flatMap(conditionPaths);
  if ("or" in pred) return pred.or.flatMap(conditionPaths);
  if ("not" in pred) return conditionPaths(pred.not);
  if ("exists" in pred) return [pred.exists];
  if ("test" in pred) return cellPaths(pred.test);
  return [pred.path, ...cellPaths(pred.value)];
}
