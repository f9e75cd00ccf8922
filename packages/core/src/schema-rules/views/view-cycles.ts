import type { Catalog } from "../../mapping/catalog.ts";
import type { View } from "../../schema/view.ts";
import type { Rule, RuleContext } from "../rule.ts";

const MAX_DEPTH = 4;

/** CAT-123: nodes and views contain no circle, and views nest at most 4 deep. */
export const viewCyclesRule: Rule = (context) => {
  for (const view of context.catalog.cgs.views.values()) {
    checkNodes(context, view);
    checkNesting(context, view);
  }
};

function checkNodes({ inDomain }: RuleContext, view: View): void {
  const circle = findCircle(nodeFieldNeeds(view));
  if (circle === null) return;
  const at = view.nodes.findIndex(({ id }) => id === circle[0]);
  const path = ["views", view.key, "nodes", at, "bind"];
  inDomain.atKey(path, "CAT123", "nodes", { found: circle.join(" → ") });
}

/** The nodes each node takes a field of. */
export function nodeFieldNeeds(view: View): ReadonlyMap<string, readonly string[]> {
  const needs = view.nodes.map((node) => {
    const binds = [...node.bind.values()];
    const read = binds.flatMap((bind) => (bind.kind === "node_field" ? [bind.node] : []));
    return [node.id, read] as const;
  });
  return new Map(needs);
}

/** A circle of a small graph, its first name repeated at the end, or null. */
export function findCircle(
  edges: ReadonlyMap<string, readonly string[]>,
): readonly string[] | null {
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): readonly string[] | null => {
    const from = trail.indexOf(name);
    if (from !== -1) return [...trail.slice(from), name];
    if (done.has(name)) return null;
    for (const next of edges.get(name) ?? []) {
      const circle = visit(next, [...trail, name]);
      if (circle !== null) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of edges.keys()) {
    const circle = visit(name, []);
    if (circle !== null) return circle;
  }
  return null;
}

function checkNesting({ catalog, inDomain }: RuleContext, view: View): void {
  const chain = longestChain(catalog, view.key, []);
  const path = ["views", view.key];
  const last = chain.at(-1) ?? view.key;
  if (chain.indexOf(last) < chain.length - 1) {
    // A circle is told once, by the first view of it.
    const members = chain.slice(chain.indexOf(last));
    const [first] = members.toSorted();
    if (first !== view.key) return;
    inDomain.atKey(path, "CAT123", "views", { found: members.join(" → ") });
  } else if (chain.length > MAX_DEPTH) {
    const params = { found: chain.length, chain: chain.join(" → "), allowed: MAX_DEPTH };
    inDomain.atKey(path, "CAT123", "deep", params);
  }
}

/** The longest chain of views that contain each other, ending at the first repeated one. */
function longestChain(catalog: Catalog, key: string, trail: readonly string[]): readonly string[] {
  const chain = [...trail, key];
  if (trail.includes(key) || chain.length > MAX_DEPTH) return chain;
  let longest: readonly string[] = chain;
  for (const inner of viewsIn(catalog, key)) {
    const next = longestChain(catalog, inner, chain);
    if (next.length > longest.length) longest = next;
  }
  return longest;
}

function viewsIn(catalog: Catalog, key: string): readonly string[] {
  const nodes = catalog.cgs.views.get(key)?.nodes ?? [];
  const inner = nodes.flatMap((node) => {
    const template = catalog.cml.get(node.capability);
    return template?.transport === "view" ? [template.view] : [];
  });
  return [...new Set(inner)];
}
