import type { EffectRows, ForEachRows, Rows } from "../../check/typed-program.ts";
import type { CreateNode, EffectClass, ForEachBody, InvokeNode, PlanNode } from "../ir.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { argInputs, isUnknown, planArgs } from "./plan-value.ts";
import { conjuncts } from "../../check/reads/choose-list.ts";
import { NOTHING_SENT } from "./fuse.ts";
import { lowerGet, lowerList } from "./lower-list.ts";
import { bodySteps } from "./rows-graph.ts";

/** An effect, never merged with an equal one (LANG-074). Null: in error, reported. */
export function lowerEffect(lowering: Lowering, rows: EffectRows): string | null {
  const body = effectBody(lowering, rows);
  if (body === null) return null;
  const common = {
    id: "",
    effect_class: effectClass(body.kind),
    stage: rows.stage,
    result: resultType(lowering.exposure, rows.type),
  };
  const node: CreateNode | InvokeNode = { ...body, ...common };
  return lowering.drafts.addEffect(node, bodyInputs(body), rows);
}

/** An effect per row of the source. Null: in error, reported. */
function lowerEffectPerRow(
  lowering: Lowering,
  rows: ForEachRows,
  effect: EffectRows,
): string | null {
  const body = effectBody(lowering, effect);
  if (body === null) return null;
  const source = lowering.idOf(rows.source);
  return lowering.drafts.addEffect(
    {
      id: "",
      kind: "for_each",
      effect_class: "side_effect",
      stage: rows.stage,
      source,
      body,
      result: resultType(lowering.exposure, rows.type),
    },
    [source, ...bodyInputs(body)],
    rows,
  );
}

type EffectBody = Extract<ForEachBody, { kind: "create" | "update" | "delete" | "action" }>;

function effectBody(lowering: Lowering, rows: EffectRows): EffectBody | null {
  const { capability, entity } = rows;
  const target = rows.target ?? new Map();
  if ([...target.values(), ...rows.args.values()].some(isUnknown)) return null;
  const common = {
    catalog: nodeCatalog(lowering.exposure, entity),
    capability: capability.name,
    args: planArgs(lowering, rows.args),
  };
  switch (capability.kind) {
    case "create":
      return { kind: "create", ...common };
    case "update":
    case "delete":
    case "action":
      return { kind: capability.kind, ...common, target: planArgs(lowering, target) };
    case "query":
    case "search":
    case "get":
      throw new Error("A read is no effect.");
  }
}

function bodyInputs(body: EffectBody): readonly string[] {
  const target = "target" in body ? argInputs(body.target) : [];
  return [...target, ...argInputs(body.args)];
}

function effectClass(kind: EffectBody["kind"]): EffectClass {
  return kind === "action" ? "side_effect" : "write";
}

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
