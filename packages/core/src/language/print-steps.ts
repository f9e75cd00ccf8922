import type { Path } from "./ast-names.ts";
import type { Agg, SortKey, Step } from "./ast-steps.ts";
import { printBraces } from "./print-predicates.ts";
import { printArgs, printPath, printValue } from "./print-values.ts";

/** A step as canonical text, its dot or bracket included (LANG-015). */
export function printStep(step: Step): string {
  switch (step.kind) {
    case "Filter":
      return `.filter${printBraces(step.pred)}`;
    case "Nav":
      return `.${step.name.text}${step.pred === undefined ? "" : printBraces(step.pred)}`;
    case "Call":
      return `.${step.name.text}${printArgs(step.args)}`;
    case "Limit":
      return `.limit(${printValue(step.n)})`;
    case "PageSize":
      return `.page_size(${printValue(step.n)})`;
    case "Singleton":
      return ".singleton()";
    case "Sort":
      return `.sort(${step.keys.map(printSortKey).join(", ")})`;
    case "Aggregate":
      return `.aggregate(${step.aggs.map(printAgg).join(", ")})`;
    case "GroupBy":
      return `.group_by(${[...step.paths.map(printPath), ...step.aggs.map(printAgg)].join(", ")})`;
    case "Distinct":
      return `.distinct(${printPaths(step.paths)})`;
    case "Project":
      return `[${printPaths(step.paths)}]`;
    case "Bad":
      return printValue(step);
  }
}

/** A column called asc or desc gets its direction in words, so that it is not read as one (LANG-014). */
function printSortKey(key: SortKey): string {
  const path = printPath(key.path);
  if (key.desc) return `${path} desc`;
  return path === "asc" || path === "desc" ? `${path} asc` : path;
}

function printAgg(agg: Agg): string {
  const call = agg.path === undefined ? agg.fn : `${agg.fn}(${printPath(agg.path)})`;
  return agg.name === undefined ? call : `${agg.name.text}=${call}`;
}

function printPaths(paths: readonly Path[]): string {
  return paths.map(printPath).join(", ");
}
