import type { Json, PlanValue } from "@plasm/core";
import { makeIdentity } from "../../decode/identity.ts";
import type { EffectFacts } from "../../effects/effect-recorder.ts";
import { readCell, type Row } from "../../rows/row.ts";
import type { Engine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import type { EffectNode, ForEachBody, ForEachNode } from "../node-types.ts";

/** Whose effect it is: a node's, or that of one row of a `=>`. */
type EffectPlace = Pick<Feed, "id" | "item">;

function cellOf(engine: Engine, row: Row | undefined, path: readonly string[]): Json | undefined {
  if (row === undefined) return undefined;
  const key = Object.values(row.base?.identity?.key ?? {});
  if (path.length === 0) return key.length === 1 ? key[0] : undefined;
  const cgs = row.base === null ? null : engine.catalog(row.base.entryId).cgs;
  return readCell(cgs, row, path);
}

/** A value as far as it is in hand: nothing is read for it. */
export function inHand(engine: Engine, feed: EffectPlace, value: PlanValue): Json | undefined {
  if ("lit" in value) return value.lit;
  if ("dec" in value) return value.dec;
  if ("row" in value) return cellOf(engine, feed.item?.row, value.row);
  if ("from" in value && !value.many) {
    return cellOf(engine, engine.feedOf(value.from).rows.at(0), value.path);
  }
  return undefined;
}

function targetInHand(engine: Engine, feed: EffectPlace, body: ForEachBody): string | null {
  if (!("target" in body)) return null;
  const { cgs } = engine.catalog(body.catalog.entry_id);
  const entity = cgs.entities.get(body.catalog.entity);
  if (entity === undefined) return null;
  const parts = Object.entries(body.target).map(([name, value]) => [
    name,
    inHand(engine, feed, value),
  ]);
  return makeIdentity(entity, Object.fromEntries(parts))?.text ?? null;
}

/** What can be said of an effect without reading or filling anything: of one that did not start. */
export function effectFacts(engine: Engine, feed: EffectPlace, body: ForEachBody): EffectFacts {
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
  engine: Engine,
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
