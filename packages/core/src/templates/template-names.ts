import type { TextRange } from "../base/span.ts";
import type {
  PathStep,
  TemplateExpression,
  TemplateName,
  TemplateNode,
  TemplatePath,
  TemplateTree,
  TemplateUse,
} from "./tree.ts";

/**
 * The names a template reads from outside, with the members read of them, in the order of the text; each
 * points at the word it begins with. Names of loops and `set` stand for what they were made from: in
 * `{% for r in rows %}{{ r.x }}` the last is `rows`, an item, `x`.
 */
export function templateNames(template: TemplateTree): readonly TemplateName[] {
  const found: Found = new Map();
  visitNodes(found, { names: new Map(), outer: null, loopItem: null }, template.body);
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** By the offset of their word. */
type Found = Map<number, TemplateName>;

function visitNodes(found: Found, locals: LocalNames, nodes: readonly TemplateNode[]): void {
  for (const node of nodes) visitNode(found, locals, node);
}

function visitNode(found: Found, locals: LocalNames, node: TemplateNode): void {
  switch (node.kind) {
    case "text":
      return;
    case "output":
      visit(found, locals, node.value, "whole");
      return;
    case "set": {
      locals.names.set(node.name, madeFrom(visit(found, locals, node.value, "traced")));
      return;
    }
    case "if":
      return visitIf(found, locals, node);
    case "for": {
      const over = visit(found, locals, node.over, "looped");
      const item = over === null ? null : { root: over.root, steps: [...over.steps, ITEM] };
      const inner = innerLocals(locals, item);
      inner.names.set(node.variable, { path: item, sure: true, at: over?.start ?? 0 });
      visitNodes(found, inner, node.body);
      const empty = innerLocals(locals);
      visitNodes(found, empty, node.otherwise);
      merge(found, locals, [locals, empty]);
    }
  }
}

function visitIf(
  found: Found,
  locals: LocalNames,
  node: Extract<TemplateNode, { readonly kind: "if" }>,
): void {
  const ways: LocalNames[] = [];
  for (const { condition, body } of node.branches) {
    visit(found, locals, condition, "traced");
    const way = innerLocals(locals);
    visitNodes(found, way, body);
    ways.push(way);
  }
  const otherwise = innerLocals(locals);
  visitNodes(found, otherwise, node.otherwise);
  merge(found, locals, [...ways, otherwise]);
}

/** Goes on after one of several ways; what is lost from sight may be used whole. */
function merge(found: Found, locals: LocalNames, ways: readonly LocalNames[]): void {
  for (const { at } of mergeLocals(locals, ways)) {
    const name = found.get(at);
    if (name !== undefined) found.set(at, { ...name, use: "whole" });
  }
}

function madeFrom(from: TemplateName | null): LocalName {
  return { path: from, sure: true, at: from?.start ?? 0 };
}

/** Longer paths, which only chains of `set` make, end with a computed step, so that work stays linear. */
const MAX_STEPS = 200;

const ITEM: PathStep = { kind: "item" };

/** Notes what an expression reads; gives what it stands for, if that is a path. */
function visit(
  found: Found,
  locals: LocalNames,
  expression: TemplateExpression,
  use: TemplateUse,
): TemplateName | null {
  const name = trace(found, locals, expression);
  if (name === null) return null;
  // A value that may be the template's own cannot be traced on.
  const noted: TemplateName = name.maybeSet ? { ...name, use: "whole" } : { ...name, use };
  found.set(name.start, noted);
  return name.maybeSet ? null : noted;
}

/** The path that an expression is, not yet noted; of anything else the parts are visited. */
function trace(
  found: Found,
  locals: LocalNames,
  expression: TemplateExpression,
): TemplateName | null {
  switch (expression.kind) {
    case "literal":
      return null;
    case "name":
      return traceName(locals, expression.name, expression);
    case "loop": {
      const isItem = expression.part === "previtem" || expression.part === "nextitem";
      if (!isItem || locals.loopItem === null) return null;
      return ofLocal(locals.loopItem, expression);
    }
    case "attribute": {
      const { key, keyAt } = expression;
      const step: PathStep = { kind: "key", key, quoted: false, ...keyAt };
      return extended(trace(found, locals, expression.of), step);
    }
    case "index": {
      const of = trace(found, locals, expression.of);
      visit(found, locals, expression.index, "whole");
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
  for (const [part, use] of partsOf(expression)) visit(found, locals, part, use);
  return null;
}

function traceName(locals: LocalNames, name: string, at: TextRange): TemplateName | null {
  const local = localName(locals, name);
  if (local === undefined) return named({ root: name, steps: [] }, at);
  if (!local.sure) return { ...named({ root: name, steps: [] }, at), maybeSet: true };
  return local.path === null ? null : ofLocal(local.path, at);
}

/** A name that the template gives itself. */
function ofLocal(path: TemplatePath, at: TextRange): TemplateName {
  return { ...named(path, at), local: true, inherited: path.steps.length };
}

function named({ root, steps }: TemplatePath, { start, end }: TextRange): TemplateName {
  return { root, steps, start, end, local: false, inherited: 0, use: "whole", maybeSet: false };
}

function extended(name: TemplateName | null, step: PathStep): TemplateName | null {
  if (name === null || name.steps.length > MAX_STEPS) return name;
  const next: PathStep = name.steps.length === MAX_STEPS ? { kind: "computed" } : step;
  return { ...name, steps: [...name.steps, next] };
}

function indexStep(index: TemplateExpression): PathStep {
  const number = index.kind === "negate" ? index.of : index;
  if (number.kind !== "literal") return { kind: "computed" };
  if (number.value.kind === "integer") return ITEM;
  if (number.value.kind !== "text") return { kind: "computed" };
  const { start, end } = index;
  return { kind: "key", key: number.value.value, quoted: true, start, end };
}

/** The parts of an expression, and what becomes of the value of each. */
function partsOf(
  expression: TemplateExpression,
): readonly (readonly [TemplateExpression, TemplateUse])[] {
  switch (expression.kind) {
    case "literal":
    case "name":
    case "loop":
      return [];
    case "list":
      return expression.items.map((item) => [item, "whole"]);
    case "test":
    case "not":
      return [[expression.of, "traced"]];
    case "attribute":
    case "negate":
      return [[expression.of, "whole"]];
    case "index":
      return [
        [expression.of, "whole"],
        [expression.index, "whole"],
      ];
    case "filter": {
      const given = expression.arguments.map((each) => [each, "whole"] as const);
      return [[expression.of, expression.filter === "length" ? "traced" : "whole"], ...given];
    }
    case "binary":
      return [
        [expression.left, "whole"],
        [expression.right, "whole"],
      ];
    case "choose": {
      const { condition, chosen, otherwise } = expression;
      const ways = otherwise === null ? [chosen] : [chosen, otherwise];
      return [[condition, "traced"], ...ways.map((way) => [way, "whole"] as const)];
    }
  }
}

/** A name that `set` or `for` gives: what it stands for, if that is a path, and whether it surely has a value. */
interface LocalName {
  readonly path: TemplatePath | null;
  readonly sure: boolean;
  /** the offset of the word it was made from */
  readonly at: number;
}

/** The names that one part of a template gives, on top of those around it. */
interface LocalNames {
  readonly names: Map<string, LocalName>;
  readonly outer: LocalNames | null;
  /** What an item of the innermost loop is. */
  readonly loopItem: TemplatePath | null;
}

/** A part inside another; what it gives is its own until it is merged. */
function innerLocals(
  outer: LocalNames,
  loopItem: TemplatePath | null = outer.loopItem,
): LocalNames {
  return { names: new Map(), outer, loopItem };
}

/** A name as a part sees it; blocks nest at most 100 deep. */
function localName(locals: LocalNames, name: string): LocalName | undefined {
  for (let at: LocalNames | null = locals; at !== null; at = at.outer) {
    const found = at.names.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Puts into `target` what holds after one of several ways through a template was taken, each a part inside
 * it or `target` itself. Gives the names that stood for a path on some way and cannot be followed any
 * further.
 */
function mergeLocals(target: LocalNames, ways: readonly LocalNames[]): readonly LocalName[] {
  const lost: LocalName[] = [];
  const inner = ways.filter((way) => way !== target);
  for (const name of new Set(inner.flatMap((way) => [...way.names.keys()]))) {
    const found = ways.map((way) => localName(way, name));
    const [first] = found;
    const path = found.every((each) => each?.path === first?.path) ? (first?.path ?? null) : null;
    const sure = found.every((each) => each?.sure === true);
    const known = found.filter((each) => each !== undefined);
    const [given] = known;
    if (given !== undefined) target.names.set(name, { path, sure, at: given.at });
    if (path === null || !sure) lost.push(...known.filter((each) => each.path !== null));
  }
  return lost;
}
