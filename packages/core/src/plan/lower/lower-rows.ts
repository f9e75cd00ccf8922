import type { CheckContext } from "../../check/check-context.ts";
import type { DataRows, DeriveRows, Related, RenderRows, Rows } from "../../check/typed-program.ts";
import { renameOuter } from "../../templates/template-reads.ts";
import type { ComputeOp, PlanValue } from "../ir.ts";
import { lowerCount } from "./api-count.ts";
import { filterBlocks, fuseReads } from "./fuse.ts";
import { lowerBlock, lowerJoin } from "./lower-block.ts";
import { computeNode, lowerStep } from "./lower-compute.ts";
import { lowerEffect, lowerForEach } from "./lower-effect.ts";
import { lowerGet, lowerList } from "./lower-list.ts";
import { lowerRelation } from "./lower-relation.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { isUnknown, planValue, valueInputs } from "./plan-value.ts";
import { Drafts, reachable, rowInputs, usesOf } from "./rows-graph.ts";

/** The drafts of some results, and the id of each result; null for one that is in error. */
export interface Lowered {
  readonly drafts: Drafts;
  readonly ids: readonly (string | null)[];
}

/**
 * Lowers rows to nodes in normal form (PLAN-003): chooses the capability of each read (RUN-110) and
 * reports where there is none.
 */
export function lowerRows(context: CheckContext, roots: readonly Rows[]): Lowered {
  const order = reachable(roots);
  const drafts = new Drafts();
  const ids = new Map<Rows, string>();
  const totals = new Map<Related, string>();
  const firsts = new Map<Rows, number>();
  const counted = new Set<Rows>();
  const uses = usesOf(order, roots);
  const fused = fuseReads(context, order, uses);
  const reads = [...fused.values()];
  const blocks = filterBlocks(order, uses, new Set(reads.flatMap(({ steps }) => steps)));
  const inside = new Set(
    [...reads, ...blocks.values()].flatMap(({ top, steps }): readonly Rows[] => {
      return steps.filter((each) => each !== top);
    }),
  );
  const lowering: Lowering = {
    context,
    exposure: context.exposure,
    drafts,
    fused,
    blocks,
    put: (rows, id) => void ids.set(rows, id),
    firstOf: (sort) => firsts.get(sort),
    putFirst: (sort, first) => void firsts.set(sort, first),
    isCounted: (aggregate) => counted.has(aggregate),
    putCounted: (aggregate) => void counted.add(aggregate),
    putTotal: (related, id) => void totals.set(related, id),
    totalOf(related) {
      const id = totals.get(related);
      if (id === undefined) throw new Error("Totals are lowered before the values made of them.");
      return id;
    },
    idOf(rows) {
      const id = ids.get(rows);
      if (id === undefined) throw new Error("Rows are lowered after what they are made from.");
      return id;
    },
  };
  for (const rows of order) {
    if (inside.has(rows)) continue;
    const steps = fused.get(rows)?.steps ?? blocks.get(rows)?.steps ?? [rows];
    const id = inputsOf(steps).every((each) => ids.has(each)) ? lower(lowering, rows) : null;
    if (id !== null) ids.set(rows, id);
  }
  return { drafts, ids: roots.map((root) => ids.get(root) ?? null) };
}

/** The rows a run of steps is made from, itself left out. */
function inputsOf(steps: readonly Rows[]): readonly Rows[] {
  const own = new Set(steps);
  return steps.flatMap(rowInputs).filter((rows) => !own.has(rows));
}

function lower(lowering: Lowering, rows: Rows): string | null {
  const fused = lowering.fused.get(rows);
  if (fused !== undefined) {
    const { head } = fused;
    return head.kind === "list"
      ? lowerList(lowering, fused, head)
      : lowerRelation(lowering, fused, head);
  }
  const block = lowering.blocks.get(rows);
  if (block !== undefined) return lowerBlock(lowering, block);
  switch (rows.kind) {
    case "get":
      return lowerGet(lowering, rows);
    case "filter":
      throw new Error("A filter is lowered with those before it.");
    case "page_size":
      return lowering.idOf(rows.source);
    case "limit":
    case "sort":
    case "project":
    case "singleton":
    case "distinct":
    case "group_by":
    case "pair":
      return lowerStep(lowering, rows);
    case "aggregate":
      return lowering.isCounted(rows) ? lowerCount(lowering, rows) : lowerStep(lowering, rows);
    case "render":
      return lowerRender(lowering, rows);
    case "derive":
      return lowerDerive(lowering, rows);
    case "for_each":
      return lowerForEach(lowering, rows);
    case "effect":
      return lowerEffect(lowering, rows);
    case "data":
      return lowerData(lowering, rows);
    case "join":
      return lowerJoin(lowering, rows);
    case "list":
    case "relation":
      throw new Error("A read is lowered with what reaches it.");
  }
}

/** One new row per row (LANG-071). Null: in error, reported. */
function lowerDerive(lowering: Lowering, rows: DeriveRows): string | null {
  if (rows.columns.some(([, value]) => isUnknown(value))) return null;
  const columns = rows.columns.map(([name, value]): readonly [string, PlanValue] => [
    name,
    planValue(lowering, value),
  ]);
  const source = lowering.idOf(rows.source);
  return lowering.drafts.add(
    {
      id: "",
      kind: "derive",
      effect_class: "local",
      stage: rows.stage,
      source,
      columns,
      result: resultType(lowering.exposure, rows.type),
    },
    [source, ...columns.flatMap(([, value]) => valueInputs(value))],
    rows,
  );
}

/** A literal as rows (LANG-046). Null: in error, reported. */
function lowerData(lowering: Lowering, rows: DataRows): string | null {
  if (isUnknown(rows.value)) return null;
  const value = planValue(lowering, rows.value);
  const result = resultType(lowering.exposure, rows.type);
  const { stage } = rows;
  return lowering.drafts.add(
    { id: "", kind: "data", effect_class: "local", stage, value, result },
    valueInputs(value),
    rows,
  );
}

type RenderOp = Extract<ComputeOp, { render: unknown }>;

/**
 * Text from rows. Labels go by the order in which the text first names their nodes, so that templates
 * that differ in labels alone are one node (PLAN-003); the numbering gives them their final names.
 */
function lowerRender(lowering: Lowering, rows: RenderRows): string {
  const places = new Map<string, string>();
  const wanted = new Map<string, string>();
  for (const [label, used] of rows.uses) {
    const id = lowering.idOf(used);
    const place = places.get(id) ?? `u${places.size + 1}`;
    places.set(id, place);
    wanted.set(label, place);
  }
  const { text, names } = renameOuter(rows.text, wanted);
  const uses = Object.fromEntries(
    [...rows.uses].map(([label, used]) => [names.get(label) ?? label, lowering.idOf(used)]),
  );
  const source = lowering.idOf(rows.source);
  const op: RenderOp = { render: { text, uses } };
  return computeNode(lowering, rows, source, rows.stage, op, [...places.keys()]);
}

/** Ids of drafts are no names; those of a plan's nodes are. */
const NAME = /^[a-z][0-9]+$/;

/** The operation with other ids; final ones are also its names for the nodes it uses (PLAN-011). */
export function renameRender({ render }: RenderOp, to: (id: string) => string): RenderOp {
  const ids = new Map(Object.entries(render.uses).map(([name, id]) => [name, to(id)]));
  const wanted = new Map([...ids].map(([name, id]) => [name, NAME.test(id) ? id : name]));
  const { text, names } = renameOuter(render.text, wanted);
  const uses = Object.fromEntries([...ids].map(([name, id]) => [names.get(name) ?? name, id]));
  return { render: { text, uses } };
}
