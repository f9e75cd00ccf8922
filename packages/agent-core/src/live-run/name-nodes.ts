import { parseProgram, type Plan } from "@plasm/core";
import type { NodeName } from "@plasm/runtime";

/** Code points of an expression that a message repeats. */
const MOST = 120;

/** What a label of a program stands for, on one line. */
function boundTo(source: string, label: string): string | null {
  const { statements } = parseProgram(source).program;
  const bound = statements.find((one) => one.kind === "Binding" && one.label.text === label);
  if (bound?.kind !== "Binding") return null;
  return onOneLine(source.slice(bound.node.span.start, bound.node.span.end));
}

function onOneLine(expression: string): string {
  const text = [...expression.replace(/\s+/g, " ").trim()];
  return text.length <= MOST ? text.join("") : `${text.slice(0, MOST - 1).join("")}…`;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The starts of the chains that a range lies in. */
function* chainStarts(tree: unknown, inside: Range): Generator<number> {
  if (typeof tree !== "object" || tree === null) return;
  const { kind, span } = tree as { readonly kind?: unknown; readonly span?: Range };
  if (span !== undefined && (span.start > inside.start || span.end < inside.end)) return;
  if (kind === "Chain" && span !== undefined) yield span.start;
  for (const [key, child] of Object.entries(tree)) {
    if (key !== "span") yield* chainStarts(child, inside);
  }
}

/** The chain up to and with the step that made a node. */
function chainTo(source: string, step: Range): string {
  const start = [...chainStarts(parseProgram(source).program, step)].at(-1) ?? step.start;
  return onOneLine(source.slice(start, step.end));
}

/** How messages of a run name the nodes of its plan: as the program does (ERR section 4). */
export function nameNodes(plan: Plan): (node: string) => NodeName {
  return (node) => {
    const { label = null, span } = plan.summary.nodes[node] ?? {};
    if (label !== null) return { name: label, text: boundTo(plan.source, label) };
    return { name: node, text: span === undefined ? null : chainTo(plan.source, span) };
  };
}
