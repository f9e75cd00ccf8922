import type { CheckContext } from "../../check/check-context.ts";
import type { Rows } from "../../check/typed-program.ts";
import { Drafts } from "./draft.ts";
import { filterBlocks } from "./filter-blocks.ts";
import { fuseReads } from "./fuse.ts";
import { lowerBlock } from "./lower-block.ts";
import { lowerStep } from "./lower-compute.ts";
import { lowerData } from "./lower-data.ts";
import { lowerDerive } from "./lower-derive.ts";
import { lowerEffect } from "./lower-effect.ts";
import { lowerForEach } from "./lower-for-each.ts";
import { lowerGet } from "./lower-get.ts";
import { lowerJoin } from "./lower-join.ts";
import { lowerList } from "./lower-list.ts";
import { lowerRender } from "./lower-render.ts";
import { lowerRelation } from "./lower-relation.ts";
import type { Lowering } from "./lowering.ts";
import { reachable, rowInputs } from "./rows-graph.ts";
import { usesOf } from "./uses.ts";

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
    case "aggregate":
    case "group_by":
      return lowerStep(lowering, rows);
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
