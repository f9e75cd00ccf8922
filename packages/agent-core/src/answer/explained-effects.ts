import type { ExplainedMeta } from "./meta.ts";
import type { Json } from "@plasm/core";
import { visible } from "@plasm/core/internal";
import type { ExplainedChange, ExplainedEffect, JudgedPrecondition } from "@plasm/runtime";
import { idOf } from "./effect-runs.ts";
import type { CountTokens } from "./tokens.ts";

/** Values longer than this are cut with their length, as in plans (PLAN-040). */
const LONGEST = 80;

function valueText(value: Json | undefined): string {
  if (value === undefined) return "?";
  const text = visible(JSON.stringify(value));
  const points = Array.from(text.slice(0, 2 * LONGEST + 2));
  if (points.length <= LONGEST) return text;
  return `${points.slice(0, LONGEST).join("")}… (${text.length})`;
}

const changeText = ({ field, before, after }: ExplainedChange): string =>
  `${field} ${valueText(before)} → ${valueText(after)}`;

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

const changeMeta = ({
  field,
  before,
  after,
}: ExplainedChange): ExplainedMeta["changes"][number] => ({
  field,
  ...(before === undefined ? {} : { before }),
  after,
});

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
  effects.map((effect) => ({
    node: effect.node,
    row: effect.row,
    catalog: effect.entryId,
    entity: effect.entity,
    capability: effect.capability,
    kind: effect.kind,
    target: effect.target,
    args: effect.args,
    changes: effect.changes.map(changeMeta),
    ...(effect.preconditions.length === 0
      ? {}
      : { preconditions: effect.preconditions.map(needMeta) }),
    error: errorMeta(effect),
    behind: effect.behind,
  }));
