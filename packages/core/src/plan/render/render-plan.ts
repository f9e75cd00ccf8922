import type { ListNode, PlanNode } from "../node.ts";
import type { Figure, Plan, Reason } from "../plan.ts";
import { showNode } from "./show-node.ts";
import type { ValueStyle } from "./show-value.ts";

/** What a dry run shows besides the plan. */
export interface RenderOptions {
  /** milliseconds since the epoch, for the value after a relative date */
  readonly now?: number;
}

/** The text of a dry run: verdict and cost, reasons, an empty line, nodes (PLAN-040). */
export function renderPlan(plan: Plan, ref: string, options: RenderOptions = {}): string {
  const style: ValueStyle = {
    quoteAll: false,
    labelOf: (node) => plan.summary.nodes[node]?.label ?? node,
    now: options.now ?? null,
  };
  return [
    header(plan, ref),
    ...renderReasons(plan, ref),
    "",
    ...plan.nodes.map((node) => showNode(plan, node, style)),
  ].join("\n");
}

/** The ref of the first plan of a session (SESS-6): it alone names unused seeds. */
const FIRST_REF = "pc0";

/**
 * The reasons alone, one line each, expensive first: what a blocked run repeats (OPS-10). Unused seeds
 * share a line, which says how many more there are, and stand in the text of a session's first plan alone:
 * a session has more of them than any one program touches, and `unused_seeds` has them each time.
 */
export function renderReasons(plan: Plan, ref = FIRST_REF): readonly string[] {
  const all = plan.summary.reasons.filter(({ code }) => code === "unused_seed");
  const unused = ref === FIRST_REF ? all : [];
  const others = plan.summary.reasons.filter(({ code }) => code !== "unused_seed");
  const named = unused.slice(0, UNUSED_NAMED).map(({ detail }) => detail);
  const more = unused.length > named.length ? [`+${unused.length - named.length}`] : [];
  return [
    ...others.map((reason) => reasonLine(plan, reason)),
    ...(unused.length === 0 ? [] : [`info unused_seed: ${[...named, ...more].join(", ")}`]),
  ];
}

/** So many unused seeds are named; `unused_seeds` has them all (PLAN-041). */
const UNUSED_NAMED = 8;

function header(plan: Plan, ref: string): string {
  const { bill, verdict } = plan.summary;
  const nodes = `${plan.nodes.length} node${plan.nodes.length === 1 ? "" : "s"}`;
  const costs = [
    nodes,
    requestsText(plan, bill.requests),
    ...effectsText(bill.effects),
    ...workText(bill.work),
  ];
  const labels = plan.returns.map(({ label }) => label).join(", ");
  const results = labels === "" ? "" : ` → ${labels}`;
  return `plan ${verdict} ${ref} · ${costs.join(", ")}${results}`;
}

function requestsText(plan: Plan, requests: Figure): string {
  if ("exact" in requests) return counted(requests.exact, "request");
  if ("max" in requests) return `≤${requests.max} requests`;
  const certain = plan.nodes.reduce((sum, node) => sum + certainRequests(plan, node), 0);
  return `${counted(certain, "request")} or more`;
}

/** The requests a node sends whatever its inputs are. */
function certainRequests(plan: Plan, node: PlanNode): number {
  const requests = plan.summary.bill.nodes[node.id]?.requests;
  if (requests !== undefined && "exact" in requests) return requests.exact;
  const isList = node.kind === "query" || node.kind === "search";
  return (isList && !fansOut(node)) || isAnchored(node) || isOneEffect(node) ? 1 : 0;
}

function isAnchored(node: PlanNode): boolean {
  if (node.kind !== "relation") return false;
  return (
    node.anchor !== undefined &&
    (node.via === "query_scoped" || node.via === "query_scoped_bindings")
  );
}

/** Whether the number of requests depends on values that may be none (RUN-111). */
function fansOut({ args }: ListNode): boolean {
  return Object.values(args).some((value) => "from" in value && value.many);
}

function isOneEffect({ kind, effect_class }: PlanNode): boolean {
  return kind !== "for_each" && (effect_class === "write" || effect_class === "side_effect");
}

function effectsText(effects: Figure): readonly string[] {
  if ("exact" in effects) return effects.exact === 0 ? [] : [counted(effects.exact, "effect")];
  return "max" in effects ? [`≤${effects.max} effects`] : ["effects unknown"];
}

/** What its local steps may cost, where that is worth a thought (PLAN-053). */
function workText(units: number | undefined): readonly string[] {
  return units === undefined ? [] : [`~${units.toLocaleString("en-US")} units of work`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function reasonLine(plan: Plan, reason: Reason): string {
  const node = plan.nodes.find(({ id }) => id === reason.node);
  const entity = node === undefined ? null : entityName(node);
  const place = [reason.node, entity].filter((part) => part !== null).join(" ");
  const head = `${reason.severity} ${reason.code}${place === "" ? "" : ` ${place}`}`;
  return `${head}: ${reason.detail}`;
}

function entityName(node: PlanNode): string | null {
  if (node.kind === "for_each") return node.body.catalog.entity;
  return "catalog" in node ? node.catalog.entity : node.result.entity;
}
