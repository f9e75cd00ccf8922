import { compareCodePoints } from "../base/text.ts";
import { columnPaths } from "./algebra.ts";
import type { ComputeNode, PairOp, PlanNode } from "./ir.ts";

/** Rules about the rows of two sides (LANG-090): which side a column is of, and what is wanted of each. */

type Path = readonly string[];

export type PairNode = ComputeNode & { readonly op: PairOp };

/** Whether a node pairs the rows of two sides. */
export const isPair = (node: PlanNode): node is PairNode =>
  node.kind === "compute" && "pair" in node.op;

/** What is wanted of each side: what further steps want of its columns, and its keys. */
export function sidePaths(
  { pair }: PairOp,
  passed: readonly Path[],
): { readonly left: readonly Path[]; readonly right: readonly Path[] } {
  const isRight = ([first]: Path): boolean => first === pair.as;
  const right = passed.filter(isRight).map((path) => path.slice(1));
  return {
    left: [
      ...passed.filter((path) => !isRight(path)),
      ...columnPaths(pair.keys.map((key) => key.left)),
    ],
    right: [
      ...right.filter(({ length }) => length > 0),
      ...columnPaths(pair.keys.map((key) => key.right)),
    ],
  };
}

/** The columns of a pair that paths read, sorted: the longest name that each begins with. */
export function pairedColumns({ op, result }: PairNode, paths: readonly Path[]): readonly string[] {
  const known = new Set((result.columns ?? []).map(([name]) => name));
  const names = paths.map((path) => {
    for (let length = path.length; length > 0; length--) {
      const name = path.slice(0, length).join(".");
      if (known.has(name)) return name;
    }
    return path.slice(0, path[0] === op.pair.as ? 2 : 1).join(".");
  });
  return [...new Set(names)].toSorted(compareCodePoints);
}

/** Whether rows of a node differ in what these columns hold, so that each meets one row of another side at most. */
export function areUnique(
  id: string,
  columns: readonly string[],
  nodeOf: (id: string) => PlanNode | undefined,
  keyOf: (node: PlanNode) => readonly string[] | null,
): boolean {
  const held = new Set(columns);
  let at = nodeOf(id);
  while (at !== undefined) {
    const key = keyOf(at);
    if (key !== null && at.kind !== "compute" && at.kind !== "join") {
      return key.length > 0 && key.every((part) => held.has(part));
    }
    if (at.kind === "join") at = nodeOf(at.source);
    else if (at.kind !== "compute") return false;
    else {
      const { op } = at;
      if ("aggregate" in op || "singleton" in op || "render" in op) return true;
      if ("pair" in op) return false;
      if ("group_by" in op) {
        const names = op.group_by.keys.map((each) => ("as" in each ? each.as : each.join(".")));
        return names.every((name) => held.has(name));
      }
      at = nodeOf(at.source);
    }
  }
  return false;
}
