import type { Json, JsonObject } from "@plasm/core";
import { visible } from "@plasm/core/internal";
import type { ExplainedChange, ExplainedEffect, JudgedPrecondition } from "@plasm/runtime";
import { clipCell } from "./cell.ts";
import { idOf } from "./effect-runs.ts";
import type { ExplainedMeta } from "./meta.ts";
import type { CountTokens } from "./tokens.ts";

/** Two texts around what differs between them. */
interface ChangedPart {
  readonly before: string;
  readonly after: string;
  /** characters before the first that differs */
  readonly at: number;
}

/** Characters on either side of a change that are shown with it. */
const AROUND = 24;

const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const isLead = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The middle of a text left out beyond `most` characters: an edit of many places begins and ends somewhere. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  let [head, tail] = [Math.ceil(most / 2), text.length - Math.floor(most / 2)];
  if (isTrail(text.charCodeAt(head))) head -= 1;
  if (isTrail(text.charCodeAt(tail))) tail += 1;
  return `${text.slice(0, head)}… (+${tail - head}) …${text.slice(tail)}`;
}

/**
 * Two texts cut around what differs, with a few characters on either side, each of `most` characters at most and the
 * signs of what is left out (LANG-056). Takes time in proportion to their lengths; pairs of surrogates stay whole.
 */
export function changedPart(before: string, after: string, most: number): ChangedPart {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  if (at > 0 && isLead(before.charCodeAt(at - 1))) at -= 1;
  let same = 0;
  while (
    same < shorter - at &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  if (same > 0 && isTrail(before.charCodeAt(before.length - same))) same -= 1;
  let from = Math.max(0, at - AROUND);
  if (isTrail(before.charCodeAt(from))) from += 1;
  let kept = Math.min(same, AROUND);
  if (isTrail(before.charCodeAt(before.length - kept))) kept -= 1;
  const part = (text: string): string => {
    const end = text.length - same + kept;
    const inner = shortened(text.slice(at, text.length - same), most);
    const tail = text.slice(text.length - same, end);
    return `${from > 0 ? "…" : ""}${text.slice(from, at)}${inner}${tail}${kept < same ? "…" : ""}`;
  };
  return { before: part(before), after: part(after), at };
}

/** Values longer than this are cut with their length, as in plans (PLAN-040). */
const LONGEST = 80;

function valueText(value: Json | undefined): string {
  if (value === undefined) return "?";
  const text = visible(JSON.stringify(value));
  const points = Array.from(text.slice(0, 2 * LONGEST + 2));
  if (points.length <= LONGEST) return text;
  return `${points.slice(0, LONGEST).join("")}… (${text.length})`;
}

/** Text as it is, anything else as JSON. */
const written = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A change of a long text, of which only the part that differs is told (LANG-056); null where all of it can be. */
function partOf({ before, after }: ExplainedChange, longest: number, most: number) {
  if (before === undefined || before === null || after === null) return null;
  const [from, to] = [written(before), written(after)];
  const isLong = from.length > longest && to.length > longest;
  if (!isLong || typeof before !== typeof after) return null;
  return { ...changedPart(from, to, most), from: from.length, to: to.length };
}

/** `note "a" → "b"`; of long texts `note at 5120 of 300012: "…the old wall…" → "…the new wall…"`. */
function changeText(change: ExplainedChange): string {
  const { field, before, after } = change;
  const part = partOf(change, LONGEST, LONGEST);
  if (part === null) return `${field} ${valueText(before)} → ${valueText(after)}`;
  if (before === after) return `${field} stays as it is (${part.from})`;
  const [from, to] = [part.before, part.after].map((each) => visible(JSON.stringify(each)));
  return `${field} at ${part.at} of ${part.from}: ${from} → ${to}`;
}

/** Arguments that are told as changes already are not told again. */
function argsText({ args, changes }: ExplainedEffect): readonly string[] {
  const changed = new Set(changes.map(({ field }) => field));
  const others = Object.entries(args).filter(([name]) => !changed.has(name));
  return others.map(([name, value]) => `${name}=${valueText(value)}`);
}

/** `needs status=pending: holds`, `… status is "done"`, or that it is not known. */
function needText({ needs, field, has, holds, description }: JudgedPrecondition): string {
  if (holds === true) return ` · needs ${visible(needs)}: holds`;
  const why = description === "" ? "" : ` (${visible(description)})`;
  const now = holds === null ? "not known" : `does not hold, ${field} is ${valueText(has)}`;
  return ` · needs ${visible(needs)}${why}: ${now}`;
}

function effectLine(effect: ExplainedEffect): string {
  const { node, row, label, entryId, entity, target, changes, preconditions } = effect;
  const { error, behind } = effect;
  const at = row === null ? node : `${node}[${row}]`;
  const id = target === null ? "" : ` ${idOf(target)}`;
  const told = [...changes.map(changeText), ...argsText(effect)].join(", ");
  const why = error === null ? "" : ` · fails: ${error.code}: ${visible(error.message)}`;
  const waits = behind === null ? "" : ` · known when ${behind} has run`;
  const what = `${at} ${label} ${entryId}.${entity}${id}`;
  const needs = preconditions.map(needText).join("");
  return `${what}${told === "" ? "" : ` · ${told}`}${needs}${why}${waits}`;
}

/**
 * One line an effect that would be sent, in order: target, fields before and after, other arguments
 * (OPS-38). What exceeds the tokens is counted in the last line; `_meta` has all of them.
 */
export function explainedLines(
  effects: readonly ExplainedEffect[],
  tokens: number,
  count: CountTokens,
): readonly string[] {
  const lines: string[] = [];
  let left = tokens;
  for (const effect of effects) {
    const line = effectLine(effect);
    left -= count(line) + 1;
    if (left < 0 && lines.length > 0) {
      return [
        ...lines,
        `${effects.length - lines.length} more effects are in _meta.plasm.explained`,
      ];
    }
    lines.push(line);
  }
  return lines;
}

/** Characters of a text from which on only a part of it is in `_meta`, and of what differs then. */
const LONGEST_IN_META = 4_000;
const MOST_IN_META = 1_000;

function changeMeta(change: ExplainedChange): ExplainedMeta["changes"][number] {
  const { field, before, after } = change;
  const part = partOf(change, LONGEST_IN_META, MOST_IN_META);
  if (part !== null) {
    const { at, from, to } = part;
    return { field, before: part.before, after: part.after, part: { at, before: from, after: to } };
  }
  return {
    field,
    ...(before === undefined ? {} : { before: clipped(before) }),
    after: clipped(after),
  };
}

/** A long text as its beginning: whoever decides on an effect needs not all of it, and its record holds so much. */
const clipped = (value: Json): Json => {
  if (value === null || JSON.stringify(value).length <= LONGEST_IN_META) return value;
  return clipCell(written(value), MOST_IN_META);
};

/** Arguments as `_meta` has them: of a change of a long text what it has there. */
function argsMeta({ args }: ExplainedEffect, changes: ExplainedMeta["changes"]): JsonObject {
  const parts = new Map(
    changes.flatMap(({ field, part, after }) => (part ? [[field, after]] : [])),
  );
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, parts.get(name) ?? clipped(value)]),
  );
}

type NeedMeta = NonNullable<ExplainedMeta["preconditions"]>[number];

const needMeta = ({ needs, of, field, has, holds }: JudgedPrecondition): NeedMeta => ({
  needs,
  of,
  field,
  ...(has === undefined ? {} : { has }),
  holds,
});

function errorMeta({ error }: ExplainedEffect): ExplainedMeta["error"] {
  if (error === null) return null;
  const { code, message, correction } = error;
  return { code, message, correction };
}

/** Explained effects as `_meta.plasm.explained` holds them; a change without `before` was not read. */
export const explainedMeta = (effects: readonly ExplainedEffect[]): readonly ExplainedMeta[] =>
  effects.map((effect) => explainedOne(effect, effect.changes.map(changeMeta)));

function explainedOne(effect: ExplainedEffect, changes: ExplainedMeta["changes"]): ExplainedMeta {
  return {
    node: effect.node,
    row: effect.row,
    catalog: effect.entryId,
    entity: effect.entity,
    capability: effect.capability,
    kind: effect.kind,
    target: effect.target,
    args: argsMeta(effect, changes),
    changes,
    ...(effect.preconditions.length === 0
      ? {}
      : { preconditions: effect.preconditions.map(needMeta) }),
    error: errorMeta(effect),
    behind: effect.behind,
  };
}
