import { isEffectKind, oneOfKind, type View } from "../../model/model.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-120: a view belongs to a capability mapped to it; CAT-121: its nodes are reads with own ids. */
export const viewCapabilityRule: Rule = (context) => {
  for (const view of context.catalog.cgs.views.values()) {
    checkCapability(context, view);
    checkNodes(context, view);
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

function checkNodes({ catalog, domain, inDomain }: RuleContext, view: View): void {
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
