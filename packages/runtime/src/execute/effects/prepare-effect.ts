import type { Capability, Entity, JsonObject, PlanValue } from "@plasm/core";
import type { Identity } from "../../decode/entity-row.ts";
import { idempotencyKey, withIdempotencyKey } from "../../effects/idempotency-key.ts";
import type { Call } from "../../request/environment.ts";
import { writeEnvironment } from "../../request/write-environment.ts";
import { servedBy } from "../choose-get.ts";
import type { Engine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import type { EffectBody } from "../node-types.ts";
import { type PreparedCall, prepareCall } from "../perform-read.ts";
import { holesOf, requestValues } from "../plan-values.ts";
import { callIdentity } from "../read-get.ts";
import { resolveKey } from "../resolve-args.ts";
import { type CalledOn, effectArguments } from "./effect-arguments.ts";
import { effectPreflight } from "./effect-preflight.ts";
import { refusePartial } from "./refuse-partial.ts";

/** An effect ready to be sent. */
export interface PreparedEffect extends PreparedCall {
  readonly capability: Capability;
  readonly entity: Entity;
  /** the row it is called on, or null */
  readonly target: Identity | null;
  /** arguments in the shape the catalog declares */
  readonly args: JsonObject;
  readonly idempotencyKey: string | null;
}

/** The ambient of the row whose key the target is; none where the key was written out (RUN-044). */
function ambientOf(
  engine: Engine,
  feed: Feed,
  key: Readonly<Record<string, PlanValue>>,
  target: Identity,
): JsonObject {
  const sources = new Set(holesOf(Object.values(key)).map(({ from }) => from));
  const [source] = sources;
  const row = source === undefined ? feed.item?.row : engine.feedOf(source).rows.at(0);
  const base = row?.base ?? null;
  return base?.identity?.text === target.text ? base.ambient : {};
}

/** An effect with its target and its arguments filled in: nothing is sent, and nothing read but for values. */
export interface FilledEffect extends CalledOn {
  readonly args: JsonObject;
}

/**
 * Fills the holes of an effect, and checks its key and its arguments (PLAN-064, RUN-010, RUN-016). Throws
 * RunFailure, RunStop or SourceEnded.
 */
export async function filledEffect(
  engine: Engine,
  feed: Feed,
  body: EffectBody,
): Promise<FilledEffect> {
  const catalog = engine.catalog(body.catalog.entry_id);
  const capability = catalog.cgs.capabilities.get(body.capability);
  const entity = catalog.cgs.entities.get(body.catalog.entity);
  if (capability === undefined || entity === undefined) {
    throw new Error(`no ${body.kind} ${body.capability} of ${body.catalog.entity}`);
  }
  const key = "target" in body ? body.target : {};
  const keyed = Object.keys(key).length > 0;
  const target = keyed ? await resolveKey(engine, feed, entity, key) : null;
  const called = { catalog, capability, entity, target };
  return { ...called, args: await effectArguments(engine, feed, called, body.args) };
}

/**
 * Fills an effect's holes and builds its request; nothing is sent but what completes rows in hand
 * (PLAN-064, RUN-010). Throws RunFailure, RunStop or SourceEnded.
 */
export async function prepareEffect(
  engine: Engine,
  feed: Feed,
  body: EffectBody,
): Promise<PreparedEffect> {
  await refusePartial(engine, requestValues(body));
  const { catalog, capability, entity, target, args } = await filledEffect(engine, feed, body);
  const key = "target" in body ? body.target : {};
  const call: Call = {
    catalog,
    ...servedBy(catalog, capability),
    args,
    identity: target === null ? null : callIdentity(target),
    anchor: {},
    ambient: target === null ? {} : ambientOf(engine, feed, key, target),
  };
  const { ambient } = call;
  const before = { catalog, capability, args, target, ambient };
  const preflight = await effectPreflight(engine, feed, before);
  const prepared = prepareCall(engine, call, writeEnvironment(call, preflight));
  const own = idempotencyKey(engine.context.runId, feed.id, feed.item?.index ?? null);
  const { request, key: sentKey } = withIdempotencyKey(
    prepared.description,
    call.template.idempotencyHeader,
    own,
  );
  const ready = { ...prepared, description: request };
  return { ...ready, capability, entity, target, args, idempotencyKey: sentKey };
}
