import { compareCodePoints } from "../../base/text.ts";
import { sha256Hex } from "../../base/canonical-json.ts";

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

/** A graft as the index shows it: texts cleaned (GRAFT-6). */
export interface IndexedGraft {
  readonly graftId: string;
  readonly source: string;
  readonly path: string;
  readonly abstract: string;
  readonly revision: number;
}

/** The order of the index: by path, then id, by code point (GRAFT-7). */
export const compareGrafts = (a: IndexedGraft, b: IndexedGraft): number =>
  compareCodePoints(a.path, b.path) || compareCodePoints(a.graftId, b.graftId);

/** The line of a graft: 20 bytes more than its id, source, path and abstract, line end included (GRAFT-6, GRAFT-7). */
export const graftLine = ({ graftId, source, path, abstract }: IndexedGraft): string =>
  `- \`${graftId}\` · ${source} · \`${path}\` — ${abstract}`;

/** The line of a graft whose content is another one than before (GRAFT-10). */
const changedGraftLine = ({ graftId, revision, ...graft }: IndexedGraft): string => {
  const { source, path, abstract } = graft;
  return `- \`${graftId}\` (revision ${revision}) · ${source} · \`${path}\` — ${abstract}`;
};

const GRAFT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a text is the id of a graft (GRAFT-3). */
export const isGraftId = (text: string): boolean => GRAFT_ID.test(text);

/** Where a graft comes from, cleaned: what an id is made of. */
export interface GraftOrigin {
  readonly source: string;
  readonly path: string;
}

const SHORTEST = 6;
const LONGEST = 63;

/**
 * The id of a graft that came without one (GRAFT-3): `g` and the first six hex digits of SHA-256 over JSON
 * [source, path], lengthened while `holder` says that another origin has it, as far as ids go. The same origin
 * keeps its id.
 */
export function derivedGraftId(
  { source, path }: GraftOrigin,
  holder: (id: string) => GraftOrigin | undefined,
): string {
  const digits = sha256Hex(JSON.stringify([source, path]));
  for (let length = SHORTEST; ; length += 1) {
    const id = `g${digits.slice(0, length)}`;
    const held = holder(id);
    if (held === undefined || (held.source === source && held.path === path)) return id;
    if (length === LONGEST) return id;
  }
}

/** Code points of a content that its line shows (GRAFT-6). */
const ABSTRACT_LENGTH = 120;

const BLANK = /[\s\p{Z}\u0085]/u;
/** Controls, bidirectional marks, zero-width and other invisible characters, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const ZERO_WIDTH_BLANK = "\ufeff";
const FENCE = /`{3,}/g;

/** The first `limit` code points of a text on one line; no more of it is read than that takes. */
function onOneLine(text: string, limit: number): string {
  const kept: string[] = [];
  let blank = false;
  for (const point of text) {
    if (kept.length >= limit) break;
    if (point !== ZERO_WIDTH_BLANK && BLANK.test(point)) {
      blank = kept.length > 0;
      continue;
    }
    if (INVISIBLE.test(point)) continue;
    if (blank) kept.push(" ");
    blank = false;
    if (kept.length < limit) kept.push(point === "`" ? "'" : point);
  }
  return kept.join("");
}

/**
 * Text that stays on its line and opens nothing (GRAFT-6): control, bidirectional and zero-width characters
 * removed, whitespace collapsed and trimmed, backticks as apostrophes.
 */
export const cleanLine = (text: string): string => onOneLine(text, Infinity);

/** The first 120 code points of a content, cleaned, without ellipsis (GRAFT-6). */
export const abstractOf = (content: string): string => onOneLine(content, ABSTRACT_LENGTH);

/**
 * Guardrails as they stand in the section (GRAFT-6): line by line as written, without invisible characters; runs of
 * three or more backticks are apostrophes.
 */
export function cleanGuardrails(text: string): string {
  const lines = text.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
  const seen = lines.map((line) =>
    Array.from(line.replaceAll("\t", " "))
      .filter((point) => !INVISIBLE.test(point))
      .join("")
      .replaceAll(FENCE, (run) => "'".repeat(run.length))
      .trimEnd(),
  );
  return seen.join("\n").trim();
}
