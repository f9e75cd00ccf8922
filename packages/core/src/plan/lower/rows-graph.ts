import { canonicalJson } from "../../base/canonical-json.ts";
import type { Rows, TypedColumn, TypedPred, TypedValue } from "../../check/typed-program.ts";
import { isPath, predValues } from "../../check/values/typed-parts.ts";
import type { PlanNode } from "../ir.ts";
import { anchorOf } from "./semi-joins.ts";

/** By rows, the steps that use them. */
export type Uses = ReadonlyMap<Rows, readonly (Rows | null)[]>;

/** Which steps use which rows; null stands for a result of the program. */
export function usesOf(order: readonly Rows[], roots: readonly Rows[]): Uses {
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

/** The step that alone uses some rows; null if there are several, or a result is one. */
export function onlyUse(uses: Uses, rows: Rows): Rows | null {
  const by = uses.get(rows) ?? [];
  const [only] = by;
  return by.length === 1 && only !== undefined ? only : null;
}

/**
 * A node before the plan is numbered: equal pure nodes, inputs included, have one id (PLAN-003). `wanted` and chosen
 * gets are filled in later.
 */
export interface Draft {
  readonly id: string;
  readonly node: PlanNode;
  /** ids in the order of the numbering walk (PLAN-010) */
  readonly inputs: readonly string[];
  /** the step it was made from: its label, text and span are shown */
  readonly rows: Rows;
  readonly read: ReadFacts | null;
}

/** What estimates need to know of a list or relation beyond the node. */
export interface ReadFacts {
  /** a condition, search text or anchor is sent (OPS-6) */
  readonly bounded: boolean;
  /** the parameter that costs a request per value (RUN-111) */
  readonly each: string | null;
  /** parent fields that a relation's bindings read (RUN-052) */
  readonly bindings: readonly string[];
  /** parameters that a relation binds, each to a field of the source row, or to the row itself (null) */
  readonly bound?: ReadonlyMap<string, string | null>;
}

/** Collects drafts; an equal one that is there already is used again. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();
  /** ids of pure nodes by what they are */
  readonly #pure = new Map<string, string>();

  /** Adds a pure node whose id is still to be given, and returns its id. */
  add(
    node: PlanNode,
    inputs: readonly string[],
    rows: Rows,
    read: ReadFacts | null = null,
  ): string {
    const text = canonicalJson(node);
    const known = this.#pure.get(text);
    if (known !== undefined) return known;
    const id = `#${this.#pure.size}`;
    this.#pure.set(text, id);
    this.#drafts.set(id, { id, node: { ...node, id }, inputs, rows, read });
    return id;
  }

  /** Adds an effect, which is never one with another, however equal (LANG-074), and returns its id. */
  addEffect(node: PlanNode, inputs: readonly string[], rows: Rows): string {
    const id = `#effect${this.#drafts.size}`;
    this.#drafts.set(id, { id, node: { ...node, id }, inputs, rows, read: null });
    return id;
  }

  get(id: string): Draft {
    const draft = this.#drafts.get(id);
    if (draft === undefined) throw new Error(`No draft ${id}.`);
    return draft;
  }
}

/** The rows a step takes as rows, not for a value; null for what reads by itself. */
export function rowSource(rows: Rows): Rows | null {
  switch (rows.kind) {
    case "list":
    case "get":
    case "data":
    case "effect":
      return null;
    case "relation":
      return anchorOf(rows) === null ? rows.source : null;
    case "filter":
    case "limit":
    case "page_size":
    case "sort":
    case "project":
    case "singleton":
    case "distinct":
    case "aggregate":
    case "group_by":
    case "render":
    case "derive":
    case "for_each":
    case "join":
    case "pair":
      return rows.source;
  }
}

/** The rows whose cells a step's own values are filled from. */
export function valueSources(rows: Rows): readonly Rows[] {
  switch (rows.kind) {
    case "list":
      return [rows.search, ...rows.args.values()].flatMap((each) =>
        each === null ? [] : holes(each),
      );
    case "get":
      return [...rows.key.values(), ...rows.args.values()].flatMap(holes);
    case "filter":
      return predHoles(rows.pred);
    case "render":
      return [...rows.uses.values()];
    case "derive":
      return rows.columns.flatMap(([, value]) => holes(value));
    case "for_each":
      return bodySteps(rows.body).flatMap(valueSources);
    case "effect":
      return [...(rows.target?.values() ?? []), ...rows.args.values()].flatMap(holes);
    case "data":
      return holes(rows.value);
    case "relation":
      return [...(anchorOf(rows)?.values() ?? [])].flatMap(holes);
    case "sort":
      return columnHoles(rows.keys.map(({ path }) => path));
    case "distinct":
      return columnHoles(rows.paths);
    case "aggregate":
      return columnHoles(rows.aggs.flatMap(({ path }) => (path === null ? [] : [path])));
    case "group_by": {
      const keys = rows.keys.flatMap((key) => ("as" in key ? [key.value] : []));
      const aggs = rows.aggs.flatMap(({ path }) => (path === null ? [] : [path]));
      return columnHoles([...keys, ...aggs]);
    }
    case "join": {
      const [first] = rows.totals ?? [];
      return first?.related.pred ? predHoles(first.related.pred) : [];
    }
    case "pair":
      return [rows.right, ...columnHoles(rows.pairs.flatMap(({ left, right }) => [left, right]))];
    case "limit":
    case "page_size":
    case "project":
    case "singleton":
      return [];
  }
}

/** The steps of a `=>` body: its read, and the filters on it. */
export function bodySteps(body: Rows): readonly Rows[] {
  const steps: Rows[] = [body];
  for (let at = body; at.kind === "filter"; at = at.source) steps.push(at.source);
  return steps;
}

function columnHoles(columns: readonly TypedColumn[]): readonly Rows[] {
  return columns.flatMap((column) => (isPath(column) ? [] : holes(column)));
}

function holes(value: TypedValue): readonly Rows[] {
  const found: Rows[] = [];
  addHoles(value, found);
  return found;
}

function addHoles(value: TypedValue, found: Rows[]): void {
  switch (value.kind) {
    case "hole":
      found.push(value.rows);
      return;
    case "ref":
      for (const part of value.key.values()) addHoles(part, found);
      return;
    case "list":
      for (const item of value.items) addHoles(item, found);
      return;
    case "object":
      for (const entry of value.entries.values()) addHoles(entry, found);
      return;
    case "computed":
      for (const arg of value.args) addHoles(arg, found);
      return;
    case "lit":
    case "dec":
    case "now":
    case "cursor":
    case "cell":
    case "total":
    case "placeholder":
      return;
  }
}

function predHoles(pred: TypedPred): readonly Rows[] {
  const found: Rows[] = [];
  for (const value of predValues(pred)) addHoles(value, found);
  return found;
}

/** All rows a step is made from: its source, then what fills its values. */
export function rowInputs(rows: Rows): readonly Rows[] {
  const source = rowSource(rows);
  return source === null ? valueSources(rows) : [source, ...valueSources(rows)];
}

/** Everything some rows are made from, themselves included, sources before what is made from them. */
export function reachable(roots: readonly Rows[]): readonly Rows[] {
  const order: Rows[] = [];
  const seen = new Set<Rows>();
  // An explicit stack: a chain may have as many steps as a program has room for.
  const stack: { readonly rows: Rows; readonly inputs: readonly Rows[]; next: number }[] = [];
  const enter = (rows: Rows): void => {
    if (seen.has(rows)) return;
    seen.add(rows);
    stack.push({ rows, inputs: rowInputs(rows), next: 0 });
  };
  for (const root of roots) {
    enter(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const input = top.inputs[top.next++];
      if (input !== undefined) enter(input);
      else {
        order.push(top.rows);
        stack.pop();
      }
    }
  }
  return order;
}
