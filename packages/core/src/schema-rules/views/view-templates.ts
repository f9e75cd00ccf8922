import type { KeyPath } from "../../load/key-path.ts";
import type { View } from "../../schema/view.ts";
import type { TemplateName } from "../../templates/template-path.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { checkTemplate, templatePlace } from "../template-faults.ts";

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
