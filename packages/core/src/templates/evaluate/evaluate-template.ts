import type { TextRange } from "../../base/span.ts";
import type { JsonObject } from "../../values/value-type.ts";
import { type NameScope, valueOf } from "./evaluate-expression.ts";
import { isTrue } from "./calculate.ts";
import { itemsOf } from "./items.ts";
import { printTemplateValue } from "./print.ts";
import { Run, type TemplateFailure, type TemplateLimits } from "./run.ts";
import { describe } from "./value.ts";
import type { TemplateNode, TemplateTree } from "../tree.ts";

/** The text of a template, or why there is none. */
export type TemplateOutcome =
  | { readonly ok: true; readonly text: string }
  | ({ readonly ok: false } & TemplateFailure);

/** Where output goes. */
interface Output {
  readonly parts: string[];
  length: number;
}

/**
 * The text of a template (RUN-101, LANG-081). Undefined names and missing keys fail, null prints as nothing,
 * nothing is escaped. Of the bindings only own properties of plain JSON are seen. Never throws.
 */
export function evaluateTemplate(
  template: TemplateTree,
  bindings: JsonObject,
  limits: TemplateLimits,
): TemplateOutcome {
  const work = evaluateInSteps(template, bindings, limits, false);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same with pauses, each after some milliseconds of work: the caller goes on when it likes. Yields how many steps
 * were taken since the last pause, the last ones before the end included. In templates of programs `default` stands in
 * for null as well (LANG-081); in those of catalogs null is a value.
 */
export function* evaluateInSteps(
  template: TemplateTree,
  bindings: JsonObject,
  limits: TemplateLimits,
  nullHasDefault = true,
): Generator<number, TemplateOutcome> {
  const run = new Run(limits, nullHasDefault);
  const output: Output = { parts: [], length: 0 };
  const scope = { names: new Map(), outer: null, loop: null };
  yield* runNodes({ run, bindings, scope }, template.body, output);
  yield run.stepsSince();
  if (run.failure !== null) return { ok: false, ...run.failure };
  return { ok: true, text: output.parts.join("") };
}

function* runNodes(
  place: NameScope,
  nodes: readonly TemplateNode[],
  output: Output,
): Generator<number, void> {
  const { run } = place;
  for (const node of nodes) {
    if (run.failure !== null) return;
    if (node.kind === "if") yield* runNodes(place, branchOf(place, node), output);
    else if (node.kind === "for") yield* runLoop(place, node, output);
    else runNode(place, node, output);
    if (run.isLong()) yield run.stepsSince();
  }
}

type NodeOf<K extends TemplateNode["kind"]> = Extract<TemplateNode, { readonly kind: K }>;

/** The part of an `if` whose condition holds; nothing once the evaluation has failed. */
function branchOf(place: NameScope, node: NodeOf<"if">): readonly TemplateNode[] {
  for (const { condition, body } of node.branches) {
    if (!place.run.spend(condition)) return [];
    if (isTrue(valueOf(place, condition))) return body;
  }
  return node.otherwise;
}

function runNode(place: NameScope, node: NodeOf<"text" | "output" | "set">, output: Output): void {
  const { run, scope } = place;
  switch (node.kind) {
    case "text":
      return write(run, node, node.text, output);
    case "output":
      if (!run.spend(node.value)) return;
      return write(
        run,
        node.value,
        printTemplateValue(run, node.value, valueOf(place, node.value)),
        output,
      );
    case "set":
      if (!run.spend(node.value)) return;
      scope.names.set(node.name, valueOf(place, node.value));
      return;
  }
}

function* runLoop(place: NameScope, node: NodeOf<"for">, output: Output): Generator<number, void> {
  const { run, scope } = place;
  const over = valueOf(place, node.over);
  const items = itemsOf(run, node.over, over);
  if (items === null) {
    run.fail(node.over, `Found ${describe(over)} in for. Allowed: a list, an object or a text.`);
    return;
  }
  if (items.length === 0) return yield* runNodes(place, node.otherwise, output);
  const outermost = scope.loop === null;
  for (let at = 0; at < items.length && run.spend(node.over); at++) {
    if (outermost) run.row = at;
    const inner = {
      names: new Map([[node.variable, items.item(at)]]),
      outer: scope,
      loop: { items, at },
    };
    yield* runNodes({ ...place, scope: inner }, node.body, output);
    if (run.isLong()) yield run.stepsSince();
  }
  if (outermost) run.row = null;
}

function write(run: Run, at: TextRange, text: string, output: Output): void {
  output.parts.push(text);
  output.length += text.length;
  if (output.length > run.limits.output) {
    run.fail(at, `The output is longer than ${run.limits.output} characters.`, "output");
  }
}
