import type { KeyPath } from "../../load/key-path.ts";
import type { View, ViewBind, ViewNode, ViewOutput } from "../../schema/view.ts";
import { boundNames } from "../bound-names.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";

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
