import type { TextRange } from "../source/span.ts";
import { copyLocals, type LocalNames, mergeLocals } from "./local-names.ts";
import type { PathStep, TemplateName, TemplatePath } from "./template-path.ts";
import type { Expression, TemplateNode, TemplateTree } from "./tree.ts";

/**
 * The names a template reads from outside, with the members read of them, in the order of the text; each
 * points at the word it begins with. Names of loops and `set` stand for what they were made from: in
 * `{% for r in rows %}{{ r.x }}` the last is `rows`, an item, `x`.
 */
export function templateNames(template: TemplateTree): readonly TemplateName[] {
  const found: TemplateName[] = [];
  visitNodes(found, { names: new Map(), loopItem: null }, template.body);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

function visitNodes(
  found: TemplateName[],
  locals: LocalNames,
  nodes: readonly TemplateNode[],
): void {
  for (const node of nodes) visitNode(found, locals, node);
}

function visitNode(found: TemplateName[], locals: LocalNames, node: TemplateNode): void {
  switch (node.kind) {
    case "text":
      return;
    case "output":
      visit(found, locals, node.value);
      return;
    case "set":
      locals.names.set(node.name, { path: visit(found, locals, node.value), sure: true });
      return;
    case "if":
      return visitIf(found, locals, node);
    case "for": {
      const over = visit(found, locals, node.over);
      const item = over === null ? null : { root: over.root, steps: [...over.steps, ITEM] };
      const inner: LocalNames = { names: new Map(locals.names), loopItem: item };
      inner.names.set(node.variable, { path: item, sure: true });
      visitNodes(found, inner, node.body);
      const empty = copyLocals(locals);
      visitNodes(found, empty, node.otherwise);
      mergeLocals(locals, [locals, empty]);
    }
  }
}

function visitIf(
  found: TemplateName[],
  locals: LocalNames,
  node: Extract<TemplateNode, { readonly kind: "if" }>,
): void {
  const ways: LocalNames[] = [];
  for (const { condition, body } of node.branches) {
    visit(found, locals, condition);
    const way = copyLocals(locals);
    visitNodes(found, way, body);
    ways.push(way);
  }
  const otherwise = copyLocals(locals);
  visitNodes(found, otherwise, node.otherwise);
  mergeLocals(locals, [...ways, otherwise]);
}

/** Longer paths, which only chains of `set` make, end with a computed step, so that work stays linear. */
const MAX_STEPS = 200;

const ITEM: PathStep = { kind: "item" };

/** Notes what an expression reads; the path it stands for, if it is one. */
function visit(
  found: TemplateName[],
  locals: LocalNames,
  expression: Expression,
): TemplatePath | null {
  const name = trace(found, locals, expression);
  if (name === null) return null;
  found.push(name);
  return name.maybeSet ? null : { root: name.root, steps: name.steps };
}

/** The path that an expression is, not yet noted; of anything else the parts are visited. */
function trace(
  found: TemplateName[],
  locals: LocalNames,
  expression: Expression,
): TemplateName | null {
  switch (expression.kind) {
    case "literal":
      return null;
    case "name":
      return traceName(locals, expression.name, expression);
    case "loop": {
      const isItem = expression.part === "previtem" || expression.part === "nextitem";
      return isItem && locals.loopItem !== null ? named(locals.loopItem, expression) : null;
    }
    case "attribute": {
      const { key, keyAt } = expression;
      const step: PathStep = { kind: "key", key, quoted: false, ...keyAt };
      return extended(trace(found, locals, expression.of), step);
    }
    case "index": {
      const of = trace(found, locals, expression.of);
      visit(found, locals, expression.index);
      return extended(of, indexStep(expression.index));
    }
    case "filter":
      if (expression.filter === "first" || expression.filter === "last") {
        return extended(trace(found, locals, expression.of), ITEM);
      }
      break;
    case "list":
    case "test":
    case "not":
    case "negate":
    case "binary":
    case "choose":
      break;
  }
  for (const part of partsOf(expression)) visit(found, locals, part);
  return null;
}

function traceName(locals: LocalNames, name: string, at: TextRange): TemplateName | null {
  const local = locals.names.get(name);
  if (local === undefined) return named({ root: name, steps: [] }, at);
  if (!local.sure) return { ...named({ root: name, steps: [] }, at), maybeSet: true };
  return local.path === null ? null : named(local.path, at);
}

function named({ root, steps }: TemplatePath, { start, end }: TextRange): TemplateName {
  return { root, steps, start, end, maybeSet: false };
}

function extended(name: TemplateName | null, step: PathStep): TemplateName | null {
  if (name === null || name.steps.length > MAX_STEPS) return name;
  const next: PathStep = name.steps.length === MAX_STEPS ? { kind: "computed" } : step;
  return { ...name, steps: [...name.steps, next] };
}

function indexStep(index: Expression): PathStep {
  const number = index.kind === "negate" ? index.of : index;
  if (number.kind !== "literal") return { kind: "computed" };
  if (number.value.kind === "integer") return ITEM;
  if (number.value.kind !== "text") return { kind: "computed" };
  const { start, end } = index;
  return { kind: "key", key: number.value.value, quoted: true, start, end };
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "name":
    case "loop":
      return [];
    case "list":
      return expression.items;
    case "attribute":
    case "test":
    case "not":
    case "negate":
      return [expression.of];
    case "index":
      return [expression.of, expression.index];
    case "filter":
      return [expression.of, ...expression.arguments];
    case "binary":
      return [expression.left, expression.right];
    case "choose": {
      const { condition, chosen, otherwise } = expression;
      return otherwise === null ? [condition, chosen] : [condition, chosen, otherwise];
    }
  }
}
