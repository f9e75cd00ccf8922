import type { Entity, Json, JsonObject } from "@plasm/core";
import {
  type EffectBody,
  type EffectNode,
  type ForEachNode,
  isEffectBody,
} from "@plasm/core/internal";
import type { EntityRow, Identity } from "../../decode/entity-row.ts";
import { RunStop } from "../../limits/limits.ts";
import { type RunError, RunFailure } from "../../base/run-failure.ts";
import type { EffectFacts } from "../../effects/effect-log.ts";
import type { RunEngine } from "../engine.ts";
import { type Feed, SourceEnded } from "../feed.ts";
import { keyRow, loadRow } from "../hydrate.ts";
import { openItem } from "../resumed-feed.ts";
import { effectFacts } from "./effect-facts.ts";
import { itemRows } from "./effect-per-row.ts";
import { addressedEffect, factsOf } from "./perform-effect.ts";
import { type JudgedPrecondition, judgePrecondition, preconditionsOf } from "./preconditions.ts";
import { type PreparedEffect, prepareEffect } from "./prepare-effect.ts";

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
  /** what it needs of rows before it is sent, as they are now, before any effect of the plan */
  readonly preconditions: readonly JudgedPrecondition[];
  /** why it could not be filled: a run would fail there */
  readonly error: RunError | null;
  /** the node whose effect must happen before it can be told, or null */
  readonly behind: string | null;
}

/** What the API has now in fields of a row; nothing that fails is said of a read. */
async function fieldsNow(
  engine: RunEngine,
  feed: Feed,
  row: EntityRow,
  names: readonly string[],
): Promise<ReadonlyMap<string, Json>> {
  try {
    await loadRow(engine, feed, row, names, names);
  } catch (error) {
    if (!(error instanceof RunFailure) && !(error instanceof RunStop)) throw error;
  }
  return row.fields;
}

/** What an effect would change, and what it needs: its target is read once for both. */
async function looked(
  engine: RunEngine,
  feed: Feed,
  body: EffectBody,
  effect: PreparedEffect,
  args: JsonObject,
): Promise<Pick<ExplainedEffect, "changes" | "preconditions">> {
  const { call, capability, entity, target, environment } = effect;
  const changed =
    capability.kind === "update" ? Object.keys(args).filter((name) => entity.fields.has(name)) : [];
  const needed = preconditionsOf(engine, feed, body);
  const rows = new Map<string, { readonly row: EntityRow; readonly names: Set<string> }>();
  const want = (of: Entity, identity: Identity | null, ambient: JsonObject, name: string): void => {
    if (identity === null) return;
    const row = keyRow(call.catalog, of, identity, ambient);
    const wanted = rows.get(identity.text) ?? { row, names: new Set<string>() };
    rows.set(identity.text, wanted);
    wanted.names.add(name);
  };
  for (const name of changed) want(entity, target, environment.ambient, name);
  for (const { precondition, entity: of, identity } of needed) {
    const ambient = identity?.text === target?.text ? environment.ambient : {};
    want(of, identity, ambient, precondition.field);
  }
  const known = new Map<string, ReadonlyMap<string, Json>>();
  for (const [text, { row, names }] of rows) {
    known.set(text, await fieldsNow(engine, feed, row, [...names]));
  }
  const of = (identity: Identity | null) =>
    identity === null ? undefined : known.get(identity.text);
  return {
    changes: changed.map((field) => ({
      field,
      before: of(target)?.get(field),
      after: args[field] ?? null,
    })),
    preconditions: needed.map((each) => judgePrecondition(each, of(each.identity))),
  };
}

function told(
  feed: Feed,
  body: EffectBody,
  facts: EffectFacts,
  more: Partial<Pick<ExplainedEffect, "changes" | "preconditions" | "error" | "behind">>,
): ExplainedEffect {
  const { row, entryId, entity, capability, label, target, args } = facts;
  const known = { row, entryId, entity, capability, label, target, args };
  const { changes = [], preconditions = [], error = null, behind = null } = more;
  const { kind } = body;
  return Object.freeze({
    node: feed.id,
    ...known,
    kind,
    changes,
    preconditions,
    error,
    behind,
  });
}

/** Fills one effect as a run would, and says what it would change; nothing but reads is sent. */
async function explainOne(
  engine: RunEngine,
  feed: Feed,
  body: EffectBody,
): Promise<ExplainedEffect> {
  try {
    const effect = await prepareEffect(engine, feed, body);
    const facts = factsOf(await addressedEffect(engine, feed, effect));
    return told(feed, body, facts, await looked(engine, feed, body, effect, facts.args));
  } catch (error) {
    const facts = effectFacts(engine, feed, body);
    if (error instanceof SourceEnded) return told(feed, body, facts, { behind: error.source.id });
    if (!(error instanceof RunFailure)) throw error;
    return told(feed, body, facts, { error: feed.errorOf(error.failure) });
  }
}

/** An effect per row: each as it would be sent, or the one thing that keeps all of them from starting. */
async function explainItems(
  engine: RunEngine,
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
  engine: RunEngine,
  feed: Feed,
  node: EffectNode | ForEachNode,
): Promise<readonly ExplainedEffect[]> {
  if (node.kind !== "for_each") return [await explainOne(engine, feed, node)];
  if (!isEffectBody(node.body)) return [];
  return explainItems(engine, feed, node, node.body);
}
