import { createHash } from "node:crypto";
import type { Capability, Catalog, Entity, JsonObject, PlanValue } from "@plasm/core";
import {
  type EffectBody,
  holesOf,
  type RequestDescription,
  requestValues,
} from "@plasm/core/internal";
import type { EntityRow, Identity } from "../../decode/entity-row.ts";
import type { CapabilityCall } from "../../request/environment.ts";
import { writeEnvironment } from "../../request/write-environment.ts";
import { servedBy } from "../choose-get.ts";
import type { RunEngine } from "../engine.ts";
import type { Feed, NodeContext } from "../feed.ts";
import { prepareCall, type PreparedCall } from "../perform-read.ts";
import { callIdentity } from "../read-get.ts";
import { resolveKey } from "../resolve-args.ts";
import { type CalledOn, effectArguments } from "./effect-arguments.ts";
import { partialSource, refusePartial } from "./effect-facts.ts";
import type { PartialReason } from "../../base/diagnostic.ts";
import type { PreflightCall, PreflightReads } from "../../effects/step-values.ts";
import { runPreflight } from "../../effects/run-preflight.ts";
import { markUnread } from "../list-sets.ts";
import { openRows, readOne } from "../read-capability.ts";
import type { KeptForUndo } from "../../effects/effect-log.ts";
import { keptBefore, rowBefore } from "./kept-for-undo.ts";

/** An effect ready to be sent. */
export interface PreparedEffect extends PreparedCall {
  readonly capability: Capability;
  readonly entity: Entity;
  /** the row it is called on, or null */
  readonly target: Identity | null;
  /** arguments in the shape the catalog declares */
  readonly args: JsonObject;
  readonly idempotencyKey: string | null;
  /** the effect that it takes back, if it does (UNDO-05) */
  readonly undoes: EffectBody["undoes"];
  /** the row as it was read before it; null where it was not */
  readonly before: EntityRow | null;
  /** what is kept of it before it is sent; null where nothing is (UNDO-03) */
  readonly kept: KeptForUndo | null;
}

/** The ambient of the row whose key the target is; none where the key was written out (RUN-044). */
function ambientOf(
  engine: RunEngine,
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
  engine: RunEngine,
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
  engine: RunEngine,
  feed: Feed,
  body: EffectBody,
): Promise<PreparedEffect> {
  await refusePartial(engine, requestValues(body));
  const { catalog, capability, entity, target, args } = await filledEffect(engine, feed, body);
  const key = "target" in body ? body.target : {};
  const call: CapabilityCall = {
    catalog,
    ...servedBy(catalog, capability),
    args,
    identity: target === null ? null : callIdentity(target),
    anchor: {},
    ambient: target === null ? {} : ambientOf(engine, feed, key, target),
  };
  const { ambient } = call;
  const reads = readsOf(engine, feed, catalog);
  const row = await rowBefore(
    engine,
    { catalog, capability, entity, target },
    body.undoes,
    (get, of) => reads.one(get, of, of === target ? ambient : {}),
  );
  const kept = keptBefore({ catalog, capability, entity, target, args }, row);
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
  return {
    ...ready,
    capability,
    entity,
    target,
    args,
    idempotencyKey: sentKey,
    undoes: body.undoes,
    before: row ?? null,
    kept,
  };
}

/** Reads for the steps of one effect; rows that lack something stop it like partial input (LANG-076). */
function readsOf(engine: RunEngine, feed: Feed, catalog: Catalog): PreflightReads {
  const whole = async <T>(read: (site: NodeContext) => Promise<T>): Promise<T> => {
    const marks: PartialReason[] = [];
    const rows = await read({ id: feed.id, log: feed.log, mark: (reason) => marks.push(reason) });
    const [mark] = marks;
    if (mark !== undefined) throw partialSource("what is read before it", mark);
    return rows;
  };
  return {
    one: (capability, identity, ambient) =>
      whole((site) => {
        const call = { catalog, capability, args: {}, anchor: {}, ambient };
        return readOne(engine, site, call, identity);
      }),
    all: (capability, args, ambient) =>
      whole(async (site) => {
        const call = { catalog, capability, args, anchor: {}, ambient };
        const pages = openRows(engine, site, call, null);
        const rows: EntityRow[] = [];
        while (!pages.ended) for (const row of await pages.next()) rows.push(row);
        markUnread(site, pages.unread);
        return rows;
      }),
  };
}

/** The names that the preflight of an effect binds; it reads after the last effect (RUN-104). */
function effectPreflight(engine: RunEngine, feed: Feed, call: PreflightCall): Promise<JsonObject> {
  if (call.capability.preflight.length === 0) return Promise.resolve({});
  const variables = engine.variables.of(call.catalog.entryId);
  return runPreflight(call, readsOf(engine, feed, call.catalog), {
    functions: engine.functions,
    variables,
  });
}

/**
 * The key of one effect (RUN-026): the same in retries and resumed runs, since it depends on run, node
 * and row alone. It has the form of a UUID, which every API that takes such keys accepts.
 */
function idempotencyKey(runId: string, node: string, row: number | null): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([runId, node, row]))
    .digest("hex");
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}

/** A request that carries its key, and the key: the caller's own if its template has one. */
function withIdempotencyKey(
  request: RequestDescription,
  header: string | undefined,
  key: string,
): { readonly request: RequestDescription; readonly key: string | null } {
  if (header === undefined) return { request, key: null };
  const given = request.headers.find(([name]) => name.toLowerCase() === header.toLowerCase());
  if (given !== undefined) return { request, key: given[1] };
  return { request: { ...request, headers: [...request.headers, [header, key]] }, key };
}
