import type {
  ComputeOp,
  ForEachBody,
  ForEachNode,
  JoinNode,
  PlanColumn,
  PlanNode,
  PlanPred,
  RelationNode,
  PlanValue,
} from "./ir.ts";
import { isEdit } from "../values/edits.ts";
import type { Json } from "../values/value-type.ts";

/** A node that changes something: create, update, delete or action. */
export type EffectNode = Extract<PlanNode, { kind: "create" | "update" | "delete" | "action" }>;

/** What an effect per row is: the body of a for_each that changes something. */
export type EffectBody = Extract<ForEachBody, { kind: EffectNode["kind"] }>;

/** A read in the body of a for_each. */
export type ReadBody = Exclude<ForEachBody, EffectBody>;

/** A value that comes from another node. */
export type Hole = Extract<PlanValue, { from: string }>;

/** Returns whether a for_each runs an effect per row. */
export function isEffectBody(body: ForEachBody): body is EffectBody {
  switch (body.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return true;
    case "query":
    case "search":
    case "get":
    case "relation":
      return false;
  }
}

/** Returns the arguments that an effect, or one per row, makes of what is there by changing a part of it (LANG-056). */
export function editedArguments(node: PlanNode): readonly string[] {
  const effect = node.kind === "for_each" ? node.body : node;
  if (!("args" in effect)) return [];
  return Object.entries(effect.args).flatMap(([name, value]) =>
    "op" in value && isEdit(value.op) ? [name] : [],
  );
}

/** Returns the relation that a join with totals follows from each row, as a relation step has it; null for other joins. */
export function totalsRelation(node: JoinNode): RelationNode | null {
  const { as: relation, path: _path, totals, ...common } = node;
  if (totals === undefined) return null;
  const { owner, via, filter } = totals;
  return { ...common, kind: "relation", relation, owner, via, filter, limit: null };
}

/** Returns whether a node changes something, and so is a barrier between reads (PLAN-004). */
export function isEffect(node: PlanNode): node is EffectNode | ForEachNode {
  switch (node.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return true;
    case "for_each":
      return isEffectBody(node.body);
    case "query":
    case "search":
    case "get":
    case "relation":
    case "join":
    case "compute":
    case "data":
    case "derive":
      return false;
  }
}

/** Returns the condition a node tests on its own rows, or null. */
export function ownFilter(node: PlanNode): PlanPred | null {
  switch (node.kind) {
    case "query":
    case "search":
    case "relation":
      return node.filter;
    case "for_each":
      return "filter" in node.body ? node.body.filter : null;
    case "get":
    case "join":
    case "compute":
    case "data":
    case "derive":
    case "create":
    case "update":
    case "delete":
    case "action":
      return null;
  }
}

/** Returns the values that a condition compares with. */
function predValues(pred: PlanPred | null): readonly PlanValue[] {
  if (pred === null || "exists" in pred) return [];
  if ("and" in pred) return pred.and.flatMap(predValues);
  if ("or" in pred) return pred.or.flatMap(predValues);
  if ("not" in pred) return predValues(pred.not);
  return ["test" in pred ? pred.test : pred.value];
}

/** Returns the values a request is made of: arguments, key, target, anchor, and those of its condition. */
export function requestValues(body: ForEachBody): readonly PlanValue[] {
  const members = [body.args];
  if (body.kind === "get") members.push(body.key);
  if ("target" in body) members.push(body.target);
  if ("anchor" in body && body.anchor !== undefined) members.push(body.anchor);
  const tested = "filter" in body ? predValues(body.filter) : [];
  return [...members.flatMap((member) => Object.values(member)), ...tested];
}

/** Returns whether what a step reads of a row is a column, and no computed value. */
export function isPath<Value>(column: readonly string[] | Value): column is readonly string[] {
  return Array.isArray(column);
}

/** Returns what a step reads of each row: its columns and values, in order. */
export function opColumns(op: ComputeOp): readonly PlanColumn[] {
  if ("sort" in op) return op.sort.map(({ path }) => path);
  if ("distinct" in op) return op.distinct;
  if ("project" in op) return op.project;
  if ("pair" in op) return op.pair.keys.flatMap(({ left, right }) => [left, right]);
  const aggs = "aggregate" in op ? op.aggregate : "group_by" in op ? op.group_by.aggs : [];
  const keys = "group_by" in op ? op.group_by.keys : [];
  const columns = keys.map((key) => ("as" in key ? key.value : key));
  return [...columns, ...aggs.flatMap(({ path }) => (path === null ? [] : [path]))];
}

/** Returns the paths that a step reads of each row, those within computed values included. */
export function columnPaths(columns: readonly PlanColumn[]): readonly (readonly string[])[] {
  return columns.flatMap((column) => (isPath(column) ? [column] : cellPaths(column)));
}

/** Returns the values that a step tests or computes with. */
export function opValues(op: ComputeOp): readonly PlanValue[] {
  if ("filter" in op) return predValues(op.filter);
  return opColumns(op).flatMap((column) => (isPath(column) ? [] : [column]));
}

/** Returns the values a node sends, tests or computes with. */
export function nodeValues(node: PlanNode): readonly PlanValue[] {
  switch (node.kind) {
    case "query":
    case "search":
    case "get":
    case "relation":
    case "create":
    case "update":
    case "delete":
    case "action":
      return requestValues(node);
    case "join":
      return [...Object.values(node.args), ...predValues(node.totals?.filter ?? null)];
    case "compute":
      return opValues(node.op);
    case "data":
      return [node.value];
    case "derive":
      return node.columns.map(([, value]) => value);
    case "for_each":
      return requestValues(node.body);
  }
}

/** A value of an earlier answer, as a program names it: its snapshot, its column, and the key of its row where that has several. */
export type KeptName = readonly [handle: string, column: string, row?: string];

/** Returns the name of a value that an earlier answer has; null for any other value (LANG-057). */
export function keptName(value: PlanValue): KeptName | null {
  if (!("op" in value) || value.op !== "kept") return null;
  const [handle = "", column = "", row] = value.args.map((arg) =>
    "lit" in arg && typeof arg.lit === "string" ? arg.lit : "",
  );
  return row === undefined ? [handle, column] : [handle, column, row];
}

/** Returns what the values of a node name of earlier answers. */
export const keptNames = (node: PlanNode): readonly KeptName[] =>
  nodeValues(node)
    .flatMap(parts)
    .map(keptName)
    .filter((name) => name !== null);

/**
 * Returns the key of the row that an undo makes again, where it sends the whole of it; null for any other effect: what an
 * API calls a new row shows when it answers (UNDO-07).
 */
export function remadeKey(body: ForEachBody): Readonly<Record<string, Json>> | null {
  if (body.kind !== "create" || body.undoes === undefined) return null;
  const { key } = body.undoes;
  const isSent = Object.entries(key).every(([name, part]) => {
    const arg = body.args[name];
    return arg !== undefined && "lit" in arg && arg.lit === part;
  });
  return isSent ? key : null;
}

/** A file that a program names, and what it holds; null where that shows when it is fetched. */
export interface NamedFile {
  /** an absolute path or an address, as the program has it */
  readonly name: string;
  readonly content: { readonly sha256: string; readonly size: number } | null;
}

/** Returns the file that a value is; null for any other value (VAL-07). */
export function namedFile(value: PlanValue): NamedFile | null {
  if (!("op" in value) || value.op !== "file") return null;
  const [name, sha256, size] = value.args.map((arg) => ("lit" in arg ? arg.lit : null));
  const content = typeof sha256 === "string" && typeof size === "number" ? { sha256, size } : null;
  return { name: typeof name === "string" ? name : "", content };
}

/** Returns the files that values are or have in them. */
export const namedFiles = (values: readonly PlanValue[]): readonly NamedFile[] =>
  values
    .flatMap(parts)
    .map(namedFile)
    .filter((file) => file !== null);

/** Returns a value and all inside it. */
function parts(value: PlanValue): readonly PlanValue[] {
  if ("list" in value) return [value, ...value.list.flatMap(parts)];
  if ("args" in value) return [value, ...value.args.flatMap(parts)];
  if ("obj" in value) return [value, ...Object.values(value.obj).flatMap(parts)];
  if ("ref" in value) return [value, ...Object.values(value.ref.key).flatMap(parts)];
  return [value];
}

/** Returns the holes of values, those inside others included. */
export function holesOf(values: readonly PlanValue[]): readonly Hole[] {
  return values.flatMap(parts).filter((value) => "from" in value);
}

/** Returns the paths on the row a `=>` is at. */
export function cursorPaths(values: readonly PlanValue[]): readonly (readonly string[])[] {
  return values.flatMap(parts).flatMap((value) => ("row" in value ? [value.row] : []));
}

/** Returns whether a value is of the row that a condition, key or aggregate is at, or of rows related to it. */
export function isOfRow(value: PlanValue): boolean {
  return parts(value).some((part) => "cell" in part || "total" in part);
}

/** Returns the paths on the row that a condition, key or aggregate is at. */
export function cellPaths(value: PlanValue): readonly (readonly string[])[] {
  return parts(value).flatMap((part) => ("cell" in part ? [part.cell] : []));
}

/** The node, or the body of a node per row, that rows come from: steps that keep rows are passed over. */
export function baseRead(
  id: string,
  node: (id: string) => PlanNode | undefined,
): PlanNode | ForEachBody | null {
  let at = node(id);
  while (at?.kind === "compute" || at?.kind === "join") at = node(at.source);
  if (at === undefined) return null;
  return at.kind === "for_each" ? at.body : at;
}
