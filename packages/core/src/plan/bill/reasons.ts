import type { NoteCode, TypedProgram } from "../../check/typed-program.ts";
import { entityId, type EntityKey, entityOf } from "../../catalog/federation.ts";
import { capabilityLabel } from "../../model/lookups.ts";
import type {
  ForEachBody,
  ListNode,
  PlanNode,
  PlanReturn,
  Reason,
  ReasonCode,
  RelationNode,
} from "../ir.ts";
import type { Estimate, EstimateContext } from "./estimation.ts";
import { isEffect } from "../algebra.ts";
import { fansOut, most } from "./make-bill.ts";
import type { LocalWork } from "../local-work.ts";
import { isFiltered } from "./list-read.ts";
import { canonicalJson } from "../../base/canonical-json.ts";

const FAN_OUT_ROWS = 25;
const WIDE_FIELDS = 12;

/** What the reasons of a plan are made from. */
export interface ReasonContext extends EstimateContext {
  readonly nodes: readonly PlanNode[];
  readonly returns: readonly PlanReturn[];
  readonly program: TypedProgram;
  readonly work: LocalWork;
  /** the budget `work` */
  readonly mostWork: number;
}

/** Why a plan needs review, and what its reader should know: expensive first (PLAN-021, OPS-6). */
export function planReasons(context: ReasonContext): readonly Reason[] {
  const found = [
    ...context.nodes.flatMap((node) => nodeReasons(context, node)),
    ...heavyWork(context),
    ...wideReads(context),
    ...unusedSeeds(context),
    ...duplicates(context),
    ...programNotes(context),
  ];
  const rank = { expensive: 0, review: 1, info: 2 } as const;
  return found.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
}

function nodeReasons(context: ReasonContext, node: PlanNode): readonly Reason[] {
  switch (node.kind) {
    case "query":
    case "search":
      return [...pagedReasons(context, node), ...fanOutReasons(context, node)];
    case "relation":
    case "get":
    case "join":
      return fanOutReasons(context, node);
    case "compute":
    case "data":
    case "derive":
      return [];
    case "create":
    case "update":
    case "delete":
    case "action":
      return [reason(context, "effect", node, calledLabel(node))];
    case "for_each":
      return forEachReasons(context, node);
  }
}

function forEachReasons(
  context: ReasonContext,
  node: Extract<PlanNode, { kind: "for_each" }>,
): readonly Reason[] {
  const rows = rowsText(context.of(node.id));
  if (node.effect_class === "read") {
    return exceeds(context.of(node.id)) ? [reason(context, "unbounded_for_each", node, rows)] : [];
  }
  return [
    reason(context, "mutating_for_each", node, rows),
    reason(context, "effect", node, calledLabel(node.body)),
  ];
}

function calledLabel({ capability, catalog }: Pick<ForEachBody, "capability" | "catalog">): string {
  return capabilityLabel(capability ?? "", catalog.entity);
}

/** `unbounded_read` or `scan` of a paged list (OPS-6). */
function pagedReasons(context: ReasonContext, node: ListNode): readonly Reason[] {
  if (!context.of(node.id).paged) return [];
  const need = context.need(node.id);
  const filtered = isFiltered(node, need);
  const limited = node.limit ?? (need.all === null ? need.rows : null);
  const bounded = context.facts(node.id)?.bounded === true;
  if (!bounded && limited === null && (need.all !== null || filtered)) {
    const detail = `paged, ${need.all ?? "filter is local"}`;
    return [reason(context, "unbounded_read", node, detail)];
  }
  if (!filtered || limited === null) return [];
  return [reason(context, "scan", node, `pages are read until ${limited} rows match`)];
}

/** A request per row or value, of which there may be more than 25 (PLAN-021). */
function fanOutReasons(
  context: ReasonContext,
  node: ListNode | RelationNode | Extract<PlanNode, { kind: "get" | "join" }>,
): readonly Reason[] {
  const estimate = context.of(node.id);
  const hydrates = estimate.hydration?.kind === "certain";
  const asks = fansOut(node, estimate) && aboveLimit(most(estimate.asks));
  if (asks) {
    const count = most(estimate.asks);
    const detail = count === null ? "a request per row, rows unknown" : `≤${count} requests`;
    return [reason(context, "relation_fanout", node, detail)];
  }
  if (!hydrates || !aboveLimit(most(estimate.rows))) return [];
  const fields = lackingText(estimate.hydration?.fields ?? []);
  return [reason(context, "relation_fanout", node, `a get per row for ${fields}`)];
}

function lackingText(wanted: readonly string[]): string {
  return wanted.length > 3 ? `${wanted.slice(0, 3).join(", ")} …` : wanted.join(", ");
}

function aboveLimit(count: number | null): boolean {
  return count === null || count > FAN_OUT_ROWS;
}

function exceeds(estimate: Estimate): boolean {
  return aboveLimit(most(estimate.asks));
}

function rowsText(estimate: Estimate): string {
  const count = most(estimate.asks);
  return count === null ? "rows unknown" : `≤${count} rows`;
}

/** Local steps that may cost more than a run may work: the dearest of them (PLAN-053). */
function heavyWork(context: ReasonContext): readonly Reason[] {
  const { work, mostWork } = context;
  if (work.units <= mostWork || work.dearest === null) return [];
  const [units, most] = [work.units, mostWork].map((each) => each.toLocaleString("en-US"));
  const detail = `local steps may take ${units} units of work, a run may take ${most}`;
  return [reason(context, "heavy_work", work.dearest, detail)];
}

/** Returned rows of an entity with many fields, whole and not just one. */
function wideReads(context: ReasonContext): readonly Reason[] {
  const returned = new Set(context.returns.map(({ node }) => node));
  return context.nodes.flatMap((node) => {
    const { card, columns, entity } = node.result;
    if (!returned.has(node.id) || card === "one" || columns !== null || entity === null) return [];
    const key = entityOfNode(context, node);
    if (key === null) return [];
    const fields = entityOf(context.rules.exposure.catalogs, key).fields.size;
    if (fields <= WIDE_FIELDS) return [];
    return [reason(context, "wide_read", node, `${fields} fields, name those needed: [a, b]`)];
  });
}

/** The entity of a node's rows, found through the steps that keep them. */
function entityOfNode(context: ReasonContext, node: PlanNode): EntityKey | null {
  let at: PlanNode | undefined = node;
  while (at !== undefined && at.kind !== "for_each" && !("catalog" in at)) {
    const source: string | undefined = "source" in at ? at.source : undefined;
    at = context.nodes.find(({ id }) => id === source);
  }
  const { entity } = node.result;
  if (at === undefined || entity === null) return null;
  return { entryId: (at.kind === "for_each" ? at.body : at).catalog.entry_id, entity };
}

/** Seeds that no node touches, relation targets included (OPS-6). */
function unusedSeeds(context: ReasonContext): readonly Reason[] {
  const { exposure } = context.rules;
  const touched = new Set(context.nodes.flatMap((node) => touchedEntities(node)));
  return exposure.symbols.entities
    .filter((key) => !touched.has(entityId(key)))
    .map((key) => ({
      code: "unused_seed",
      severity: "info",
      node: null,
      detail: `${key.entryId}.${key.entity}`,
      estimate: { requests: null, rows: null },
    }));
}

function touchedEntities(node: PlanNode): readonly string[] {
  const at = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in at)) return [];
  const { entry_id: entryId, entity } = at.catalog;
  const owner = at.kind === "relation" ? [entityId({ entryId, entity: at.owner })] : [];
  return [entityId({ entryId, entity }), ...owner];
}

function duplicates(context: ReasonContext): readonly Reason[] {
  return duplicateEffects(context.nodes).map(({ node, first }) =>
    reason(context, "duplicate_effect", node, `the same as ${first}; both are sent`),
  );
}

function programNotes(context: ReasonContext): readonly Reason[] {
  return context.program.notes.map(({ code, severity, detail }) => ({
    code,
    severity,
    node: null,
    detail,
    estimate: { requests: null, rows: null },
  }));
}

type NodeReasonCode = Exclude<ReasonCode, NoteCode>;

const SEVERITY: Readonly<Record<NodeReasonCode, Reason["severity"]>> = {
  effect: "review",
  unbounded_read: "expensive",
  relation_fanout: "expensive",
  mutating_for_each: "expensive",
  unbounded_for_each: "review",
  scan: "info",
  wide_read: "info",
  unused_seed: "info",
  duplicate_effect: "info",
  heavy_work: "review",
};

/** What reads cost: the reasons that a bill within a budget outweighs (PLAN-054). */
const READ_COSTS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "unbounded_read",
  "relation_fanout",
  "unbounded_for_each",
]);

/** Whether all that speaks against running a plan at once is what its reads may cost. */
export function onlyReadsCost(reasons: readonly Reason[]): boolean {
  return reasons.every(({ code, severity }) => severity === "info" || READ_COSTS.has(code));
}

function reason(
  context: ReasonContext,
  code: NodeReasonCode,
  node: PlanNode,
  detail: string,
): Reason {
  const { requests, rows } = context.of(node.id);
  const estimate = { requests: most(requests), rows: most(rows) };
  return { code, severity: SEVERITY[code], node: node.id, detail, estimate };
}

/** Effects that are equal to an earlier one, with that one's id: each of them is sent (LANG-074). */
function duplicateEffects(
  nodes: readonly PlanNode[],
): readonly { readonly node: PlanNode; readonly first: string }[] {
  const known = new Map<string, string>();
  return nodes.filter(isEffect).flatMap((node) => {
    const { id, stage: _, ...fact } = node;
    const text = canonicalJson(fact);
    const first = known.get(text);
    if (first !== undefined) return [{ node, first }];
    known.set(text, id);
    return [];
  });
}
