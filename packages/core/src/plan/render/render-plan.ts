import type {
  Figure,
  ForEachBody,
  Plan,
  PlannedEffect,
  PlanNode,
  PlanValue,
  Reason,
  ReasonCode,
} from "../ir.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { isEffect, type NamedFile } from "../algebra.ts";
import { filesOfPlan } from "../files.ts";
import { showNode } from "./show-node.ts";
import { cut, showNamed, showValue, type ValueStyle } from "./show-value.ts";
import { catalogOf } from "../../catalog/federation.ts";
import type { AccessRules } from "../../check/access.ts";
import type { Catalog } from "../../mapping/template.ts";
import { capabilitiesOf, providedFields } from "../../model/lookups.ts";
import type { Capability } from "../../model/model.ts";
import { slotsOf } from "../../model/slots-of.ts";
import { certainRequests, preflightReads, undoRead } from "../bill/make-bill.ts";

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
    ...reasonLines(plan, ref, SAID_BY_NODES),
    ...stopLine(plan, ref),
    ...filesOfPlan(plan).map(fileLine),
    "",
    ...plan.nodes.map((node) => showNode(plan, node, style)),
  ].join("\n");
}

/** A path is shown whole, unless it is longer than any reviewer reads. */
const LONGEST_NAME = 400;

/** What leaves with a plan's effects: a file, its size and its SHA-256, where that is known before (VAL-08). */
function fileLine({ name, content }: NamedFile): string {
  const shown = cut(quoteText(name), LONGEST_NAME);
  if (content === null) return `sends ${shown}: fetched when it runs`;
  return `sends ${shown}: ${content.size.toLocaleString("en-US")} bytes, sha256 ${content.sha256}`;
}

/** Where reads that nobody has reviewed stop, and what reads on (PLAN-054). */
function stopLine({ summary }: Plan, ref: string): readonly string[] {
  if (summary.stops_at === undefined) return [];
  const { requests, rows } = summary.stops_at;
  const most = `${counted(requests, "request")} or ${rows.toLocaleString("en-US")} rows`;
  return [`runs at once, partial at ${most}; plan_commit_ref=${ref} reads under the full budgets`];
}

/** The ref of the first plan of a session (SESS-6): it alone names unused seeds. */
const FIRST_REF = "pc0";

/**
 * The reasons alone, one line each, expensive first: what a blocked run repeats (OPS-10). Unused seeds
 * share a line, which says how many more there are, and stand in the text of a session's first plan alone:
 * a session has more of them than any one program touches, and `unused_seeds` has them each time.
 */
export const renderReasons = (plan: Plan, ref = FIRST_REF): readonly string[] =>
  reasonLines(plan, ref, NONE);

const NONE: ReadonlySet<ReasonCode> = new Set();

/** What the line of a node says itself: that it is an effect, of what and with which arguments, and how often. */
const SAID_BY_NODES: ReadonlySet<ReasonCode> = new Set<ReasonCode>(["effect", "mutating_for_each"]);

function reasonLines(plan: Plan, ref: string, but: ReadonlySet<ReasonCode>): readonly string[] {
  const all = plan.summary.reasons.filter(({ code }) => code === "unused_seed");
  const unused = ref === FIRST_REF ? all : [];
  const others = plan.summary.reasons.filter(
    ({ code }) => code !== "unused_seed" && !but.has(code),
  );
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
  return `${counted(certainRequests(plan.nodes, plan.summary.bill), "request")} or more`;
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

/**
 * The effects of a plan in plan order, each with its catalog, capability, target and arguments; values
 * that come from other nodes are shown as references, long ones cut (OPS-37, PLAN-040).
 */
export function plannedEffects(
  nodes: readonly PlanNode[],
  rules: AccessRules,
  labelOf: (node: string) => string,
): readonly PlannedEffect[] {
  const style: ValueStyle = { quoteAll: false, labelOf, now: null };
  return nodes.flatMap((node) => {
    const called = effectOf(node);
    if (called === null) return [];
    const { body, source } = called;
    const catalog = catalogOf(rules.exposure.catalogs, body.catalog.entry_id);
    const capability = catalog.cgs.capabilities.get(body.capability ?? "");
    const planned = { node: node.id, ...described(body, style), for_each: source };
    if (capability === undefined) return [planned];
    const undoes = "undoes" in body && body.undoes !== undefined;
    const before = undoRead(rules, catalog, capability, undoes);
    const reads = [
      ...(before === null ? [] : [before.name]),
      ...preflightReads(capability, body.args),
    ];
    const undo = undoOf(catalog, capability, before, Object.keys(body.args));
    const empties = emptiedBy(catalog, capability, Object.keys(body.args));
    return [
      {
        ...planned,
        ...(reads.length === 0 ? {} : { reads }),
        ...(undo === null ? {} : { undo }),
        ...(empties.length === 0 ? {} : { empties }),
      },
    ];
  });
}

/**
 * The fields that an update by PUT may empty, since it takes them and they are not sent: where the same address has a PATCH as well, a
 * PUT is of the whole row (PLAN-042).
 */
function emptiedBy(
  { cgs, cml }: Catalog,
  capability: Capability,
  args: readonly string[],
): readonly string[] {
  const addressOf = (name: string, method: "PATCH" | "PUT"): string | null => {
    const template = cml.get(name);
    if (template?.transport !== "http" || template.method !== method) return null;
    return JSON.stringify(template.path);
  };
  const address = capability.kind === "update" ? addressOf(capability.name, "PUT") : null;
  if (address === null) return [];
  const isPatched = capabilitiesOf(cgs, capability.entity).some(
    (one) => addressOf(one.name, "PATCH") === address,
  );
  const fields = cgs.entities.get(capability.entity)?.fields;
  if (!isPatched || fields === undefined) return [];
  const names = slotsOf(capability).map(({ name }) => name);
  return names.filter((name) => fields.has(name) && !args.includes(name));
}

/** What takes an effect back that is called with these arguments; null where the catalog says nothing (UNDO-02). */
function undoOf(
  { cgs }: Catalog,
  { undo, kind, entity }: Capability,
  before: Capability | null,
  args: readonly string[],
): string | null {
  if (undo === undefined) return null;
  if (undo.kind === "none" || (before === null && kind !== "create")) return "none";
  if (undo.kind === "call") return cgs.capabilities.get(undo.capability)?.label ?? "none";
  const fields = new Set(before === null ? [] : providedFields(cgs, before));
  const known = cgs.entities.get(entity)?.fields;
  return args.every((name) => {
    const field = undo.args.get(name) ?? name;
    return fields.has(field) && known?.has(field) === true;
  })
    ? "restore"
    : "none";
}

interface CalledEffect {
  readonly body: ForEachBody;
  /** the node of whose rows each has one */
  readonly source: string | null;
}

function effectOf(node: PlanNode): CalledEffect | null {
  if (!isEffect(node)) return null;
  return node.kind === "for_each"
    ? { body: node.body, source: node.source }
    : { body: node, source: null };
}

function described(body: ForEachBody, style: ValueStyle) {
  const target = "target" in body ? Object.entries(body.target) : [];
  const [only, ...others] = target;
  const args = Object.entries(body.args).map(([name, value]) => [name, plainText(value, style)]);
  return {
    catalog: body.catalog.entry_id,
    capability: body.capability ?? "",
    target:
      only === undefined
        ? null
        : others.length === 0
          ? plainText(only[1], style)
          : showNamed(Object.fromEntries(target), style).join(", "),
    args: Object.fromEntries(args) as Readonly<Record<string, string>>,
  };
}

/** Text as it is, other values as a program writes them. */
function plainText(value: PlanValue, style: ValueStyle): string {
  const isText = "lit" in value && typeof value.lit === "string";
  return isText ? cut(String(value.lit)) : showValue(value, style);
}
