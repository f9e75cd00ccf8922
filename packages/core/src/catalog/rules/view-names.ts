import type { Catalog } from "../../mapping/template.ts";
import {
  type View,
  type ViewBind,
  type ViewNode,
  type ViewOutput,
  isEffectKind,
  oneOfKind,
} from "../../model/model.ts";
import type { KeyPath } from "../key-path.ts";
import { boundNames } from "./bound-names.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-120: a view belongs to a capability mapped to it; CAT-121: its nodes are reads with own ids. */
export const viewCapabilityRule: Rule = (context) => {
  for (const view of context.catalog.cgs.views.values()) {
    checkCapability(context, view);
    checkViewedNodes(context, view);
  }
};

function checkCapability({ catalog, domain, inDomain }: RuleContext, view: View): void {
  const path = ["views", view.key];
  const { entity, capability: found } = view;
  if (!inDomain.has(["entities", entity])) {
    inDomain.unknown([...path, "entity"], "entity", entity, domain.entities.keys());
  }
  const capability = catalog.cgs.capabilities.get(found);
  const at = [...path, "capability"];
  if (capability === undefined) {
    if (inDomain.has(["capabilities", found])) return;
    inDomain.unknown(at, "capability", found, domain.capabilities.keys());
    return;
  }
  if (capability.entity !== entity) {
    inDomain.atValue(at, "CAT120", "entity", { found, other: capability.entity, entity });
    return;
  }
  const template = catalog.cml.get(found);
  if (template === undefined) return;
  if (template.transport === "view" && template.view === view.key) return;
  const other =
    template.transport === "view" ? `view ${template.view}` : `transport ${template.transport}`;
  inDomain.atValue(at, "CAT120", "mapping", { found, other, view: view.key });
}

function checkViewedNodes({ catalog, domain, inDomain }: RuleContext, view: View): void {
  const seen = new Map<string, string>();
  view.nodes.forEach((node, at) => {
    const path = ["views", view.key, "nodes", at];
    const first = seen.get(node.id);
    if (first !== undefined) {
      inDomain.atValue([...path, "id"], "CAT121", "again", { found: node.id, first });
    } else seen.set(node.id, inDomain.valuePosition([...path, "id"]));
    const found = node.capability;
    const capability = catalog.cgs.capabilities.get(found);
    if (capability === undefined) {
      if (inDomain.has(["capabilities", found])) return;
      inDomain.unknown([...path, "capability"], "capability", found, domain.capabilities.keys());
    } else if (isEffectKind(capability.kind)) {
      const kind = oneOfKind(capability.kind);
      inDomain.atValue([...path, "capability"], "CAT121", "kind", { found, kind });
    }
  });
}

/** CAT-122: binds name parameters; CAT-124: outputs and fields exist; CAT-005 for nodes and scopes. */
export const viewNamesRule: Rule = (context) => {
  for (const view of context.catalog.cgs.views.values()) {
    const path = ["views", view.key];
    if (context.inDomain.faulty(path)) continue;
    view.nodes.forEach((node, at) => {
      for (const [name, bind] of node.bind) {
        const own = [...path, "nodes", at, "bind", name];
        checkBindName(context, node, name, own);
        checkPart(context, view, bind, own);
      }
    });
    for (const [name, output] of view.output) {
      const own = [...path, "output", name];
      checkOutputName(context, view, name, own);
      checkPart(context, view, output, own);
    }
    view.relationOutputs.forEach(({ binding }, at) => {
      const own = [...path, "relation_outputs", at, "binding"];
      checkNode(context, view, binding.node, own);
      if (!("whereField" in binding)) return;
      checkField(context, view, binding.node, binding.whereField, [...own, "where_field"]);
    });
  }
};

function checkBindName(
  { catalog, inDomain }: RuleContext,
  node: ViewNode,
  found: string,
  path: KeyPath,
): void {
  const capability = catalog.cgs.capabilities.get(node.capability);
  if (capability === undefined || inDomain.faulty(["capabilities", node.capability])) return;
  const open = capability.parameters.length === 0 && capability.inputSchema === undefined;
  if (capability.kind === "get" && open) return;
  const names = boundNames(catalog, capability).arguments;
  if (names.includes(found)) return;
  const params = { capability: capability.name, found, ...choice(found, names) };
  inDomain.atKey(path, "CAT122", "parameter", params);
}

function checkOutputName(
  { catalog, inDomain }: RuleContext,
  view: View,
  found: string,
  path: KeyPath,
): void {
  const entity = catalog.cgs.entities.get(view.entity);
  if (entity === undefined || entity.fields.has(found)) return;
  if (inDomain.faulty(["entities", view.entity, "fields"])) return;
  const params = { found, entity: entity.name, ...choice(found, entity.fields.keys()) };
  inDomain.atKey(path, "CAT124", "output", params);
}

function checkPart(
  context: RuleContext,
  view: View,
  part: ViewBind | ViewOutput,
  path: KeyPath,
): void {
  switch (part.kind) {
    case "literal":
    case "computed":
      return;
    case "scope": {
      const names = view.scope.map(({ name }) => name);
      if (names.includes(part.param)) return;
      context.inDomain.unknown([...path, "param"], "scope parameter", part.param, names);
      return;
    }
    case "node_row_count":
    case "node_row_count_positive":
      checkNode(context, view, part.node, path);
      return;
    case "node_field":
    case "node_field_histogram_json":
    case "node_any_row_field_equals":
      checkNode(context, view, part.node, path);
      checkField(context, view, part.node, part.field, [...path, "field"]);
  }
}

function checkNode({ inDomain }: RuleContext, view: View, found: string, path: KeyPath): void {
  const ids = view.nodes.map(({ id }) => id);
  if (!ids.includes(found)) inDomain.unknown([...path, "node"], "node", found, ids);
}

function checkField(
  { catalog, inDomain }: RuleContext,
  view: View,
  node: string,
  found: string,
  path: KeyPath,
): void {
  const name = view.nodes.find(({ id }) => id === node)?.capability ?? "";
  const entity = catalog.cgs.entities.get(catalog.cgs.capabilities.get(name)?.entity ?? "");
  if (entity === undefined || entity.fields.has(found)) return;
  if (inDomain.faulty(["entities", entity.name, "fields"])) return;
  const params = { found, entity: entity.name, node, ...choice(found, entity.fields.keys()) };
  inDomain.atValue(path, "CAT124", "field", params);
}

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
