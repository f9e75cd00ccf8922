import { parseTemplate } from "./parse-template.ts";
import { templateNames } from "./template-names.ts";
import type { PathStep } from "./template-path.ts";

/** What a template reads of the rows that one name holds. */
export interface TemplateReads {
  /** columns read by name, each once, in the order of the text */
  readonly columns: readonly string[];
  /** whether a row is also used itself, or a member of it that is computed */
  readonly whole: boolean;
}

/**
 * What a template reads of the rows of each outer name (LANG-080, RUN-057): the first key behind the name,
 * or behind an item of it, is a column. Names that are only counted or tested are there, too.
 */
export function templateReads(text: string): ReadonlyMap<string, TemplateReads> {
  const { template } = parseTemplate(text);
  const found = new Map<string, { columns: Set<string>; whole: boolean }>();
  for (const { root, steps, use } of template === null ? [] : templateNames(template)) {
    const reads = found.get(root) ?? { columns: new Set(), whole: false };
    found.set(root, reads);
    const column = columnOf(steps);
    if (column !== null) reads.columns.add(column);
    else if (use === "whole" || steps.length > 1) reads.whole = true;
  }
  return new Map(
    [...found].map(([root, { columns, whole }]) => [root, { columns: [...columns], whole }]),
  );
}

function columnOf(steps: readonly PathStep[]): string | null {
  const [first, second] = steps;
  const step = first?.kind === "key" ? first : second;
  return step?.kind === "key" ? step.key : null;
}
