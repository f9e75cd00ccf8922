import type { TextRange } from "../base/span.ts";
import { parseTemplate } from "./parse/parse-template.ts";
import { isReserved } from "./parse/read-tag.ts";
import { templateNames } from "./template-names.ts";
import type { PathStep, TemplateNode } from "./tree.ts";

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
interface Renamed {
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

/** A place that is the same in both texts. */
interface Pin {
  readonly planned: number;
  readonly written: number;
}

/**
 * Where a stretch of a template whose names were rewritten stands in the text as it was written. Both have
 * the same names in the same order, between which nothing differs; a path may have become one key.
 */
export function placeAsWritten(written: string, planned: string, range: TextRange): TextRange {
  const pins = pinsOf(written, planned);
  const place = (offset: number): number => {
    let last: Pin = { planned: 0, written: 0 };
    for (const pin of pins) if (pin.planned <= offset && pin.planned >= last.planned) last = pin;
    return Math.min(last.written + offset - last.planned, written.length);
  };
  const start = place(range.start);
  return { start, end: Math.max(start, place(range.end)) };
}

function pinsOf(written: string, planned: string): readonly Pin[] {
  const before = namesOf(written);
  const after = namesOf(planned);
  return after.flatMap((name, at): readonly Pin[] => {
    const same = before[at];
    if (same === undefined) return [];
    const pins: Pin[] = [{ planned: name.start, written: same.start }];
    if (!name.local) {
      const written = same.start + same.root.length;
      pins.push({ planned: name.start + name.root.length, written });
    }
    for (const [back, step] of name.steps.toReversed().entries()) {
      const as = same.steps.at(-1 - back);
      if (step.kind !== "key" || as?.kind !== "key") continue;
      if (!step.quoted || as.quoted) pins.push({ planned: step.start, written: as.start });
      pins.push({ planned: step.end, written: as.end });
    }
    return pins;
  });
}

function namesOf(text: string): ReturnType<typeof templateNames> {
  const { template } = parseTemplate(text);
  return template === null ? [] : templateNames(template);
}
