import { isPath } from "./algebra.ts";
import type {
  ComputeOp,
  ForEachBody,
  PlanAgg,
  PlanColumn,
  PlanNode,
  PlanValue,
  PlanPred,
} from "./ir.ts";
import { renameRender } from "./lower/lower-rows.ts";

type Rename = (id: string) => string;
type Values = Readonly<Record<string, PlanValue>>;

/** A node with every id in it given its final name. */
export function renameNode(node: PlanNode, to: Rename): PlanNode {
  const id = to(node.id);
  switch (node.kind) {
    case "query":
    case "search":
      return {
        ...node,
        id,
        args: renameValues(node.args, to),
        filter: renamePred(node.filter, to),
      };
    case "get":
      return { ...node, id, key: renameValues(node.key, to), args: renameValues(node.args, to) };
    case "relation":
      return {
        ...node,
        id,
        ...(node.source === undefined ? {} : { source: to(node.source) }),
        ...(node.anchor === undefined ? {} : { anchor: renameValues(node.anchor, to) }),
        args: renameValues(node.args, to),
        filter: renamePred(node.filter, to),
      };
    case "join":
      return {
        ...node,
        id,
        source: to(node.source),
        args: renameValues(node.args, to),
        ...(node.totals === undefined
          ? {}
          : { totals: { ...node.totals, filter: renamePred(node.totals.filter, to) } }),
      };
    case "compute":
      return { ...node, id, source: to(node.source), op: renameOp(node.op, to) };
    case "data":
      return { ...node, id, value: renameValue(node.value, to) };
    case "derive": {
      const columns = node.columns.map(([name, value]): readonly [string, PlanValue] => [
        name,
        renameValue(value, to),
      ]);
      return { ...node, id, source: to(node.source), columns };
    }
    case "create":
      return { ...node, id, args: renameValues(node.args, to) };
    case "update":
    case "delete":
    case "action": {
      const target = renameValues(node.target, to);
      return { ...node, id, target, args: renameValues(node.args, to) };
    }
    case "for_each":
      return { ...node, id, source: to(node.source), body: renameBody(node.body, to) };
  }
}

function renameBody(body: ForEachBody, to: Rename): ForEachBody {
  const args = renameValues(body.args, to);
  switch (body.kind) {
    case "query":
    case "search":
      return { ...body, args, filter: renamePred(body.filter, to) };
    case "relation":
      return { ...body, args, filter: renamePred(body.filter, to) };
    case "get":
      return { ...body, args, key: renameValues(body.key, to) };
    case "create":
      return { ...body, args };
    case "update":
    case "delete":
    case "action":
      return { ...body, args, target: renameValues(body.target, to) };
  }
}

function renameOp(op: ComputeOp, to: Rename): ComputeOp {
  if ("filter" in op) return { filter: renamePred(op.filter, to) ?? { and: [] } };
  if ("render" in op) return renameRender(op, to);
  const column = (path: PlanColumn): PlanColumn => (isPath(path) ? path : renameValue(path, to));
  const agg = (each: PlanAgg): PlanAgg =>
    each.path === null ? each : { ...each, path: column(each.path) };
  if ("sort" in op)
    return { ...op, sort: op.sort.map((key) => ({ ...key, path: column(key.path) })) };
  if ("distinct" in op) return { ...op, distinct: op.distinct.map(column) };
  if ("aggregate" in op) return { aggregate: op.aggregate.map(agg) };
  if ("pair" in op) {
    const keys = op.pair.keys.map(({ left, right, on }) => ({
      left: column(left),
      right: column(right),
      on,
    }));
    return { pair: { ...op.pair, with: to(op.pair.with), keys } };
  }
  if (!("group_by" in op)) return op;
  const { keys, aggs } = op.group_by;
  const named = keys.map((key) =>
    "as" in key ? { ...key, value: renameValue(key.value, to) } : key,
  );
  return { group_by: { keys: named, aggs: aggs.map(agg) } };
}

function renameValues(values: Values, to: Rename): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, renameValue(value, to)]),
  );
}

function renameValue(value: PlanValue, to: Rename): PlanValue {
  if ("from" in value) return { ...value, from: to(value.from) };
  if ("total" in value) return { ...value, total: to(value.total) };
  if ("ref" in value) {
    return { ref: { entity: value.ref.entity, key: renameValues(value.ref.key, to) } };
  }
  if ("list" in value) return { list: value.list.map((item) => renameValue(item, to)) };
  if ("obj" in value) return { obj: renameValues(value.obj, to) };
  if ("args" in value) return { ...value, args: value.args.map((arg) => renameValue(arg, to)) };
  return value;
}

function renamePred(pred: PlanPred, to: Rename): PlanPred;
function renamePred(pred: PlanPred | null, to: Rename): PlanPred | null;
function renamePred(pred: PlanPred | null, to: Rename): PlanPred | null {
  if (pred === null) return null;
  if ("and" in pred) return { and: pred.and.map((item) => renamePred(item, to)) };
  if ("or" in pred) return { or: pred.or.map((item) => renamePred(item, to)) };
  if ("not" in pred) return { not: renamePred(pred.not, to) };
  if ("exists" in pred) return pred;
  if ("test" in pred) return { test: renameValue(pred.test, to) };
  return { ...pred, value: renameValue(pred.value, to) };
}
