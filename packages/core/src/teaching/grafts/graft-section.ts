import { cleanGuardrails, cleanLine } from "./graft-text.ts";
import { changedGraftLine, compareGrafts, graftLine, type IndexedGraft } from "./graft-line.ts";

/** What stands above the lines of a set; nothing of it was cleaned yet. */
export interface GraftHeader {
  readonly name: string;
  readonly userId: string;
  readonly createdTs: string;
  readonly manifestPath: string;
  readonly guardrails: string | null;
}

/** A part of an answer that shows grafts, and what of them it shows. */
export interface GraftSection {
  readonly text: string;
  /** lines that stand in it */
  readonly indexed: number;
  /** lines that were left out */
  readonly hidden: number;
  /** code points of `text` */
  readonly chars: number;
}

/** Code points of a whole section (GRAFT-9). */
const MAX_SECTION = 32_768;

const HOW_TO_PICK =
  "Only abstracts are listed, no bodies. Pick lines by source, path or abstract; grafted_context_fetch(graft_id) loads one body when a turn needs it.";

const NOTHING: GraftSection = Object.freeze({ text: "", indexed: 0, hidden: 0, chars: 0 });

const moreLine = (hidden: number): string =>
  `+ ${hidden} more: grafted_context_fetch("*") lists them`;

function pointsIn(text: string): number {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
}

function headOf(header: GraftHeader, grafts: readonly IndexedGraft[]): readonly string[] {
  const { name, userId, createdTs, manifestPath } = header;
  const sources = new Set(grafts.map(({ source }) => source)).size;
  const counted = `${sources} source${sources === 1 ? "" : "s"}`;
  const first = [
    "Grafts",
    cleanLine(name),
    `user ${cleanLine(userId)}`,
    cleanLine(createdTs),
    cleanLine(manifestPath),
    counted,
  ];
  const guardrails = cleanGuardrails(header.guardrails ?? "");
  return [first.join(" · "), ...(guardrails === "" ? [] : [guardrails]), HOW_TO_PICK];
}

/** How many lines fit in so many code points beside those above them: all, or as many as leave room for the rest's. */
function fitting(head: readonly string[], lines: readonly string[], limit: number): number {
  const above = head.reduce((sum, line) => sum + pointsIn(line) + 1, 0);
  const closing = pointsIn(moreLine(lines.length));
  let used = above;
  let fit = 0;
  for (const [at, line] of lines.entries()) {
    const end = used + pointsIn(line);
    if (end > limit) return fit;
    if (at === lines.length - 1) return lines.length;
    used = end + 1;
    if (used + closing <= limit) fit = at + 1;
  }
  return fit;
}

function sectionOf(head: readonly string[], lines: readonly string[], limit: number): GraftSection {
  const indexed = fitting(head, lines, limit);
  const hidden = lines.length - indexed;
  const shown = [...head, ...lines.slice(0, indexed), ...(hidden === 0 ? [] : [moreLine(hidden)])];
  const text = shown.join("\n");
  return { text, indexed, hidden, chars: pointsIn(text) };
}

/**
 * The section of a set (GRAFT-5, GRAFT-9): header, guardrails, how to pick, and a line a graft in the order of the
 * index, whole lines left out from the end beyond `limit` code points. A set without grafts has none.
 */
export function graftSection(
  header: GraftHeader,
  grafts: readonly IndexedGraft[],
  limit: number = MAX_SECTION,
): GraftSection {
  if (grafts.length === 0) return NOTHING;
  const lines = grafts.toSorted(compareGrafts).map(graftLine);
  return sectionOf(headOf(header, grafts), lines, limit);
}

/** The whole index, however long (GRAFT-9). */
export const wholeGraftSection = (
  header: GraftHeader,
  grafts: readonly IndexedGraft[],
): GraftSection => graftSection(header, grafts, Infinity);

/** What a later answer prints: lines of grafts that are new, and of those that have changed (GRAFT-10). */
export function graftChanges(grafts: readonly IndexedGraft[]): GraftSection {
  if (grafts.length === 0) return NOTHING;
  const lines = grafts
    .toSorted(compareGrafts)
    .map((graft) => (graft.revision === 1 ? graftLine(graft) : changedGraftLine(graft)));
  return sectionOf([], lines, MAX_SECTION);
}
