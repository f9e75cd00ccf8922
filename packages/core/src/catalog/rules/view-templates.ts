import type { KeyPath } from "../key-path.ts";
import type { View } from "../../model/model.ts";
import type { TemplateName } from "../../templates/tree.ts";
import { checkTemplate, choice, templatePlace } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { parseTemplate } from "../../templates/parse/parse-template.ts";
import { templateNames } from "../../templates/template-names.ts";
import { findCircle, nodeFieldNeeds } from "./view-names.ts";

const MAX_LENGTH = 32_768;

/** CAT-126: computed binds and outputs are templates of RUN-101 over the names that section gives them. */
export const viewTemplatesRule: Rule = (context) => {
  for (const view of context.catalog.cgs.views.values()) {
    const path = ["views", view.key];
    if (!context.inDomain.faulty(path)) checkView(context, view, path);
  }
};

function checkView(context: RuleContext, view: View, path: KeyPath): void {
  const scope = view.scope.map(({ name }) => name);
  view.nodes.forEach((node, at) => {
    const earlier = view.nodes.slice(0, at).map(({ id }) => id);
    for (const [name, bind] of node.bind) {
      if (bind.kind !== "computed") continue;
      const own = [...path, "nodes", at, "bind", name, "template"];
      const names = checkText(context, bind.template, [...scope, ...earlier, "nodes"], own);
      for (const each of names) checkNodes(context, bind.template, each, earlier, own);
    }
  });
  for (const [name, output] of view.output) {
    if (output.kind !== "computed") continue;
    const own = [...path, "output", name, "template"];
    checkText(context, output.template, [...scope, ...view.output.keys()], own);
  }
}

function checkText(
  { inDomain }: RuleContext,
  text: string,
  allowed: readonly string[],
  path: KeyPath,
): readonly TemplateName[] {
  if (text.trim() === "") {
    inDomain.atValue(path, "CAT126", "blank", {});
    return [];
  }
  if (text.length > MAX_LENGTH) {
    const place = templatePlace(text, MAX_LENGTH);
    inDomain.atValue(path, "CAT126", "long", { found: text.length, place, allowed: MAX_LENGTH });
    return [];
  }
  const { faults, names } = checkTemplate(text, allowed);
  for (const fault of faults) {
    if (fault.kind === "problem") inDomain.atValue(path, "CAT126", "problem", fault);
    else inDomain.atValue(path, "CAT126", "name", fault);
  }
  return names;
}

/** `nodes.x` names a node before this one. */
function checkNodes(
  { inDomain }: RuleContext,
  text: string,
  { root, steps }: TemplateName,
  earlier: readonly string[],
  path: KeyPath,
): void {
  const [step] = steps;
  if (root !== "nodes" || step?.kind !== "key" || earlier.includes(step.key)) return;
  const place = templatePlace(text, step.start);
  const params = { place, found: step.key, ...choice(step.key, earlier) };
  inDomain.atValue(path, "CAT126", "node", params);
}

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

/** CAT-125: relation outputs are what the entity's relations say; CAT-005 for unknown ones. */
export const viewRelationsRule: Rule = ({ catalog, inDomain }) => {
  for (const view of catalog.cgs.views.values()) {
    const entity = catalog.cgs.entities.get(view.entity);
    if (entity === undefined || inDomain.faulty(["entities", view.entity, "relations"])) continue;
    view.relationOutputs.forEach((output, at) => {
      const path = ["views", view.key, "relation_outputs", at];
      const relation = entity.relations.get(output.relation);
      if (relation === undefined) {
        const names = entity.relations.keys();
        inDomain.unknown([...path, "relation"], "relation", output.relation, names);
        return;
      }
      const where = { entity: entity.name, relation: relation.name };
      if (output.target !== relation.target) {
        const params = { found: output.target, allowed: relation.target, ...where };
        inDomain.atValue([...path, "target"], "CAT125", "target", params);
      }
      if (output.cardinality !== relation.cardinality) {
        const params = { found: output.cardinality, allowed: relation.cardinality, ...where };
        inDomain.atValue([...path, "cardinality"], "CAT125", "cardinality", params);
      }
    });
  }
};
