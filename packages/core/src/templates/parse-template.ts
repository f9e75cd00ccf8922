import { parseNodes } from "./parse/parse-body.ts";
import { readSegments } from "./parse/read-segments.ts";
import type { TemplateProblem } from "./template-problem.ts";
import type { TemplateTree } from "./tree.ts";

/** A template as read: a tree if there are no problems. */
export interface ParsedTemplate {
  readonly template: TemplateTree | null;
  /** In the order of the text. */
  readonly problems: readonly TemplateProblem[];
}

/**
 * Reads a template of RUN-101: `{{ }}`, `{# #}`, `set`, `if`, `for` and its expressions. Anything else
 * is a problem that says what is allowed; each tag tells its first one. Linear in the text; never throws.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const problems: TemplateProblem[] = [];
  const report = ({ start, end }: { start: number; end: number }, message: string) => {
    problems.push({ message, start, end });
  };
  const segments = readSegments(text, report);
  const state = { at: 0, loops: 0, depth: 0, tooDeep: false, refused: new Set<string>() };
  const body = parseNodes({ template: text, segments, report, ...state });
  problems.sort((a, b) => a.start - b.start);
  return { template: problems.length === 0 ? { body } : null, problems };
}
