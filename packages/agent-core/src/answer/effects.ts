import type { EffectMeta } from "./meta.ts";
import type { EffectEntry } from "@plasm/runtime";
import { costWithin, type CountTokens } from "./tokens.ts";
import { idOf, layoutRuns, STATUS_WORDS, targetOf } from "./effect-runs.ts";
import { RESULT_TOKENS } from "./results.ts";
import { isoTimeOrNull } from "./times.ts";

/** What was left open: these lines are shown before any other (OPS-29). */
const OPEN: ReadonlySet<string> = new Set(["failed", "in doubt"]);

/** Kept back for the line that counts what is left out. */
const LAST_LINE_TOKENS = 40;

/** `create orchard.Tree 12`: label, entity and identity; a create has the one it was given. */
function what(entry: EffectEntry): string {
  const target = targetOf(entry);
  const id = target === null ? "" : ` ${idOf(target)}`;
  return `${entry.label} ${entry.entryId}.${entry.entity}${id}`;
}

function nodeLine(entry: EffectEntry): string {
  const row = entry.row === null ? "" : `[${entry.row}]`;
  return `${STATUS_WORDS[entry.status]} ${entry.node}${row} ${what(entry)}`;
}

const COUNTED = ["done", "failed", "in_doubt", "skipped"] as const;

/** `2 done, 1 in doubt`; a status that none has is left out. */
const counts = (effects: readonly EffectEntry[]): string =>
  COUNTED.flatMap((status) => {
    const n = effects.filter((entry) => STATUS_WORDS[entry.status] === STATUS_WORDS[status]).length;
    return n === 0 ? [] : [`${n} ${STATUS_WORDS[status]}`];
  }).join(", ");

/** What lines of effects may cost. */
export interface EffectRoom {
  readonly tokens: number;
  readonly count: CountTokens;
}

/** No text has more tokens than bytes: for those who cannot wait for the vocabulary. */
const BY_BYTES: EffectRoom = Object.freeze({
  tokens: RESULT_TOKENS,
  count: (text: string) => Buffer.byteLength(text),
});

/** Effects in words, as many as fit. */
export interface EffectLines {
  /** the line of counts, of all of them, where there is one */
  readonly head: readonly string[];
  /** what became of each, in order */
  readonly lines: readonly string[];
  /** how many of each status have no line; null if none */
  readonly left: string | null;
  readonly tokens: number;
}

/** How effects are told: what each adds to the text, and the lines of those that are. */
interface Wording {
  weight(entry: EffectEntry): string;
  lines(shown: readonly EffectEntry[]): readonly string[];
}

const EACH_WITH_NODE: Wording = {
  weight: (entry) => `${nodeLine(entry)}\n`,
  lines: (shown) => shown.map(nodeLine),
};

function sharingLines(effects: readonly EffectEntry[]): Wording {
  const all = layoutRuns(effects);
  return {
    weight: (entry) => all.weights.get(entry) ?? "",
    lines: (shown) => (shown.length === effects.length ? all : layoutRuns(shown)).lines,
  };
}

/** The effects that are told within the tokens: what was left open first, then the others in their order. */
function told(
  effects: readonly EffectEntry[],
  wording: Wording,
  { tokens, count }: EffectRoom,
): { readonly shown: ReadonlySet<EffectEntry>; readonly tokens: number } {
  const isOpen = (entry: EffectEntry): boolean => OPEN.has(STATUS_WORDS[entry.status]);
  const weighed = [...effects.filter(isOpen), ...effects.filter((entry) => !isOpen(entry))];
  const shown = new Set<EffectEntry>();
  let spent = 0;
  for (const entry of weighed) {
    const cost = costWithin(wording.weight(entry), Math.max(0, tokens - spent), count);
    if (spent + cost > tokens) break;
    spent += cost;
    shown.add(entry);
  }
  return { shown, tokens: spent };
}

function fitted(
  effects: readonly EffectEntry[],
  head: readonly string[],
  wording: Wording,
  room: EffectRoom,
): EffectLines {
  const cost = head.reduce((sum, line) => sum + room.count(`${line}\n`), 0);
  const all = told(effects, wording, { ...room, tokens: room.tokens - cost });
  if (all.shown.size === effects.length) {
    return { head, lines: wording.lines(effects), left: null, tokens: cost + all.tokens };
  }
  const kept = room.tokens - cost - LAST_LINE_TOKENS;
  const some = told(effects, wording, { ...room, tokens: kept });
  return {
    head,
    lines: wording.lines(effects.filter((entry) => some.shown.has(entry))),
    left: counts(effects.filter((entry) => !some.shown.has(entry))),
    tokens: cost + some.tokens + LAST_LINE_TOKENS,
  };
}

/** Effects in order, within the tokens: `done create orchard.Tree 12`; those alike share a line (SURF-11, SURF-15). */
export const doneLines = (effects: readonly EffectEntry[], room: EffectRoom): EffectLines =>
  fitted(effects, [], sharingLines(effects), room);

/** The counts of all effects and one line an effect, with its node, within the tokens (OPS-29, ERR-020). */
export const failedLines = (effects: readonly EffectEntry[], room: EffectRoom): EffectLines =>
  fitted(
    effects,
    effects.length === 0 ? [] : [`effects: ${counts(effects)}`],
    EACH_WITH_NODE,
    room,
  );

/** Where all effects of an answer are told, if they are told nowhere else. */
const IN_META = "_meta.plasm.effects";

/** The lines as an answer has them; the last one says how many it lacks, and where all of them are. */
export const effectsText = (
  { head, lines, left }: EffectLines,
  all: string | null = null,
): readonly string[] => [
  ...head,
  ...lines,
  ...(left === null ? [] : [`${left} left out · all: ${all ?? IN_META}`]),
];

/** The same of a failed run that has no answer to share its tokens with. */
export const failedEffectLines = (effects: readonly EffectEntry[]): readonly string[] =>
  effectsText(failedLines(effects, BY_BYTES));

/** What takes back what a run has done that did not come to its end; nothing where nothing can (UNDO-09). */
export function undoOffer(ref: string, effects: readonly EffectEntry[]): readonly string[] {
  const done = effects.filter(({ status }) => status === "done").length;
  const some = effects.filter(({ status, undo }) => status === "done" && undo !== undefined).length;
  if (some === 0) return [];
  const of =
    some === done
      ? `the ${done} that ${done === 1 ? "is" : "are"} done`
      : `${some} of the ${done} that are done`;
  return [`undo(${ref}) plans how to take back ${of}`];
}

/** What went wrong, and in `correction` what to look at where that is in doubt (PLAN-073). */
function errorMeta({ error }: EffectEntry): EffectMeta["error"] {
  if (error === null) return null;
  const { code, message, correction } = error;
  return { code, message, correction };
}

/** Effects as `_meta.plasm.effects` holds them (PLAN-041, PLAN-073). */
export const effectsMeta = (effects: readonly EffectEntry[]): readonly EffectMeta[] =>
  effects.map((entry) => ({
    seq: entry.seq,
    node: entry.node,
    row: entry.row,
    catalog: entry.entryId,
    capability: entry.capability,
    target: entry.target,
    args: entry.args,
    idempotency_key: entry.idempotencyKey,
    status: entry.status,
    started_at: isoTimeOrNull(entry.startedAt),
    ended_at: isoTimeOrNull(entry.endedAt),
    http_status: entry.httpStatus,
    result: entry.result,
    error: errorMeta(entry),
  }));
