import type { TextRange } from "../source/span.ts";
import { parseTemplate } from "./parse-template.ts";
import { templateNames } from "./template-names.ts";

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
