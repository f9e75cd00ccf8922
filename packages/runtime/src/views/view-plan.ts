import type { Json, JsonObject } from "@plasm/core";
import {
  evaluateTemplate,
  parseTemplate,
  templateNames,
  type TemplateTree,
  type View,
  type ViewNode,
  type ViewOutput,
} from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import { referenceValue } from "../decode/row-references.ts";

/** A template of a view, read; `names` are those it takes from outside. */
export interface CompiledViewTemplate {
  readonly text: string;
  readonly tree: TemplateTree;
  readonly names: ReadonlySet<string>;
}

/** A node with what must be there before it: the nodes whose rows its binds read. */
export interface PlannedNode {
  readonly node: ViewNode;
  readonly needs: readonly string[];
}

/** What follows from a view alone, whoever asks it. */
export interface ViewPlan {
  readonly view: View;
  readonly nodes: readonly PlannedNode[];
  /** the outputs in an order in which each comes after those its template reads, templates last */
  readonly outputs: readonly (readonly [name: string, output: ViewOutput])[];
  template(text: string): CompiledViewTemplate;
}

const plans = new WeakMap<View, ViewPlan>();

/** The plan of a view, made once: views are frozen. */
export function viewPlan(view: View): ViewPlan {
  const known = plans.get(view);
  if (known !== undefined) return known;
  const made = makePlan(view);
  plans.set(view, made);
  return made;
}

function makePlan(view: View): ViewPlan {
  const read = new Map<string, CompiledViewTemplate>();
  const template = (text: string): CompiledViewTemplate => {
    const found = read.get(text) ?? readTemplate(text);
    read.set(text, found);
    return found;
  };
  const nodes = view.nodes.map((node, at) => {
    const earlier = view.nodes.slice(0, at).map(({ id }) => id);
    return { node, needs: nodeNeeds(view, node, earlier, template) };
  });
  return { view, nodes, outputs: orderedOutputs(view, template), template };
}

function readTemplate(text: string): CompiledViewTemplate {
  const { template: tree } = parseTemplate(text);
  if (tree === null) throw new Error("a loaded view has a template that does not parse (CAT-126)");
  return { text, tree, names: new Set(templateNames(tree).map(({ root }) => root)) };
}

/** A scope parameter hides a node of its name; `nodes` stands for all earlier ones (RUN-101). */
function nodeNeeds(
  view: View,
  node: ViewNode,
  earlier: readonly string[],
  template: ViewPlan["template"],
): readonly string[] {
  const scope = new Set(view.scope.map(({ name }) => name));
  const needs = new Set<string>();
  for (const bind of node.bind.values()) {
    if (bind.kind === "node_field") needs.add(bind.node);
    if (bind.kind !== "computed") continue;
    const { names } = template(bind.template);
    const all = names.has("nodes") && !scope.has("nodes") && !earlier.includes("nodes");
    const read = earlier.filter((id) => all || (names.has(id) && !scope.has(id)));
    for (const id of read) needs.add(id);
  }
  return [...needs];
}

/** `computed` outputs come last, each after those that it reads (RUN-100, CAT-123). */
function orderedOutputs(view: View, template: ViewPlan["template"]): ViewPlan["outputs"] {
  const entries = [...view.output];
  const ordered = entries.filter(([, { kind }]) => kind !== "computed");
  const placed = new Set<string>();
  const place = ([name, output]: (typeof entries)[number]): void => {
    if (output.kind !== "computed" || placed.has(name)) return;
    placed.add(name);
    const { names } = template(output.template);
    for (const entry of entries) if (names.has(entry[0])) place(entry);
    ordered.push([name, output]);
  };
  entries.forEach(place);
  return ordered;
}

/** RUN-101's limits of a catalog's templates. */
const LIMITS = Object.freeze({ steps: 100_000, output: 262_144 });

/** Line and column of an offset, both from 1. */
function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${Array.from(before.at(-1) ?? "").length + 1}`;
}

/** The text of a template; `where` names its bind or output. Throws RunFailure. */
export function fillTemplate(
  template: CompiledViewTemplate,
  names: JsonObject,
  where: string,
): string {
  const outcome = evaluateTemplate(template.tree, names, LIMITS);
  if (outcome.ok) return outcome.text;
  throw new RunFailure(
    failure(
      "template_failed",
      `Template ${where} at ${placeIn(template.text, outcome.start)}: ${outcome.message}`,
      "correct the template in the catalog, for instance with default(…) or an if",
    ),
  );
}

/** The rows of one node of a view; `cut` says that there are more than a view reads. */
export interface NodeRows {
  readonly rows: readonly EntityRow[];
  readonly cut: boolean;
}

/** The first row's field: null where there is no row, undefined while the row does not know it. */
export function firstField({ rows }: NodeRows, field: string): Json | undefined {
  const [first] = rows;
  return first === undefined ? null : first.fields.get(field);
}

/** A row as templates see it: the fields it knows, references as their keys (RUN-101). */
export function templateRow(row: EntityRow): JsonObject {
  const references = [...row.references].map(
    ([name, reference]) => [name, referenceValue(reference)] as const,
  );
  return Object.fromEntries([...references, ...row.fields]);
}
