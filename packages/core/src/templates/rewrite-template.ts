import type { TextRange } from "../source/span.ts";
import { isReserved } from "./parse/reserved-words.ts";
import { parseTemplate } from "./parse-template.ts";
import { templateNames } from "./template-names.ts";
import type { TemplateNode } from "./tree.ts";

/** Another text for one stretch of a template. */
export interface TemplateEdit extends TextRange {
  readonly replacement: string;
}

/** A template with stretches replaced; where several edits begin at one place, they are the same. */
export function rewriteTemplate(text: string, edits: readonly TemplateEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** A template whose outer names were given others: old name → new one. */
export interface Renamed {
  readonly text: string;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Gives outer names of a template others, as near to those wanted as the names allow that the template
 * gives itself: `_` is put behind until nothing else has the name. Names that want one get one.
 */
export function renameOuter(text: string, wanted: ReadonlyMap<string, string>): Renamed {
  const { template } = parseTemplate(text);
  if (template === null) throw new Error("Only a template without mistakes is renamed.");
  const found = templateNames(template);
  const kept = found.map(({ root }) => root).filter((root) => !wanted.has(root));
  const taken = new Set([...kept, ...ownNames(template.body)]);
  const chosen = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [name, wish] of wanted) {
    let free = chosen.get(wish) ?? wish;
    while (!chosen.has(wish) && (taken.has(free) || isReserved(free))) free += "_";
    taken.add(free);
    chosen.set(wish, free);
    names.set(name, free);
  }
  const edits = found.flatMap(({ root, local, start }): readonly TemplateEdit[] => {
    const replacement = names.get(root);
    if (local || replacement === undefined) return [];
    return [{ start, end: start + root.length, replacement }];
  });
  return { text: rewriteTemplate(text, edits), names };
}

/** The names that `set` and `for` give, `loop` included. */
function ownNames(nodes: readonly TemplateNode[]): readonly string[] {
  return nodes.flatMap((node): readonly string[] => {
    switch (node.kind) {
      case "text":
      case "output":
        return [];
      case "set":
        return [node.name];
      case "if":
        return [
          ...node.branches.flatMap(({ body }) => ownNames(body)),
          ...ownNames(node.otherwise),
        ];
      case "for":
        return ["loop", node.variable, ...ownNames(node.body), ...ownNames(node.otherwise)];
    }
  });
}
