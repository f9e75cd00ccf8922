import type { Json, JsonObject } from "@plasm/core";
import { RunStop } from "../../limits/budget.ts";
import { RunFailure } from "../../run-failure.ts";
import type { RunError } from "../../run-error.ts";
import type { EffectFacts } from "../../effects/effect-recorder.ts";
import type { Engine } from "../engine.ts";
import { type Feed, SourceEnded } from "../feed.ts";
import { loadRow } from "../hydrate.ts";
import { openItem } from "../item-feed.ts";
import { keyRow } from "../key-row.ts";
import { type EffectBody, type EffectNode, type ForEachNode, isEffectBody } from "../node-types.ts";
import { effectFacts } from "./effect-facts.ts";
import { itemRows } from "./item-rows.ts";
import { addressedEffect, factsOf } from "./perform-effect.ts";
import { prepareEffect, type PreparedEffect } from "./prepare-effect.ts";

/** A field that an effect would change. */
export interface ExplainedChange {
  readonly field: string;
  /** what the API has there now; undefined where nothing reads it */
  readonly before: Json | undefined;
  readonly after: Json;
}

/** An effect as it would be sent, with values in place of holes (OPS-38). */
export interface ExplainedEffect extends Pick<
  EffectFacts,
  "node" | "row" | "entryId" | "entity" | "capability" | "label" | "target" | "args"
> {
  readonly kind: EffectBody["kind"];
  readonly changes: readonly ExplainedChange[];
  /** why it could not be filled: a run would fail there */
  readonly error: RunError | null;
  /** the node whose effect must happen before it can be told, or null */
  readonly behind: string | null;
}

/** What the API has now in the fields that an update names; nothing that fails is said of a read. */
async function fieldsNow(
  engine: Engine,
  feed: Feed,
  effect: PreparedEffect,
  names: readonly string[],
): Promise<ReadonlyMap<string, Json>> {
  const { call, entity, target, environment } = effect;
  if (target === null || names.length === 0) return new Map();
  const row = keyRow(call.catalog, entity, target, environment.ambient);
  try {
    await loadRow(engine, feed, row, names, names);
  } catch (error) {
    if (!(error instanceof RunFailure) && !(error instanceof RunStop)) throw error;
  }
  return row.fields;
}

async function changesOf(
  engine: Engine,
  feed: Feed,
  effect: PreparedEffect,
  args: JsonObject,
): Promise<readonly ExplainedChange[]> {
  const { capability, entity } = effect;
  if (capability.kind !== "update") return [];
  const names = Object.keys(args).filter((name) => entity.fields.has(name));
  const now = await fieldsNow(engine, feed, effect, names);
  return names.map((field) => ({ field, before: now.get(field), after: args[field] ?? null }));
}

function told(
  feed: Feed,
  body: EffectBody,
  facts: EffectFacts,
  more: Partial<Pick<ExplainedEffect, "changes" | "error" | "behind">>,
): ExplainedEffect {
  const { row, entryId, entity, capability, label, target, args } = facts;
  const known = { row, entryId, entity, capability, label, target, args };
  const { changes = [], error = null, behind = null } = more;
  return Object.freeze({ node: feed.id, ...known, kind: body.kind, changes, error, behind });
}

/** Fills one effect as a run would, and says what it would change; nothing but reads is sent. */
async function explainOne(engine: Engine, feed: Feed, body: EffectBody): Promise<ExplainedEffect> {
  try {
    const effect = await prepareEffect(engine, feed, body);
    const facts = factsOf(await addressedEffect(engine, feed, effect));
    return told(feed, body, facts, {
      changes: await changesOf(engine, feed, effect, facts.args),
    });
  } catch (error) {
    const facts = effectFacts(engine, feed, body);
    if (error instanceof SourceEnded) return told(feed, body, facts, { behind: error.source.id });
    if (!(error instanceof RunFailure)) throw error;
    return told(feed, body, facts, { error: feed.errorOf(error.failure) });
  }
}

/** An effect per row: each as it would be sent, or the one thing that keeps all of them from starting. */
async function explainItems(
  engine: Engine,
  feed: Feed,
  node: ForEachNode,
  body: EffectBody,
): Promise<readonly ExplainedEffect[]> {
  const explained: ExplainedEffect[] = [];
  try {
    const rows = await itemRows(engine, feed, engine.feedOf(node.source), body);
    for (const [index, row] of rows.entries()) {
      const item = openItem(engine, feed, row, index, () => feed.reader);
      explained.push(await explainOne(engine, item, body));
    }
    return explained;
  } catch (error) {
    const facts = effectFacts(engine, feed, body);
    if (error instanceof SourceEnded) return [told(feed, body, facts, { behind: error.source.id })];
    if (!(error instanceof RunFailure)) throw error;
    return [told(feed, body, facts, { error: feed.errorOf(error.failure) })];
  }
}

/**
 * What a node with effects would send, in order, without sending any of it (OPS-38). Reads what a run
 * would read for it, and an update's target where a get is at hand. Throws RunStop.
 */
export async function explainNode(
  engine: Engine,
  feed: Feed,
  node: EffectNode | ForEachNode,
): Promise<readonly ExplainedEffect[]> {
  if (node.kind !== "for_each") return [await explainOne(engine, feed, node)];
  if (!isEffectBody(node.body)) return [];
  return explainItems(engine, feed, node, node.body);
}
