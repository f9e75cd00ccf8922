import { compareCodePoints } from "../../base/text.ts";
import { conjuncts } from "../../check/reads/choose-list.ts";
import type { FilterRows, JoinRows, TypedPred } from "../../check/typed-program.ts";
import type { Card } from "../../check/types.ts";
import type { FilterBlock } from "./fuse.ts";
import { areTestable, filterNode, testsLeftOutRows } from "./lower-compute.ts";
import { lowerTotals } from "./lower-totals.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { lacksValue } from "./plan-value.ts";

/**
 * The joins of a block in order of their paths, then one filter. What needs no join is tested before related rows are
 * read, which cost a read for each row. Null: in error, reported.
 */
export function lowerBlock(lowering: Lowering, { top, base, steps }: FilterBlock): string | null {
  const source = lowering.idOf(base);
  const joins = steps.filter((step) => step.kind === "join");
  const isDear = joins.some(({ totals }) => totals !== undefined);
  const before: TypedPred[] = [];
  const behind: TypedPred[] = [];
  let lastBefore: FilterRows | null = null;
  for (const step of steps) {
    if (step.kind !== "filter") continue;
    const own = conjuncts(step.pred);
    if (!areTestable(lowering, step, own) || own.some(lacksValue)) return null;
    if (testsLeftOutRows(lowering, step, source, own)) return null;
    const isBefore = isDear && !step.overJoin;
    if (isBefore) lastBefore = step;
    (isBefore ? before : behind).push(...own);
  }
  const tested =
    lastBefore === null ? source : filterNode(lowering, lastBefore, source, top.stage, before);
  const joined = joinedNode(lowering, joins, tested, base.type.card);
  if (joined === null) return null;
  return filterNode(lowering, top, joined, top.stage, behind);
}

/** Joins over a node in order of their paths, the nearer row before what is read of it. */
export function joinedNode(
  lowering: Lowering,
  joins: readonly JoinRows[],
  source: string,
  card: Card,
): string | null {
  const ordered = joins.toSorted((a, b) => compareCodePoints(a.path.join("."), b.path.join(".")));
  return ordered.reduce<string | null>(
    (id, join) => id && lowerJoin(lowering, { ...join, type: { ...join.type, card } }, id),
    source,
  );
}

/**
 * Fetches the rows of a to-one path; the get of a reference is chosen when it is known what is wanted. Null: in error,
 * reported.
 */
export function lowerJoin(
  lowering: Lowering,
  rows: JoinRows,
  source: string = lowering.idOf(rows.source),
): string | null {
  const { exposure, drafts } = lowering;
  const { reading, path } = rows;
  if (rows.totals !== undefined) return lowerTotals(lowering, rows, rows.totals, source);
  return drafts.add(
    {
      id: "",
      kind: "join",
      effect_class: "read",
      stage: rows.stage,
      catalog: nodeCatalog(exposure, rows.target),
      capability: capabilityOf(reading),
      args: {},
      source,
      path,
      as: path.join("."),
      wanted: [],
      result: resultType(exposure, rows.type),
    },
    [source],
    rows,
  );
}

/** Empty: a get that is chosen later; null: the row is in hand. */
function capabilityOf(reading: JoinRows["reading"]): string | null {
  switch (reading.via) {
    case "ref":
      return "";
    case "from_parent_get":
    case "view":
      return null;
    case "query_scoped":
    case "query_scoped_bindings":
    case "get_scoped_bindings":
      return reading.capability.name;
  }
}
