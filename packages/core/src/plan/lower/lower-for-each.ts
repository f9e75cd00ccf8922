import type { ForEachRows, Rows } from "../../check/typed-program.ts";
import { conjuncts } from "../../check/reads/keyed-conditions.ts";
import type { ForEachBody, PlanNode } from "../node.ts";
import { NOTHING_SENT } from "./fuse.ts";
import { lowerEffectPerRow } from "./lower-effect.ts";
import { lowerGet } from "./lower-get.ts";
import { lowerList } from "./lower-list.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { bodySteps } from "./rows-graph.ts";

/** A read or an effect per row of the source (LANG-071). Null: in error, reported. */
export function lowerForEach(lowering: Lowering, rows: ForEachRows): string | null {
  if (rows.body.kind === "effect") return lowerEffectPerRow(lowering, rows, rows.body);
  const id = lowerBody(lowering, rows.body);
  if (id === null) return null;
  const draft = lowering.drafts.get(id);
  const body = bodyOf(draft.node);
  const source = lowering.idOf(rows.source);
  return lowering.drafts.add(
    {
      id: "",
      kind: "for_each",
      effect_class: "read",
      stage: rows.stage,
      source,
      body,
      result: resultType(lowering.exposure, rows.type),
    },
    [source, ...draft.inputs],
    rows,
  );
}

/** The read of a body as a node of its own, which no plan refers to. */
function lowerBody(lowering: Lowering, body: Rows): string | null {
  const steps = bodySteps(body);
  const head = steps.at(-1);
  if (head?.kind === "get") return lowerGet(lowering, head);
  if (head?.kind !== "list") throw new Error("A body is a read with filters.");
  const conditions = steps.flatMap((step) => (step.kind === "filter" ? conjuncts(step.pred) : []));
  return lowerList(
    lowering,
    { head, top: body, steps, conditions, limit: null, ...NOTHING_SENT },
    head,
  );
}

function bodyOf(node: PlanNode): ForEachBody {
  if (node.kind === "get") {
    const { kind, catalog, capability, args, key, missing, wanted } = node;
    return { kind, catalog, capability, args, key, missing, wanted };
  }
  if (node.kind === "query" || node.kind === "search") {
    const { kind, catalog, capability, args, filter, limit, wanted } = node;
    return { kind, catalog, capability, args, filter, limit, wanted };
  }
  throw new Error("A body is one read.");
}
