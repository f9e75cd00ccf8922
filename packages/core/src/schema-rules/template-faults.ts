import { indexLines, spanAt } from "../source/line-index.ts";
import { parseTemplate } from "../templates/parse-template.ts";
import { templateNames } from "../templates/template-names.ts";
import type { TemplateName } from "../templates/template-path.ts";
import { choice } from "./part-view.ts";

/** What is wrong in a template; `place` is line:column in it. */
export type TemplateFault =
  | { readonly kind: "problem"; readonly place: string; readonly problem: string }
  | {
      readonly kind: "name";
      readonly place: string;
      readonly found: string;
      readonly nearest: string;
      readonly allowed: string;
    };

/** A template as a rule sees it: its faults, and the names it reads that do exist. */
export interface CheckedTemplate {
  readonly faults: readonly TemplateFault[];
  readonly names: readonly TemplateName[];
}

/** Checks that a template keeps to RUN-101 and reads no other names than those allowed. */
export function checkTemplate(text: string, allowed: readonly string[]): CheckedTemplate {
  const { template, problems } = parseTemplate(text);
  if (template === null) {
    const faults = problems.map(({ message, start }): TemplateFault => {
      return { kind: "problem", place: templatePlace(text, start), problem: message };
    });
    return { faults, names: [] };
  }
  const names = templateNames(template);
  const faults = names
    .filter(({ root, maybeSet }) => !maybeSet && !allowed.includes(root))
    .map(({ root, start }): TemplateFault => {
      const place = templatePlace(text, start);
      return { kind: "name", place, found: root, ...choice(root, allowed) };
    });
  return { faults, names: names.filter(({ root }) => allowed.includes(root)) };
}

/** An offset of a template as line:column. */
export function templatePlace(text: string, offset: number): string {
  const { line, column } = spanAt(indexLines(text), offset, offset);
  return `${line}:${column}`;
}
