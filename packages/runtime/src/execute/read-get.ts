import type { Json } from "@plasm/core";
import { singleRow } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { errorMarker } from "../decode/error-markers.ts";
import { isArray, isObject } from "../json-kinds.ts";
import { apiText } from "../decode/api-text.ts";
import { idValue, makeIdentity } from "../decode/identity.ts";
import { nothingSelected } from "../decode/nothing-selected.ts";
import { followResponse } from "../decode/wire-path.ts";
import { RunStop } from "../limits/budget.ts";
import { rowScope } from "../overlays/row-scope.ts";
import { describeAuxiliary } from "../request/build-request.ts";
import type { Call } from "../request/environment.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import type { Site } from "./feed.ts";
import { type Answer, performRead, type PreparedCall, prepareCall } from "./perform-read.ts";

/** Adds the request to a failure that decoding found. */
export function naming<T>(answer: Pick<Answer, "request">, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof RunFailure) || error.failure.request !== null) throw error;
    throw new RunFailure({ ...error.failure, request: answer.request });
  }
}

/**
 * Fails if a 2xx says that it is a failure; GraphQL errors beside rows are a diagnostic (RUN-041).
 * `list` says whether the answer holds a collection.
 */
export function checkMarkers(
  engine: Engine,
  feed: Site,
  call: Call,
  answer: Pick<Answer, "body" | "request">,
  list: boolean,
): void {
  const entity = call.catalog.cgs.entities.get(call.capability.entity);
  if (entity === undefined) return;
  const marked = errorMarker(call.template, entity, answer.body, list);
  const { method, origin, pathTemplate } = answer.request;
  if (marked.failed) {
    const text = apiText(marked.said, engine.redactor.redact);
    const quoted = text === null ? "" : `: "${text}"`;
    throw new RunFailure(
      failure(
        "upstream_error",
        `${method} ${origin}${pathTemplate} reports a failure${quoted}.`,
        "check the arguments against what the API says",
        { request: { ...answer.request, apiText: text } },
      ),
    );
  }
  if (marked.graphqlErrors === null) return;
  const text = apiText({ errors: marked.graphqlErrors }, engine.redactor.redact);
  feed.log.add("graphql_errors", text ?? "errors without text");
  feed.mark("graphql_errors");
}

/** Reads the second part of a row; without it the row lacks that key, with a diagnostic (MAP-032). */
async function mergeAuxiliary(
  engine: Engine,
  feed: Site,
  prepared: PreparedCall,
  row: Json,
): Promise<Json> {
  const { call, environment } = prepared;
  const rule = call.template.response.auxiliaryMerge;
  if (rule === undefined || !isObject(row)) return row;
  try {
    const description = describeAuxiliary(rule, environment, engine.functions);
    const answer = await performRead(engine, feed.id, { ...prepared, at: null }, description);
    const value = answer.missing ? undefined : followResponse(answer.body, rule.fromPath);
    if (value !== undefined) return { ...row, [rule.intoKey]: value };
    feed.log.add("merge_failed", `nothing for ${rule.intoKey}`);
  } catch (error) {
    if (!(error instanceof RunFailure) && !(error instanceof RunStop)) throw error;
    feed.log.add("merge_failed", `${rule.intoKey}: ${error.message}`);
  }
  feed.mark("merge_failed");
  return row;
}

/** None, the only one, or the one row of several that has the requested identity (RUN-031). */
export function pickRow(
  rows: readonly Json[],
  decode: (row: Json) => EntityRow,
  requested: Identity | null,
): Json {
  if (rows.length <= 1) return rows[0] ?? null;
  const found = rows.find((row) => {
    // Without the request's own identity, which decoding falls back to, a row must say who it is.
    return requested !== null && decode(row).identity?.text === requested.text;
  });
  if (found !== undefined) return found;
  throw new RunFailure(
    failure(
      "decode",
      `${rows.length} rows came where one was asked for, none of them the requested one.`,
      "correct the get's response in the catalog's mapping",
    ),
  );
}

/**
 * Reads one row by a get (RUN-031, RUN-043); null if the API has none. Throws RunFailure or RunStop.
 */
export async function readGet(
  engine: Engine,
  feed: Site,
  call: Call,
  requested: Identity | null,
): Promise<EntityRow | null> {
  const prepared = prepareCall(engine, call);
  const { ambient } = prepared.environment;
  const { entity, statics } = rowScope(call.catalog, call.capability, ambient);
  const answer = await performRead(engine, feed.id, prepared, prepared.description);
  if (answer.missing) return null;
  const { provides } = call.capability;
  const decodeAs = (identity: Identity | null) => (wire: Json) =>
    decodeRow({ catalog: call.catalog, log: feed.log }, wire, {
      entity,
      statics,
      provides: provides === undefined ? null : new Set(provides),
      ambient,
      requested: identity === null ? null : makeIdentity(entity, identity.key),
      index: 0,
    });
  const wire = naming(answer, () => {
    checkMarkers(engine, feed, call, answer, false);
    const found = singleRow(
      call.template.response,
      answer.body,
      prepared.environment.rest,
      feed.log,
    );
    return isArray(found) ? pickRow(found, decodeAs(null), requested) : found;
  });
  if (wire === null || nothingSelected(call.template, wire)) return null;
  const row = decodeAs(requested)(await mergeAuxiliary(engine, feed, prepared, wire));
  row.loadedBy.add(call.capability.name);
  engine.budget.takeRows(1);
  engine.cache.put(call.catalog.digest, row, answer.bytes);
  return row;
}

/** The identity part of a call. */
export function callIdentity(identity: Identity): Call["identity"] {
  return { key: identity.key, id: idValue(identity) };
}
