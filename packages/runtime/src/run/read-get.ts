import type { Capability, Catalog, Entity, Json } from "@plasm/core";
import { isPlaceName, keyParts, sentKeyParts } from "@plasm/core/internal";
import { createDiagnosticLog } from "../base/diagnostic.ts";
import { names, nothingSelected, singleRow } from "../decode/collection.ts";
import { decodeRow } from "../decode/decode-row.ts";
import {
  type EntityRow,
  type Identity,
  idValue,
  makeIdentity,
  noteLoaded,
} from "../decode/entity-row.ts";
import { errorMarker, type Held } from "../decode/error-markers.ts";
import { failedParts } from "../decode/failed-parts.ts";
import { isArray, isObject } from "../base/json-kinds.ts";
import { apiText } from "../decode/api-text.ts";
import { endSigns } from "../decode/more-signs.ts";
import { followResponse } from "../decode/response-body.ts";
import { wireShape } from "../decode/row-edges.ts";
import { RunStop } from "../limits/limits.ts";
import { rowScope } from "../overlays/overlay-template.ts";
import { describeAuxiliary } from "../request/build-request.ts";
import type { CapabilityCall } from "../request/environment.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { requireAskedRow } from "./answered-identity.ts";
import type { RunEngine } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import { type ReadAnswer, performRead, prepareCall, type PreparedCall } from "./perform-read.ts";

/** Adds the request to a failure that decoding found. */
export function naming<T>(answer: Pick<ReadAnswer, "request">, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof RunFailure) || error.failure.request !== null) throw error;
    throw new RunFailure({ ...error.failure, request: answer.request });
  }
}

/**
 * Fails if a 2xx says that it is a failure; GraphQL errors beside rows are a diagnostic (RUN-041).
 * `held` says what the answer holds.
 */
export function checkMarkers(
  engine: RunEngine,
  feed: NodeContext,
  call: CapabilityCall,
  answer: Pick<ReadAnswer, "body" | "request" | "malformed">,
  held: Held,
): void {
  if (answer.malformed === true) {
    feed.log.add("text_malformed", "bytes that are no text (invalid UTF-8) are shown as U+FFFD");
  }
  const entity = call.catalog.cgs.entities.get(call.capability.entity);
  if (entity === undefined) return;
  const marked = errorMarker(call.template, entity, answer.body, held);
  const { method, origin, pathTemplate } = answer.request;
  if (marked.failed) {
    const text = apiText(marked.said, engine.redactor.redact);
    const quoted = text === null ? "" : `: "${text}"`;
    throw new RunFailure(
      failure(
        "upstream_error",
        `${method} ${origin}${pathTemplate} reports a failure${quoted}.`,
        "check the arguments against what the API says",
        { request: { ...answer.request, apiText: text }, mayHaveRun: marked.mayHaveRun },
      ),
    );
  }
  if (answer.request.status === 207 && call.template.response.errorWhen === undefined) {
    checkParts(engine, feed, answer);
  }
  if (marked.graphqlErrors === null) return;
  const text = apiText({ errors: marked.graphqlErrors }, engine.redactor.redact);
  feed.log.add("graphql_errors", text ?? "errors without text");
  feed.mark("graphql_errors");
}

/** A 207 of whose parts all failed is a failure; one that did in part is partial, and says how many (RUN-041). */
function checkParts(
  engine: RunEngine,
  feed: NodeContext,
  { body, request }: Pick<ReadAnswer, "body" | "request">,
): void {
  const parts = failedParts(body);
  if (parts === null) return;
  const { all, failed, first } = parts;
  const text = apiText(first, engine.redactor.redact);
  const quoted = text === null ? "" : `: "${text}"`;
  const { method, origin, pathTemplate } = request;
  const says = `${method} ${origin}${pathTemplate} answered 207, and ${failed} of ${all} parts failed${quoted}`;
  if (failed < all) {
    feed.log.add("parts_failed", says);
    feed.mark("parts_failed");
    return;
  }
  throw new RunFailure(
    failure("upstream_error", `${says}.`, "check the arguments against what the API says", {
      request: { ...request, apiText: text },
    }),
  );
}

/** Reads the second part of a row; without it the row lacks that key, with a diagnostic (MAP-032). */
async function mergeAuxiliary(
  engine: RunEngine,
  feed: NodeContext,
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

/**
 * None, the only one, or the one row of several that has the requested identity (RUN-031). Where no key is
 * sent, the only one must have it, too.
 */
export function pickAnsweredRow(
  rows: readonly Json[],
  decode: (row: Json) => EntityRow,
  requested: Identity | null,
  isSent = true,
): Json {
  if (rows.length <= 1 && isSent) return rows[0] ?? null;
  const found = rows.find((row) => {
    // Without the request's own identity, which decoding falls back to, a row must say who it is.
    return requested !== null && decode(row).identity?.text === requested.text;
  });
  if (found !== undefined) return found;
  // All rows there are, whichever is asked for: it is not among them.
  if (!isSent) return null;
  throw new RunFailure(
    failure(
      "decode",
      `${rows.length} rows came where one was asked for, none of them the requested one.`,
      "correct the get's response in the catalog's mapping",
    ),
  );
}

/** What a get says that it fills and its answer lacks is empty, like a field of that kind (RUN-035, RUN-037). */
function clearEdges(row: EntityRow, entity: Entity, provides: Capability["provides"]): void {
  const missing = wireShape(entity).embedded.filter(
    ({ relation: { name } }) => provides?.includes(name) === true && !row.edges.has(name),
  );
  if (missing.length === 0) return;
  const empty = missing.map(({ relation }) => [relation.name, []] as const);
  row.edges = new Map([...row.edges, ...empty]);
}

/**
 * Whether the catalog finds nothing of the entity in an answer, so that all that is known of the row is the key that
 * was asked for (RUN-031). What the request says and what a catalog adds is none of the answer's.
 */
export function hasNothing(catalog: Catalog, entity: Entity, row: EntityRow): boolean {
  const key = new Set(keyParts(entity));
  const others = [...entity.fields.keys()].filter((name) => !key.has(name));
  const { wire, fields, references, edges } = row;
  if (others.length === 0 || !isObject(wire)) return false;
  // Nearly every row has a value, and is not decoded again.
  if (others.some((name) => (fields.get(name) ?? null) !== null)) return false;
  if (references.size + edges.size > 0) return false;
  const read = decodeRow({ catalog, log: createDiagnosticLog("") }, wire, {
    entity,
    statics: {},
    provides: null,
    ambient: {},
    requested: null,
    index: 0,
  });
  return read.identity === null && read.fields.size + read.references.size + read.edges.size === 0;
}

/**
 * Says that an answer is one page of several, where the request takes a page and the program named none: a document that
 * does not say what is answered makes a row of a list (RUN-204).
 */
function tellOtherPages(feed: NodeContext, call: CapabilityCall, answer: ReadAnswer): void {
  const { query } = call.template;
  const asked = query?.type === "object" ? query.fields : [];
  const taken = asked.flatMap(([key, value]) =>
    value.type === "var" && isPlaceName(key) ? [value.name] : [],
  );
  const [param] = taken;
  if (param === undefined || taken.some((name) => (call.args[name] ?? null) !== null)) return;
  const { body, paging: headers } = answer;
  const lists = isObject(body) ? Object.values(body).filter(isArray) : [body].filter(isArray);
  const rows = lists.length === 1 ? (lists[0]?.length ?? null) : null;
  const { more } = endSigns({ body, path: [""], headers, rows, pages: 1, sent: new Set() });
  if (more === null) return;
  const says = more.total === null ? "that more follow" : `that there are ${more.total}`;
  const name = call.capability.name;
  feed.log.add(
    "rows_unread",
    `${name}: this is one page, and the API says ${says} (${more.at}); give ${param} for the others`,
  );
  feed.mark("rows_unread");
}

/**
 * Reads one row by a get (RUN-031, RUN-043); null if the API has none. Throws RunFailure or RunStop.
 */
export async function readGet(
  engine: RunEngine,
  feed: NodeContext,
  call: CapabilityCall,
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
  const isSent = requested === null || sentKeyParts(call.catalog, call.capability).size > 0;
  const wire = naming(answer, () => {
    checkMarkers(engine, feed, call, answer, "row");
    const found = singleRow(
      call.template.response,
      answer.body,
      prepared.environment.rest,
      feed.log,
    );
    const picked =
      isArray(found) && !takesWhole(entity)
        ? pickAnsweredRow(found, decodeAs(null), requested, isSent)
        : found;
    // A request that is the same for every key must be answered by a row that says who it is.
    if (!isSent && picked !== null && decodeAs(null)(picked).identity === null) return null;
    return picked;
  });
  if (wire === null || nothingSelected(call.template, wire)) return null;
  const row = decodeAs(requested)(await mergeAuxiliary(engine, feed, prepared, wire));
  if (requested !== null && call.anyRow !== true) {
    naming(answer, () => requireAskedRow({ call, entity, requested, moved: answer.moved }, row));
  }
  if (hasNothing(call.catalog, entity, row) && isObject(wire)) {
    const keys = Object.keys(wire);
    const has = keys.length === 0 ? "no keys" : names(keys);
    feed.log.add("row_unfit", `nothing of ${entity.name} is in the answer, which has ${has}`);
    feed.mark("row_unfit");
  }
  tellOtherPages(feed, call, answer);
  noteLoaded(row, call.capability.name);
  clearEdges(row, entity, provides);
  engine.budget.takeRows(1);
  feed.log.read(1);
  engine.cache.put(call.catalog.digest, row, answer.bytes);
  return row;
}

/** Whether a field of the row is all that is answered (`path: []`): then a list is its value, and not several rows. */
const takesWhole = ({ fields }: Entity): boolean =>
  [...fields.values()].some(({ path }) => path?.length === 0);

/** The identity part of a call. */
export function callIdentity(identity: Identity): CapabilityCall["identity"] {
  return { key: identity.key, id: idValue(identity) };
}
