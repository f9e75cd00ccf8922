import {
  parseTemplate,
  templateNames,
  type TemplateTree,
  type View,
  type ViewNode,
  type ViewOutput,
} from "@plasm/core";

/** A template of a view, read; `names` are those it takes from outside. */
export interface ViewTemplate {
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
  template(text: string): ViewTemplate;
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
  const read = new Map<string, ViewTemplate>();
  const template = (text: string): ViewTemplate => {
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

function readTemplate(text: string): ViewTemplate {
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
