import type { Catalog, CatalogSet, Json, Plan, PlanNode, PlanValue } from "@plasm/core";
import { innerCapabilities, keyText, parseProgram, remadeKey } from "@plasm/core/internal";
import type { NodeName } from "@plasm/runtime";
import type { RunEffect } from "../../records/operations.ts";

type ForEachBody = Extract<PlanNode, { kind: "for_each" }>["body"];

/** What is read here of an effect's request. */
interface Body {
  readonly kind: RunEffect["kind"];
  readonly catalog: { readonly entry_id: string; readonly entity: string };
  readonly capability: string;
  readonly target?: Readonly<Record<string, PlanValue>>;
  /** of the row that an undo makes again, where that is certain */
  readonly remade?: Readonly<Record<string, Json>> | null;
}

function requestOf(node: PlanNode | ForEachBody): Body | null {
  switch (node.kind) {
    case "create":
      return { ...node, remade: remadeKey(node) };
    case "update":
    case "delete":
    case "action":
      return node;
    default:
      return null;
  }
}

/** The request of an effect node, or of the effect that a node has per row; null for anything else. */
const bodyOf = (node: PlanNode): Body | null =>
  requestOf(node.kind === "for_each" ? node.body : node);

/** Node → what kind of effect it has, of a plan's effects alone. */
export const effectKinds = ({
  nodes,
}: Pick<Plan, "nodes">): ReadonlyMap<string, RunEffect["kind"]> =>
  new Map(
    nodes.flatMap((node): readonly (readonly [string, RunEffect["kind"]])[] => {
      const body = bodyOf(node);
      return body === null ? [] : [[node.id, body.kind]];
    }),
  );

/** Identity text of a key that the program holds whole (RUN-046). */
function targetOf({ catalog, target, remade = null }: Body): string | null {
  if (remade !== null) return `${catalog.entity}:${keyText(remade)}`;
  if (target === undefined) return null;
  const key: Record<string, Json> = {};
  for (const [name, value] of Object.entries(target)) {
    if (!("lit" in value)) return null;
    key[name] = value.lit;
  }
  return `${catalog.entity}:${keyText(key)}`;
}

/** Every effect of a plan in source order, by name: what can be told of it without the plan. */
export function effectsOfPlan(plan: Plan, catalogs: CatalogSet): readonly RunEffect[] {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  return plan.topological_order.flatMap((id): readonly RunEffect[] => {
    const node = nodes.get(id);
    const body = node === undefined ? null : bodyOf(node);
    if (node === undefined || body === null) return [];
    const { entry_id: entryId, entity } = body.catalog;
    const { capability } = body;
    const known = catalogs.get(entryId)?.cgs.capabilities.get(capability);
    return [
      {
        node: id,
        kind: body.kind,
        entryId,
        entity,
        capability,
        label: known?.label ?? capability,
        target: targetOf(body),
        span: plan.summary.nodes[id]?.span ?? null,
      },
    ];
  });
}

type Nodes = Pick<Plan, "nodes">;

/** Entry id → digest of each catalog that a plan names: those of what `=>` does per row, too. */
export function digestsOf({ nodes }: Nodes): Readonly<Record<string, string>> {
  const catalogs = nodes.flatMap((node) => {
    if (node.kind === "for_each") return [node.body.catalog];
    return "catalog" in node ? [node.catalog] : [];
  });
  return Object.fromEntries(catalogs.map(({ entry_id: id, digest }) => [id, digest]));
}

/** The capability that a node calls, or that `=>` calls per row, with its catalog; null where none is called. */
function calledBy(node: Plan["nodes"][number]) {
  const called = node.kind === "for_each" ? node.body : node;
  if (!("capability" in called) || called.capability === null) return null;
  return { entryId: called.catalog.entry_id, name: called.capability };
}

/**
 * The capabilities that a plan's rows are made by, each once, as `entry_id/capability`: those that views are
 * made of, too.
 */
export function usedCapabilities(
  { nodes }: Nodes,
  catalogs: ReadonlyMap<string, Catalog>,
): readonly string[] {
  const uses = nodes.flatMap((node) => {
    const called = calledBy(node);
    if (called === null) return [];
    const { entryId, name } = called;
    const catalog = catalogs.get(entryId);
    const inner = catalog === undefined ? [] : innerCapabilities(catalog, { name });
    return [name, ...inner.map((one) => one.name)].map((one) => `${entryId}/${one}`);
  });
  return [...new Set(uses)];
}

/** The catalogs that a plan names, each once. */
export const entryIdsOf = (plan: Nodes): readonly string[] => Object.keys(digestsOf(plan));

/** Code points of an expression that a message repeats. */
const MOST = 120;

/** What a label of a program stands for, on one line. */
function boundTo(source: string, label: string): string | null {
  const { statements } = parseProgram(source).program;
  const bound = statements.find((one) => one.kind === "Binding" && one.label.text === label);
  if (bound?.kind !== "Binding") return null;
  return onOneLine(source.slice(bound.node.span.start, bound.node.span.end));
}

function onOneLine(expression: string): string {
  const text = [...expression.replace(/\s+/g, " ").trim()];
  return text.length <= MOST ? text.join("") : `${text.slice(0, MOST - 1).join("")}…`;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The starts of the chains that a range lies in. */
function* chainStarts(tree: unknown, inside: Range): Generator<number> {
  if (typeof tree !== "object" || tree === null) return;
  const { kind, span } = tree as { readonly kind?: unknown; readonly span?: Range };
  if (span !== undefined && (span.start > inside.start || span.end < inside.end)) return;
  if (kind === "Chain" && span !== undefined) yield span.start;
  for (const [key, child] of Object.entries(tree)) {
    if (key !== "span") yield* chainStarts(child, inside);
  }
}

/** The chain up to and with the step that made a node. */
function chainTo(source: string, step: Range): string {
  const start = [...chainStarts(parseProgram(source).program, step)].at(-1) ?? step.start;
  return onOneLine(source.slice(start, step.end));
}

/** How messages of a run name the nodes of its plan: as the program does (ERR section 4). */
export function nameNodes(plan: Plan): (node: string) => NodeName {
  return (node) => {
    const { label = null, span } = plan.summary.nodes[node] ?? {};
    if (label !== null) return { name: label, text: boundTo(plan.source, label) };
    return { name: node, text: span === undefined ? null : chainTo(plan.source, span) };
  };
}
