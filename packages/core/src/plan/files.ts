import type { CheckContext } from "../check/check-context.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { valueMessages } from "../diagnostics/value-messages.ts";
import { quoteText } from "../language/grammar/strings.ts";
import { isEffect, type NamedFile, namedFile, namedFiles, nodeValues } from "./algebra.ts";
import { commitOf } from "./commit.ts";
import type { ForEachBody, Plan, PlanNode, PlanValue } from "./ir.ts";
import type { NumberedNodes } from "./lower/number-nodes.ts";

type Values = Readonly<Record<string, PlanValue>>;

/** The arguments of an effect; null of a node that changes nothing. */
function effectArgs(node: PlanNode): Values | null {
  if (!isEffect(node)) return null;
  return node.kind === "for_each" ? node.body.args : "args" in node ? node.args : null;
}

/** How many files stand where a request can send them: as a value, in a list or in an object. */
function sentFiles(value: PlanValue): number {
  if (namedFile(value) !== null) return 1;
  if ("list" in value) return value.list.reduce((sum, item) => sum + sentFiles(item), 0);
  if (!("obj" in value)) return 0;
  return Object.values(value.obj).reduce((sum, item) => sum + sentFiles(item), 0);
}

/**
 * Reports files that a program names elsewhere than as arguments of effects: nothing is read of a file but what a
 * reviewed effect sends (VAL-07).
 */
export function checkFiles(context: CheckContext, { nodes, drafts }: NumberedNodes): void {
  for (const node of nodes) {
    const found = namedFiles(nodeValues(node));
    if (found.length === 0) continue;
    const args = Object.values(effectArgs(node) ?? {});
    if (args.reduce((sum, value) => sum + sentFiles(value), 0) === found.length) continue;
    const span = drafts.get(node.id)?.rows.span ?? { start: 0, end: 0, line: 1, column: 1 };
    const name = quoteText(found[0]?.name ?? "");
    context.found.add(diagnose(valueMessages.fileElsewhere, span, { name }));
  }
}

/** What is known of the content of files before anything is sent, by the name that the program has for them. */
export type FileFacts = ReadonlyMap<string, NonNullable<NamedFile["content"]>>;

function bound(value: PlanValue, facts: FileFacts): PlanValue {
  const file = namedFile(value);
  if (file !== null) {
    const known = facts.get(file.name);
    if (known === undefined || !("args" in value)) return value;
    const args = [file.name, known.sha256, known.size].map((lit) => ({ lit }));
    return { ...value, args };
  }
  if ("list" in value) return { list: value.list.map((item) => bound(item, facts)) };
  return "obj" in value ? { obj: boundAll(value.obj, facts) } : value;
}

const boundAll = (values: Values, facts: FileFacts): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bound(value, facts)]));

function boundNode(node: PlanNode, facts: FileFacts): PlanNode {
  const args = effectArgs(node);
  if (args === null || namedFiles(Object.values(args)).length === 0) return node;
  const filled = boundAll(args, facts);
  if (node.kind !== "for_each") return { ...node, args: filled } as PlanNode;
  return { ...node, body: { ...node.body, args: filled } as ForEachBody };
}

/** Returns the files that a plan names, each once, in the order of its nodes. */
export function filesOfPlan({ nodes }: Pick<Plan, "nodes">): readonly NamedFile[] {
  const all = nodes.flatMap((node) => namedFiles(nodeValues(node)));
  return [...new Map(all.map((file) => [file.name, file])).values()];
}

/**
 * Returns a plan that is bound to what its files hold: their size and SHA-256 are in it, so that its commit is another
 * one where a file has changed (VAL-08).
 */
export function bindFiles(plan: Plan, facts: FileFacts): Plan {
  const nodes = plan.nodes.map((node) => boundNode(node, facts));
  const body = { ...plan, nodes };
  return { ...body, commit: commitOf(body) };
}
