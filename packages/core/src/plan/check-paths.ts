import { type CheckContext, programText } from "../check/check-context.ts";
import { speakerLike } from "../check/names/name-formatter.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { valueMessages } from "../diagnostics/value-messages.ts";
import { quoteText } from "../language/grammar/strings.ts";
import { pathBindings, type PathSource } from "../mapping/path-binding.ts";
import type { PathSegment, RequestTemplate } from "../mapping/template.ts";
import { spanIn } from "../base/source.ts";
import type { Span } from "../base/span.ts";
import type { Draft } from "./lower/rows-graph.ts";
import type { NumberedNodes } from "./lower/number-nodes.ts";
import type { ForEachBody, PlanNode, PlanValue } from "./ir.ts";

/**
 * Reports literals that no path can hold where the mapping puts them: nothing, `.` and `..` (MAP-012). A
 * dry run would be ok and the run fail for what was known before (PLAN-001).
 */
export function checkPaths(context: CheckContext, { nodes, drafts }: NumberedNodes): void {
  for (const node of nodes) {
    const draft = drafts.get(node.id);
    if (draft !== undefined) checkNode(context, node, draft);
  }
}

type Called = Extract<PlanNode | ForEachBody, { readonly capability: string | null }>;

function checkNode(context: CheckContext, node: PlanNode, draft: Draft): void {
  const called: PlanNode | ForEachBody = node.kind === "for_each" ? node.body : node;
  if (!("capability" in called) || called.capability === null) return;
  const catalog = context.exposure.catalogs.get(called.catalog.entry_id);
  const capability = catalog?.cgs.capabilities.get(called.capability);
  const template = catalog?.cml.get(called.capability);
  if (catalog === undefined || capability === undefined || template === undefined) return;
  const segments = variablesOf(template);
  for (const { variable, source } of pathBindings(catalog, capability, template)) {
    const segment = segments.get(variable);
    const { slot, values } = boundTo(called, variable, source);
    const wrong = values.find((value) => segment !== undefined && isNoSegment(segment, value));
    if (wrong === undefined) continue;
    const found = wrong === "" ? "empty text" : quoteText(wrong);
    const span = spanOf(context, draft, wrong, "target" in called);
    const args = { slot: shownSlot(context, draft, slot), found };
    context.found.add(diagnose(valueMessages.noSegment, span, args));
  }
}

type Variable = Extract<PathSegment, { readonly type: "var" }>;

function variablesOf(template: RequestTemplate): ReadonlyMap<string, Variable> {
  if (!("path" in template)) return new Map();
  return new Map(template.path.flatMap((each) => (each.type === "var" ? [[each.name, each]] : [])));
}

function isNoSegment({ encode, suffix }: Variable, text: string): boolean {
  if (text === "") return true;
  const parts = encode === "path" ? `${text}${suffix}`.split("/") : [`${text}${suffix}`];
  return parts.some((part) => part === "." || part === "..");
}

/** The slot in the notation of the expression (ERR-006). */
function shownSlot(context: CheckContext, { rows }: Draft, slot: string): string {
  const [name = ""] = /[A-Za-z_]\w*/.exec(programText(context, rows.span)) ?? [];
  return speakerLike(context.exposure, name).code(slot);
}

interface Bound {
  readonly slot: string;
  /** the texts among its literals */
  readonly values: readonly string[];
}

/** The slot that a path variable is filled from, with what is known of its values. */
function boundTo(node: Called, variable: string, source: PathSource): Bound {
  const key = keyOf(node);
  switch (source.kind) {
    case "identity": {
      const [entry, ...others] = Object.entries(key);
      return entry === undefined || others.length > 0 ? bound(variable) : bound(...entry);
    }
    case "key":
      return bound(source.field, key[source.field]);
    case "slot":
      return bound(source.slot, node.args[source.slot] ?? anchorOf(node));
    case "argument":
      return bound(variable, node.args[variable] ?? anchorOf(node));
    case "splat":
    case "fixed":
    case "preflight":
    case "session":
    case "receiver":
      return bound(variable);
  }
}

function keyOf(node: Called): Readonly<Record<string, PlanValue>> {
  if (node.kind === "get") return node.key;
  return "target" in node ? node.target : {};
}

/** What a relation binds to its one source row, where that has a key of one part. */
function anchorOf(node: Called): PlanValue | undefined {
  const [only, ...others] = node.kind === "relation" ? Object.values(node.anchor ?? {}) : [];
  return others.length === 0 ? only : undefined;
}

function bound(slot: string, value?: PlanValue): Bound {
  if (value === undefined || !("lit" in value)) return { slot, values: [] };
  const all: readonly unknown[] = Array.isArray(value.lit) ? value.lit : [value.lit];
  return { slot, values: all.filter((each) => typeof each === "string") };
}

/** Where the literal stands: in the expression that made the node, or before it, as targets do. */
function spanOf(context: CheckContext, { rows }: Draft, value: string, before: boolean): Span {
  const { text } = context.source;
  const { start, end } = rows.span;
  const written = [quoteText(value), `'${value}'`];
  const last = (to: number): Span | null => {
    const [at = -1, length = 0] =
      written
        .map((each) => [text.slice(0, to).lastIndexOf(each), each.length] as const)
        .toSorted(([a], [b]) => b - a)[0] ?? [];
    return at < 0 ? null : spanIn(context.source, at, at + length);
  };
  return (before ? last(start) : null) ?? last(end) ?? rows.span;
}
