import type { ComputeNode, PairOp, PlanNode, PlanPred, PlanValue } from "./ir.ts";
import type { BudgetName } from "../policy/policy.ts";
import type { EstimateContext } from "./bill/estimation.ts";
import { most } from "./bill/make-bill.ts";
import { opValues } from "./algebra.ts";

/** A unit of the budget `work` is about a microsecond of evaluation; prices are in tenths of one (PLAN-053). */
export const PIECES_A_UNIT = 10;

/**
 * What local work costs, in pieces of about a tenth of a microsecond each. The benchmark `work` measures them; they
 * are counted by what is done, never by a clock, so that the same run stops at the same place anywhere.
 */
export const WORK = Object.freeze({
  /** a condition tested on a row */
  condition: 1,
  /** a value of a list of `in`, before the first row */
  value: 3,
  /** a date that is read, besides */
  date: 10,
  /** a cell read as a key of a sort, a group or a distinct row */
  key: 2,
  /** two rows compared by a sort */
  comparison: 1,
  /** a cell taken into an aggregate */
  aggregate: 2,
  /** a cell of a projection, or of a row that a template sees */
  cell: 2,
  /** a part of a value of `=>` */
  computed: 10,
  /** a row that is joined */
  joined: 20,
  /** a step of a template */
  step: 2,
});

/** So many characters of a text cost a piece where conditions go through it. */
export const CHARACTERS_A_PIECE = 256;

/** What testing a predicate costs, in pieces. */
export interface PredWork {
  /** before the first row */
  readonly once: number;
  /** of each row, the characters of its texts aside */
  readonly each: number;
}

/** What conditions cost by their number, and the lists of `in` by their length, once they are known. */
export function predWork(pred: PlanPred): PredWork {
  let [once, each] = [0, 0];
  const visit = (part: PlanPred): void => {
    if ("and" in part) return part.and.forEach(visit);
    if ("or" in part) return part.or.forEach(visit);
    if ("not" in part) return visit(part.not);
    each += WORK.condition;
    once += WORK.condition;
    if ("test" in part) {
      each += partsOf(part.test) * WORK.computed;
      return;
    }
    if ("value" in part && !("lit" in part.value)) each += partsOf(part.value) * WORK.computed;
    if ("exists" in part || part.op !== "in" || !("lit" in part.value)) return;
    const { lit } = part.value;
    if (Array.isArray(lit)) once += lit.length * WORK.value;
  };
  visit(pred);
  return { once, each };
}

/** How many times two rows are compared to bring so many in order. */
export const comparisonsOf = (rows: number): number =>
  rows < 2 ? rows : Math.ceil(rows * Math.log2(rows));

/** What the local steps of a plan may cost, in units of the budget `work` (PLAN-053). */
export interface LocalWork {
  /** of all nodes together */
  readonly units: number;
  /** the node that costs most of it */
  readonly dearest: PlanNode | null;
}

/** The most steps that a template may take (LANG-082). */
const TEMPLATE_STEPS = 1_000_000;

/**
 * What a plan costs to evaluate, its reads aside: an estimate for as many rows as the budget has where their number is
 * not known. Texts count as short ones.
 */
export function localWork(
  nodes: readonly PlanNode[],
  context: Pick<EstimateContext, "of">,
  { rows: mostRows }: Readonly<Record<BudgetName, number>>,
): LocalWork {
  const rowsOf = (id: string): number => Math.min(most(context.of(id).rows) ?? mostRows, mostRows);
  let [units, dearest, highest] = [0, null as PlanNode | null, 0];
  for (const node of nodes) {
    const own = Math.ceil(piecesOf(node, rowsOf, mostRows) / PIECES_A_UNIT);
    units += own;
    if (own <= highest) continue;
    [dearest, highest] = [node, own];
  }
  return { units, dearest };
}

function piecesOf(node: PlanNode, rowsOf: (id: string) => number, mostRows: number): number {
  switch (node.kind) {
    case "query":
    case "search":
    case "relation":
      // How many rows are tested is not known of a list that gives those that match.
      return node.filter === null ? 0 : mostRows * predWork(node.filter).each;
    case "compute":
      if ("pair" in node.op) return pairPieces(node, node.op, rowsOf);
      return computePieces(node, rowsOf(node.source));
    case "derive": {
      const parts = node.columns.reduce((sum, [, value]) => sum + partsOf(value), 0);
      return rowsOf(node.source) * parts * WORK.computed;
    }
    case "join":
      return rowsOf(node.source) * WORK.joined;
    case "get":
    case "data":
    case "create":
    case "update":
    case "delete":
    case "action":
    case "for_each":
      return 0;
  }
}

/** The keys of both sides, and each row that is made of them. */
function pairPieces(node: ComputeNode, op: PairOp, rowsOf: (id: string) => number): number {
  const { keys, with: other } = op.pair;
  const computed = opValues(op).reduce((sum, each) => sum + partsOf(each), 0) * WORK.computed;
  const read = rowsOf(node.source) + rowsOf(other);
  return read * (keys.length * WORK.key + computed) + rowsOf(node.id) * WORK.joined;
}

function computePieces({ op }: ComputeNode, rows: number): number {
  const computed = "filter" in op ? 0 : opValues(op).reduce((sum, each) => sum + partsOf(each), 0);
  return rows * computed * WORK.computed + stepPieces(op, rows);
}

function stepPieces(op: ComputeNode["op"], rows: number): number {
  if ("filter" in op) return rows * predWork(op.filter).each;
  if ("sort" in op) {
    return rows * op.sort.length * WORK.key + comparisonsOf(rows) * WORK.comparison;
  }
  if ("distinct" in op) return rows * Math.max(1, op.distinct.length) * WORK.key;
  if ("project" in op) return rows * op.project.length * WORK.cell;
  if ("aggregate" in op) return rows * op.aggregate.length * WORK.aggregate;
  if ("group_by" in op) {
    const { keys, aggs } = op.group_by;
    return rows * (keys.length * WORK.key + aggs.length * WORK.aggregate);
  }
  if (!("render" in op)) return 0;
  const tags = op.render.text.match(/\{[{%]/g)?.length ?? 0;
  return Math.min(TEMPLATE_STEPS, rows * tags) * WORK.step;
}

/** How many parts a value has. */
function partsOf(value: PlanValue): number {
  const sum = (values: readonly PlanValue[]): number =>
    values.reduce((parts, each) => parts + partsOf(each), 1);
  if ("list" in value) return sum(value.list);
  if ("obj" in value) return sum(Object.values(value.obj));
  if ("args" in value) return sum(value.args);
  return "ref" in value ? sum(Object.values(value.ref.key)) : 1;
}
