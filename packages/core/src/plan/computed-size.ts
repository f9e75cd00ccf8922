import type { CheckContext } from "../check/check-context.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { Json } from "../values/value-type.ts";
import type { NumberedNodes } from "./lower/number-nodes.ts";
import type { ComputeNode, PlanNode, PlanValue } from "./ir.ts";

/**
 * The most that any run may compute, written out: parts that values share count each time they stand in one. A
 * deployment may allow less, never more, since more fits no text of this program's host.
 */
export const MOST_COMPUTED = Object.freeze({ cells: 16_000_000, bytes: 256 * 1024 * 1024 });

/** What a value comes to at least, written out, and what of it has a name. */
interface Shape {
  readonly cells: number;
  readonly bytes: number;
  readonly parts: ReadonlyMap<string, Shape> | null;
}

/** Rows that there are at least, and what each of them is at least. */
interface Known {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Shape>;
}

const LEAST: Shape = Object.freeze({ cells: 1, bytes: 1, parts: null });
const NOTHING: Known = Object.freeze({ rows: 0, columns: new Map() });

const scalar = (bytes: number): Shape => ({ cells: 1, bytes, parts: null });

function composite(
  parts: readonly (readonly [name: string, part: Shape])[],
  named: boolean,
): Shape {
  let cells = 1;
  let bytes = 2;
  for (const [name, part] of parts) {
    cells += part.cells;
    bytes += part.bytes + 1 + (named ? name.length + 3 : 0);
  }
  return { cells, bytes, parts: new Map(parts) };
}

function literalShape(value: Json): Shape {
  if (typeof value === "string") return scalar(value.length + 2);
  if (typeof value !== "object" || value === null) return scalar(String(value).length);
  const parts = Object.entries(value).map(([name, part]) => [name, literalShape(part)] as const);
  return composite(parts, !Array.isArray(value));
}

/** A row as a value: its only column, else an object of its columns (LANG-044). */
function rowShape({ columns }: Known): Shape {
  const [only] = columns.values();
  if (only === undefined) return LEAST;
  return columns.size === 1 ? only : composite([...columns], true);
}

function cellShape(known: Known, path: readonly string[]): Shape {
  const [first, ...rest] = path;
  if (first === undefined) return rowShape(known);
  let shape = known.columns.get(path.join(".")) ?? known.columns.get(first);
  if (shape === undefined) return LEAST;
  if (known.columns.has(path.join("."))) return shape;
  for (const name of rest) shape = shape?.parts?.get(name);
  return shape ?? LEAST;
}

function valueShape(value: PlanValue, of: (node: string) => Known, row: Known): Shape {
  const parts = (values: Readonly<Record<string, PlanValue>>): Shape =>
    composite(
      Object.entries(values).map(([name, each]) => [name, valueShape(each, of, row)] as const),
      true,
    );
  if ("lit" in value) return literalShape(value.lit);
  if ("dec" in value) return scalar(value.dec.length + 2);
  if ("now" in value) return LEAST;
  if ("row" in value) return cellShape(row, value.row);
  if ("obj" in value) return parts(value.obj);
  if ("ref" in value) return LEAST;
  if ("list" in value) {
    const items = value.list.map((each, at) => [`${at}`, valueShape(each, of, row)] as const);
    return composite(items, false);
  }
  if ("cell" in value || "total" in value || "args" in value) return LEAST;
  const known = of(value.from);
  const cell = cellShape(known, value.path);
  if (!value.many) return cell;
  return { cells: cell.cells * known.rows, bytes: cell.bytes * known.rows + 2, parts: null };
}

/** The columns of a value that is one row: the members of an object, else its only one. */
function rowOf(value: PlanValue, shape: Shape, name: string): ReadonlyMap<string, Shape> {
  const isObject = "obj" in value || ("lit" in value && isRecord(value.lit));
  return isObject && shape.parts !== null ? shape.parts : new Map([[name, shape]]);
}

const isRecord = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Literal rows: of the columns of several, what is the least of each. */
function dataRows(node: Extract<PlanNode, { kind: "data" }>, of: (node: string) => Known): Known {
  const { value, result } = node;
  const names = (result.columns ?? []).map(([name]) => name);
  const [only = "value"] = names;
  const name = names.includes("value") ? "value" : only;
  if (result.card === "one" || !("list" in value || "lit" in value)) {
    return { rows: 1, columns: rowOf(value, valueShape(value, of, NOTHING), name) };
  }
  const items: readonly PlanValue[] =
    "list" in value
      ? value.list
      : Array.isArray(value.lit)
        ? value.lit.map((lit: Json) => ({ lit }))
        : [value];
  const columns = new Map<string, Shape>();
  for (const item of items) {
    const cells = rowOf(item, valueShape(item, of, NOTHING), name);
    for (const each of names) {
      const cell = cells.get(each) ?? LEAST;
      const least = columns.get(each);
      if (least === undefined || cell.bytes < least.bytes) columns.set(each, cell);
    }
  }
  return { rows: items.length, columns };
}

function computedRows({ op, source }: ComputeNode, of: (node: string) => Known): Known {
  const known = of(source);
  if ("sort" in op) return known;
  if ("limit" in op) return { ...known, rows: Math.min(known.rows, op.limit) };
  if ("singleton" in op || "distinct" in op) return { ...known, rows: Math.min(known.rows, 1) };
  if ("filter" in op) return { ...known, rows: 0 };
  if (!("project" in op)) return NOTHING;
  const columns = op.project.map((path) => [path.join("."), cellShape(known, path)] as const);
  return { ...known, columns: new Map(columns) };
}

function rowsOf(node: PlanNode, of: (node: string) => Known): Known {
  switch (node.kind) {
    case "data":
      return dataRows(node, of);
    case "derive": {
      const source = of(node.source);
      const columns = node.columns.map(
        ([name, value]) => [name, valueShape(value, of, source)] as const,
      );
      return { rows: source.rows, columns: new Map(columns) };
    }
    case "compute":
      return computedRows(node, of);
    case "query":
    case "search":
    case "get":
    case "relation":
    case "join":
    case "create":
    case "update":
    case "delete":
    case "action":
    case "for_each":
      return NOTHING;
  }
}

/**
 * Refuses a plan whose literals alone make more than a run may compute: twenty of a value in each of seven lines are
 * 1,280,000,000 of it. What an API has to give is not known here; the run counts that before it makes it.
 */
export function checkComputedSize(context: CheckContext, { nodes, drafts }: NumberedNodes): void {
  const known = new Map<string, Known>();
  const of = (id: string): Known => known.get(id) ?? NOTHING;
  for (const node of nodes) {
    const rows = rowsOf(node, of);
    known.set(node.id, rows);
    let [cells, bytes] = [0, 0];
    for (const shape of rows.columns.values()) {
      cells += shape.cells * rows.rows;
      bytes += shape.bytes * rows.rows;
    }
    const draft = drafts.get(node.id);
    const isLarge = cells > MOST_COMPUTED.cells || bytes > MOST_COMPUTED.bytes;
    if (!isLarge || draft === undefined) continue;
    const many = cells > MOST_COMPUTED.cells;
    const args = {
      what: "What this makes, written out,",
      limit: many ? `${figure(MOST_COMPUTED.cells)} cells` : `${figure(MOST_COMPUTED.bytes)} bytes`,
      actual: figure(many ? cells : bytes),
    };
    context.found.add(diagnose(textMessages.tooLarge, draft.rows.span, args));
    return;
  }
}

const figure = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: 0 });
