import type { View } from "../../schema/view.ts";
import { parseTemplate } from "../../templates/parse-template.ts";
import { templateNames } from "../../templates/template-names.ts";
import type { TemplateName } from "../../templates/template-path.ts";
import type { Rule } from "../rule.ts";
import { findCircle, nodeFieldNeeds } from "./view-cycles.ts";

/** CAT-123: what templates read of nodes and outputs contains no circle. */
export const templateCyclesRule: Rule = ({ catalog, inDomain }) => {
  for (const view of catalog.cgs.views.values()) {
    const path = ["views", view.key];
    if (inDomain.faulty(path)) continue;
    const nodes = circleOfNodes(view);
    if (nodes !== null) {
      const at = view.nodes.findIndex(({ id }) => id === nodes[0]);
      const found = nodes.join(" → ");
      inDomain.atKey([...path, "nodes", at, "bind"], "CAT123", "templates", { found });
    }
    const outputs = findCircle(outputNeeds(view));
    if (outputs !== null) {
      const own = [...path, "output", outputs[0] ?? ""];
      inDomain.atKey(own, "CAT123", "templates", { found: outputs.join(" → ") });
    }
  }
};

/** A circle that templates have part in; those of node fields alone are told elsewhere. */
function circleOfNodes(view: View): readonly string[] | null {
  const fields = nodeFieldNeeds(view);
  if (findCircle(fields) !== null) return null;
  const scope = new Set(view.scope.map(({ name }) => name));
  const ids = view.nodes.map(({ id }) => id);
  const needs = view.nodes.map((node, at) => {
    const read = [...node.bind.values()]
      .flatMap((bind) => (bind.kind === "computed" ? namesIn(bind.template) : []))
      .flatMap((name) => nodesRead(name, scope, ids.slice(0, at)));
    return [node.id, [...(fields.get(node.id) ?? []), ...read]] as const;
  });
  return findCircle(new Map(needs));
}

/** The nodes a name reads: a scope parameter hides a node; `nodes` without a key reads all there are. */
function nodesRead(
  { root, steps: [step] }: TemplateName,
  scope: ReadonlySet<string>,
  earlier: readonly string[],
): readonly string[] {
  if (scope.has(root)) return [];
  if (earlier.includes(root)) return [root];
  if (root !== "nodes") return [];
  return step?.kind === "key" ? earlier.filter((id) => id === step.key) : earlier;
}

function outputNeeds(view: View): ReadonlyMap<string, readonly string[]> {
  const scope = new Set(view.scope.map(({ name }) => name));
  const needs = [...view.output].map(([key, output]) => {
    const names = output.kind === "computed" ? namesIn(output.template) : [];
    const roots = names.map(({ root }) => root);
    return [key, roots.filter((root) => !scope.has(root) && view.output.has(root))] as const;
  });
  return new Map(needs);
}

function namesIn(text: string): readonly TemplateName[] {
  const { template } = parseTemplate(text);
  return template === null ? [] : templateNames(template);
}
