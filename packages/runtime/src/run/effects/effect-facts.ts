import type { Json, PlanValue } from "@plasm/core";
import {
  type EffectNode,
  type ForEachBody,
  type ForEachNode,
  holesOf,
  remadeKey,
} from "@plasm/core/internal";
import { makeIdentity } from "../../decode/entity-row.ts";
import type { EffectFacts } from "../../effects/effect-log.ts";
import { readCell, type Row } from "../../rows/row.ts";
import { type RunEngine, rowsName } from "../engine.ts";
import type { Feed } from "../feed.ts";
import type { PartialReason } from "../../base/diagnostic.ts";
import { isStopReason, RunStop } from "../../limits/limits.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";

/** Whose effect it is: a node's, or that of one row of a `=>`. */
type EffectPlace = Pick<Feed, "id" | "item">;

function cellOf(
  engine: RunEngine,
  row: Row | undefined,
  path: readonly string[],
): Json | undefined {
  if (row === undefined) return undefined;
  const key = Object.values(row.base?.identity?.key ?? {});
  if (path.length === 0) return key.length === 1 ? key[0] : undefined;
  const cgs = row.base === null ? null : engine.catalog(row.base.entryId).cgs;
  return readCell(cgs, row, path);
}

/** A value as far as it is in hand: nothing is read for it. */
export function inHand(engine: RunEngine, feed: EffectPlace, value: PlanValue): Json | undefined {
  if ("lit" in value) return value.lit;
  if ("dec" in value) return value.dec;
  if ("row" in value) return cellOf(engine, feed.item?.row, value.row);
  if ("from" in value && !value.many) {
    return cellOf(engine, engine.feedOf(value.from).rows.at(0), value.path);
  }
  return undefined;
}

function targetInHand(engine: RunEngine, feed: EffectPlace, body: ForEachBody): string | null {
  const { cgs } = engine.catalog(body.catalog.entry_id);
  const entity = cgs.entities.get(body.catalog.entity);
  if (entity === undefined) return null;
  if (!("target" in body)) {
    const made = remadeKey(body);
    return made === null ? null : (makeIdentity(entity, made)?.text ?? null);
  }
  const parts = Object.entries(body.target).map(([name, value]) => [
    name,
    inHand(engine, feed, value),
  ]);
  return makeIdentity(entity, Object.fromEntries(parts))?.text ?? null;
}

/** What can be said of an effect without reading or filling anything: of one that did not start. */
export function effectFacts(engine: RunEngine, feed: EffectPlace, body: ForEachBody): EffectFacts {
  const { entry_id: entryId, entity } = body.catalog;
  const { capabilities } = engine.catalog(entryId).cgs;
  const name = body.capability ?? "";
  return {
    node: feed.id,
    row: feed.item?.index ?? null,
    entryId,
    entity,
    capability: name,
    label: capabilities.get(name)?.label ?? name,
    target: targetInHand(engine, feed, body),
    args: {},
    fingerprint: "",
    idempotencyKey: null,
  };
}

/**
 * The effects of a node that did not begin, but for those that an earlier attempt at it performed: one for each
 * row of a `=>` whose rows are all known, else one that stands for the node.
 */
export function unstartedFacts(
  engine: RunEngine,
  feed: Feed,
  node: EffectNode | ForEachNode,
): readonly EffectFacts[] {
  if (node.kind !== "for_each") return [effectFacts(engine, feed, node)];
  const source = engine.feedOf(node.source);
  if (source.ending.kind !== "ended" || source.partial !== null) {
    return [effectFacts(engine, feed, node.body)];
  }
  return [...source.rows].flatMap((row, index) =>
    engine.effects.earlier(feed.id, index) === null
      ? [effectFacts(engine, { id: feed.id, item: { row, index, log: feed.log } }, node.body)]
      : [],
  );
}

function correctionFor(reason: PartialReason): string {
  if (reason === "rows_unread") {
    return "bound the read with .limit(n) to rows that the API gives at once, or with a narrower condition";
  }
  if (reason === "condition_unmet") {
    return "test the condition on the rows as the diagnostic says, or correct the catalog: the API does not keep to it";
  }
  return isStopReason(reason)
    ? `bound the read with .limit(n) or a narrower condition, or raise the setting ${reason}`
    : `leave out the rows that the diagnostic ${reason} names, or bound the read with .limit(n)`;
}

/** The failure of an effect whose input lacks rows or values (LANG-076); names what it lacks. */
export function partialSource(source: string, reason: PartialReason): RunFailure | RunStop {
  if (reason === "cancelled") return new RunStop("cancelled");
  return new RunFailure(
    failure(
      "partial_source",
      `${source} is not whole (${reason}), and no effect runs on a part of its input.`,
      correctionFor(reason),
    ),
  );
}

/**
 * Reads what an effect's values come from and refuses to go on where it is partial (LANG-076). Throws
 * RunFailure, RunStop or SourceEnded.
 */
export async function refusePartial(
  engine: RunEngine,
  values: readonly PlanValue[],
): Promise<void> {
  for (const { from, many } of holesOf(values)) {
    const source: Feed = engine.feedOf(from);
    const cut = await source.needInHand(many ? "all" : { rows: 1 });
    // What a single cell needs is there, even if later rows are cut off.
    const reached = many || source.rows.length === 0;
    const reason = reached ? (cut ?? source.partial) : source.partialMark;
    if (reason !== null) throw partialSource(rowsName(engine, from), reason);
  }
}
