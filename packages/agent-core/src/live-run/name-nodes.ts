import { parseProgram, type Plan } from "@plasm/core";
import type { NodeName } from "@plasm/runtime";

/** Code points of an expression that a message repeats. */
const MOST = 120;

/** What a label of a program stands for, on one line. */
function boundTo(source: string, label: string): string | null {
  const { statements } = parseProgram(source).program;
  const bound = statements.find((one) => one.kind === "Binding" && one.label.text === label);
  if (bound?.kind !== "Binding") return null;
  const { start, end } = bound.node.span;
  const text = [...source.slice(start, end).replace(/\s+/g, " ").trim()];
  return text.length <= MOST ? text.join("") : `${text.slice(0, MOST - 1).join("")}…`;
}

/** How messages of a run name the nodes of its plan: as the program does (ERR section 4). */
export function nameNodes(plan: Plan): (node: string) => NodeName {
  return (node) => {
    const label = plan.summary.nodes[node]?.label ?? null;
    return label === null
      ? { name: node, text: null }
      : { name: label, text: boundTo(plan.source, label) };
  };
}
