import type { Binding, Program } from "../language/ast.ts";

/** How many sources and steps a program has as it is written: one of too many is not even checked (PLAN-006). */
export const stepsIn = ({ statements }: Program): number =>
  statements.reduce((sum, statement) => sum + stepsOf(statement), 0);

function stepsOf(statement: Program["statements"][number]): number {
  if (statement.kind === "Binding") return ownSteps(statement.node);
  if (statement.kind !== "Roots") return 0;
  return statement.nodes.reduce((sum, node) => sum + ownSteps(node), 0);
}

function ownSteps(node: Binding["node"]): number {
  if (node.kind === "Chain") return node.steps.length + 1;
  return node.kind === "Map" ? node.chain.steps.length + 2 : 0;
}
