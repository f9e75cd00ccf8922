import type { JoinRows, RelationRows, TotalValue } from "../../check/typed-program.ts";
import { entityRows } from "../../check/types.ts";
import { isFaulty } from "../../check/reads/list-candidates.ts";
import { type BatchList, batchOf } from "../../mapping/batch-lists.ts";
import { catalogOf, entityOf } from "../../catalog/federation.ts";
import { conjuncts } from "../../check/reads/choose-list.ts";
import { keyParts } from "../../model/lookups.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { PlanTotal } from "../ir.ts";
import { planPred, predInputs } from "./lower-compute.ts";
import { type Fused, NOTHING_SENT } from "./fuse.ts";
import {
  isCounted,
  lacksRows,
  noParentGet,
  parentFields,
  type RelationRead,
  relationRead,
} from "./lower-relation.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { argInputs, lacksValue, planArgs, totalName } from "./plan-value.ts";

/**
 * Finds out what the rows of a relation come to for each row, by one read per row as a relation step has it (LANG-055):
 * conditions that the list takes are sent, the rest is tested. Null: in error, reported.
 */
export function lowerTotals(
  lowering: Lowering,
  rows: JoinRows,
  totals: readonly TotalValue[],
  source: string,
): string | null {
  const { context, exposure, drafts } = lowering;
  const [first] = totals;
  if (first === undefined) throw new Error("Something is asked of related rows.");
  const { related } = first;
  const head: RelationRows = {
    kind: "relation",
    stage: rows.stage,
    span: rows.span,
    type: entityRows(related.target, "many"),
    source: rows.source,
    owner: related.owner,
    target: related.target,
    relation: related.relation,
    reading: related.reading,
    nameSpan: related.nameSpan,
  };
  const conditions = related.pred === null ? [] : conjuncts(related.pred);
  if (conditions.some(isFaulty) || conditions.some(lacksValue)) return null;
  const fused: Fused = { ...NOTHING_SENT, head, top: head, steps: [head], conditions, limit: null };
  const read = relationRead(lowering, fused, head);
  if (read === null) return null;
  if (lacksRows(lowering, head, source)) {
    context.found.add(noParentGet(context, head));
    return null;
  }
  const args = planArgs(lowering, read.args);
  const filter = planPred(lowering, read.local);
  const counted = totals.every(isCountAlone) && isCounted(lowering, head, read);
  // Whether there is one is known with the first of them.
  const isFirstEnough = totals.every(({ fn, path }) => fn === "exists" && path === null);
  const batch = counted || isFirstEnough ? null : relatedBatch(lowering, head, read);
  const id = drafts.add(
    {
      id: "",
      kind: "join",
      effect_class: "read",
      stage: rows.stage,
      catalog: nodeCatalog(exposure, related.target),
      capability: read.capability,
      args,
      source,
      path: [related.relation],
      as: related.relation,
      wanted: [],
      totals: {
        owner: related.owner.entity,
        via: related.reading.via,
        filter,
        asked: askedOf(totals),
        ...(counted ? { count: true as const } : {}),
      },
      ...(batch === null ? {} : { batch: batch.list.name }),
      result: resultType(exposure, rows.type),
    },
    [source, ...argInputs(args), ...predInputs(filter)],
    rows,
    {
      bounded: true,
      each: null,
      bindings: parentFields(head),
      ...("bindings" in head.reading ? { bound: head.reading.bindings } : {}),
    },
  );
  for (const total of totals) lowering.putTotal(total.related, id);
  return id;
}

/** The list of a relation, where it gives the rows of several references at once, and says whose each is (RUN-080). */
function relatedBatch(
  { context }: Lowering,
  { owner, target, reading }: RelationRows,
  { list }: RelationRead,
): BatchList | null {
  if (list === null || list.each !== null || reading.via !== "query_scoped") return null;
  const [param = ""] = reading.bindings.keys();
  const catalog = catalogOf(context.exposure.catalogs, target.entryId);
  if (keyParts(entityOf(context.exposure.catalogs, owner)).length !== 1) return null;
  const batch = batchOf(catalog, list.capability, param);
  return batch === null || list.args.has(batch.param) ? null : batch;
}

/** Whether nothing is asked of the related rows but how many there are. */
const isCountAlone = ({ fn, path }: TotalValue): boolean => fn === "count" && path === null;

/** What is asked, each once, by name: equal questions make equal nodes. */
function askedOf(totals: readonly TotalValue[]): readonly PlanTotal[] {
  const asked = new Map(
    totals.map((total) => {
      const { fn, path } = total;
      const as = totalName(total);
      return [as, { as, fn, path }] as const;
    }),
  );
  return [...asked.values()].toSorted((a, b) => compareCodePoints(a.as, b.as));
}
