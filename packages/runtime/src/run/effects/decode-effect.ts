import type { Entity, Json, JsonObject } from "@plasm/core";
import { type CallResult, callResult, keyParts } from "@plasm/core/internal";
import { endsInNull, listRows, singleRow } from "../../decode/collection.ts";
import { decodeRow } from "../../decode/decode-row.ts";
import { createDiagnosticLog, type DiagnosticLog } from "../../base/diagnostic.ts";
import { type EntityRow, type Identity, makeIdentity } from "../../decode/entity-row.ts";
import { type Held, mappedKeys, unreadWords } from "../../decode/error-markers.ts";
import { isPlainSuccess } from "../../decode/trouble-words.ts";
import { failedCounts, failedParts } from "../../decode/failed-parts.ts";
import { locationIdentity } from "../../decode/location-identity.ts";
import { apiText } from "../../decode/api-text.ts";
import { isAttachment } from "../../decode/response-body.ts";
import { clip, hasMember, isArray, isObject } from "../../base/json-kinds.ts";
import { rewriteToBackend } from "../../request/effective-backend.ts";
import type { BackendAccess } from "../../limits/exchange.ts";
import { type Row, wholeRow } from "../../rows/row.ts";
import { type FailedRequest, failure, RunFailure } from "../../base/run-failure.ts";
import type { RunEngine } from "../engine.ts";
import { answeredBy, type NodeContext } from "../feed.ts";
import { keyRow } from "../hydrate.ts";
import { checkMarkers, hasNothing, naming, pickAnsweredRow } from "../read-get.ts";
import type { PreparedEffect } from "./prepare-effect.ts";
import { tellEmptyArguments, tellUnmetArguments } from "./unmet-arguments.ts";

/** A 2xx answer to an effect. */
export interface EffectAnswer {
  /** null where the response is empty */
  readonly body: Json;
  /** some of its bytes are no text */
  readonly malformed?: boolean;
  readonly location: string | null;
  /** the URL that answered */
  readonly url: string;
  readonly request: FailedRequest;
  readonly party: BackendAccess;
}

interface Decoding {
  readonly engine: RunEngine;
  readonly feed: NodeContext;
  readonly effect: PreparedEffect;
  readonly answer: EffectAnswer;
}

/** What the rows of an effect are (RUN-040). */
export const effectResult = (effect: PreparedEffect): CallResult =>
  callResult(effect.call.catalog, effect.capability);

/** `{ok: true}` with the reference of the row it was called on; a create has none (RUN-040). */
function okRow({ effect }: Decoding): Row {
  const { target, entity, call, environment } = effect;
  const base = target === null ? null : keyRow(call.catalog, entity, target, environment.ambient);
  return { base, cells: new Map<string, Json>([["ok", true]]), joined: new Map() };
}

function openRow(value: Json): Row {
  const isWhole = !isObject(value) || isAttachment(value);
  const cells = isWhole ? [["value", value] as const] : Object.entries(value);
  return { base: null, cells: new Map(cells), joined: new Map() };
}

/** The identity a create's `Location` names, at the same origin only (RUN-048). */
function locatedIdentity({ effect, answer }: Decoding, entity: Entity): Identity | null {
  const { location, url, party } = answer;
  const { catalog } = effect.call;
  if (location === null || !URL.canParse(location, url)) return null;
  const place = rewriteToBackend(new URL(location, url), party.backend);
  const base = new URL(party.backend.base).pathname.replace(/(?<!\/)\/+$/, "");
  if (place.origin !== new URL(url).origin || !place.pathname.startsWith(`${base}/`)) return null;
  const path = place.pathname.slice(base.length);
  return locationIdentity(catalog, entity, path, effect.environment.ambient);
}

/** The variables that a template's path reads. */
const pathNames = ({ template }: PreparedEffect["call"]): ReadonlySet<string> =>
  new Set(template.path.flatMap((segment) => (segment.type === "var" ? [segment.name] : [])));

/**
 * The key that a create itself gave its row: by the address that it was put to, where that is the row's own,
 * or by arguments that are called like its key parts. One that only leads to where the row is made is no part of
 * a simple key (RUN-043, RUN-045).
 */
function chosenIdentity({ effect, answer }: Decoding, entity: Entity): Identity | null {
  if (entity.name !== effect.entity.name) return null;
  const { call, environment, args } = effect;
  const { pathname, origin } = new URL(answer.url);
  const { backend } = answer.party;
  const base = new URL(backend.base).pathname.replace(/(?<!\/)\/+$/, "");
  const { method, path: segments } = call.template;
  const isPut = method === "PUT" && segments.at(-1)?.type === "var";
  if (isPut && origin === new URL(backend.base).origin && pathname.startsWith(`${base}/`)) {
    const path = pathname.slice(base.length);
    const own = locationIdentity(call.catalog, entity, path, environment.ambient);
    if (own !== null) return own;
  }
  const parts = keyParts(entity);
  const leading = pathNames(call);
  const isChosen = (part: string): boolean =>
    Object.hasOwn(args, part) && (parts.length > 1 || !leading.has(part));
  if (!parts.some(isChosen)) return null;
  const key: Record<string, Json | undefined> = {};
  for (const part of parts) key[part] = isChosen(part) ? args[part] : environment.ambient[part];
  return makeIdentity(entity, key);
}

function decodeAs(
  decoding: Decoding,
  entity: Entity,
  requested: Identity | null,
  log: DiagnosticLog = decoding.feed.log,
) {
  const { effect } = decoding;
  const { catalog } = effect.call;
  const own = entity.name === effect.entity.name;
  const provides = own ? effect.capability.provides : undefined;
  return (wire: Json, index = 0): EntityRow =>
    decodeRow({ catalog, log }, wire, {
      entity,
      provides: provides === undefined ? null : new Set(provides),
      ambient: effect.environment.ambient,
      requested,
      index,
    });
}

function noIdentity({ feed, answer }: Decoding, entity: Entity): void {
  const { location } = answer;
  const where =
    location === null ? "there is no Location" : "its Location is no path of a get of the entity";
  feed.log.add("identity_missing", `the answer does not say which ${entity.name} it is; ${where}`);
}

/** Whether the rows of a create say themselves which they are; what is odd about them is said later. */
function identifiesItself(decoding: Decoding, entity: Entity, wire: Json): boolean {
  const unread = createDiagnosticLog(decoding.feed.id);
  return decodeAs(decoding, entity, null, unread)(wire).identity !== null;
}

/** Says what an answer holds in which nothing of the row is: what it would show is that all is empty (RUN-188). */
function tellUnfit({ feed, effect, answer }: Decoding, entity: Entity, wire: Json): void {
  if (!isObject(wire) || isPlainSuccess(wire) || unreadWords(entity, answer.body) !== null) return;
  const { label } = effect.capability;
  const words = clip(JSON.stringify(wire), 200);
  feed.log.add(
    "answer_unread",
    `${label} was answered ${words}, which is no ${entity.name}: read it`,
  );
}

/** A row of its answer, which may contradict what was sent; one of which nothing is in it is known by its key alone (RUN-188). */
function answeredRow(decoding: Decoding, entity: Entity, row: EntityRow): Row {
  const { feed, effect } = decoding;
  const { catalog } = effect.call;
  if (hasNothing(catalog, entity, row)) {
    const isCreate = effect.capability.kind === "create";
    // What the request says of a row that it made is known; nothing else of it is shown.
    if (isCreate && row.identity !== null) {
      return wholeRow(keyRow(catalog, entity, row.identity, row.ambient));
    }
    tellUnfit(decoding, entity, row.wire);
    return okRow(decoding);
  }
  if (entity.name === effect.entity.name) {
    tellUnmetArguments(feed.log, effect.capability, effect.args, entity, row);
  }
  return wholeRow(row);
}

/**
 * A GraphQL answer has what was asked for: one without the row, and without an error, is of a row that was not
 * there to be changed, or that the caller may not see (RUN-211).
 */
function unanswered({ effect }: Decoding, entity: Entity): RunFailure {
  const message = `${effect.capability.label} was answered with no ${entity.name} and no error.`;
  return new RunFailure(
    failure("not_found", message, "check the arguments, or list the rows", { mayHaveRun: true }),
  );
}

/** The row of a create, whose identity may be in its `Location` alone (RUN-045, RUN-048). */
function createdRow(decoding: Decoding, entity: Entity, wire: Json): Row {
  if (wire !== null && identifiesItself(decoding, entity, wire)) {
    return answeredRow(decoding, entity, decodeAs(decoding, entity, null)(wire));
  }
  const located = locatedIdentity(decoding, entity) ?? chosenIdentity(decoding, entity);
  const isEmpty = wire === null && located === null;
  if (isEmpty && decoding.effect.call.template.transport === "graphql")
    throw unanswered(decoding, entity);
  if (located === null) noIdentity(decoding, entity);
  if (wire !== null) {
    return answeredRow(decoding, entity, decodeAs(decoding, entity, located)(wire));
  }
  if (located === null) return okRow(decoding);
  const { call, environment } = decoding.effect;
  return wholeRow(keyRow(call.catalog, entity, located, environment.ambient));
}

function notFound(name: string): RunFailure {
  return new RunFailure(
    failure(
      "not_found",
      `${name}: the API answered with no row.`,
      "check the key, or list the rows",
    ),
  );
}

function oneRow(decoding: Decoding, entity: Entity, wire: Json): Row {
  const { effect } = decoding;
  const requested = entity.name === effect.entity.name ? effect.target : null;
  if (wire !== null) decoding.feed.log.read(1);
  if (effect.capability.kind === "create") return createdRow(decoding, entity, wire);
  if (wire === null) throw notFound(effect.target?.text ?? entity.name);
  return answeredRow(decoding, entity, decodeAs(decoding, entity, requested)(wire));
}

function wireRow(decoding: Decoding, entity: Entity): Json {
  const { feed, effect, answer } = decoding;
  const { response, transport } = effect.call.template;
  // GraphQL has null for a payload, too, of a row that is not there (RUN-211).
  if (transport === "graphql" && endsInNull(response, answer.body)) return null;
  const found = singleRow(response, answer.body, effect.environment.rest, feed.log);
  if (!isArray(found)) return found;
  return pickAnsweredRow(found, decodeAs(decoding, entity, null), effect.target);
}

/** Says what an answer says of itself that holds no row, where that is no plain success: nothing else shows it (RUN-041). */
function tellUnread({ feed, effect, answer }: Decoding): void {
  if (effect.call.template.response.errorWhen !== undefined) return;
  const words = unreadWords(effect.entity, answer.body);
  if (words === null) return;
  const { label } = effect.capability;
  feed.log.add("answer_unread", `${label} was answered ${words}; look whether it was done`);
}

/** Says that an effect was taken on and may not be done yet (RUN-188). */
function tellAccepted({ feed, effect, answer }: Decoding): void {
  if (answer.request.status !== 202) return;
  const { label } = effect.capability;
  feed.log.add(
    "effect_accepted",
    `${label} was answered 202: it was taken on, and may be done later or fail; look before you rely on it`,
  );
}

/** Says which parts of what was asked an answer reports as failed, where it is not a row itself (RUN-187). */
function tellParts({ engine, feed, effect, answer }: Decoding, held: Held): void {
  const { template } = effect.call;
  const { body, request } = answer;
  const isTold = request.status === 207 || template.response.errorWhen !== undefined;
  if (held === "row" || isTold || template.transport === "graphql") return;
  const idKey = (
    effect.entity.fields.get(effect.entity.idField)?.path ?? [effect.entity.idField]
  )[0];
  if (idKey !== undefined && hasMember(body, idKey)) return;
  const known = mappedKeys(effect.entity);
  const { label } = effect.capability;
  const parts = failedParts(body, known);
  const counts = parts === null ? failedCounts(body, known) : null;
  if (parts !== null) {
    const { all, failed, first } = parts;
    const text = apiText(first, engine.redactor.redact) ?? clip(JSON.stringify(first), 200);
    const says = `${label} was answered ${request.status}, and ${failed} of ${all} parts say that they failed: ${text}`;
    feed.log.add("parts_failed", says);
  } else if (counts !== null) {
    feed.log.add("parts_failed", `${label} was answered ${clip(JSON.stringify(counts), 200)}`);
  } else return;
  feed.mark("parts_failed");
}

/** Says that fewer rows came back than were sent: nothing says of the others whether they are done (RUN-192). */
function tellFewer({ feed, effect }: Decoding, { name }: Entity, came: number): void {
  const { capability, args, target } = effect;
  const isTold = feed.log.has("parts_failed") || feed.log.has("collection_missing");
  if (target !== null || isTold || capability.kind === "delete" || name !== effect.entity.name)
    return;
  const lists = Object.values(args).flatMap((one) => (isObject(one) ? Object.values(one) : [one]));
  const sent = lists
    .filter((one) => isArray(one))
    .filter((one) => one.every((item) => isObject(item)))
    .map(({ length }) => length);
  const [most] = sent;
  if (sent.length !== 1 || most === undefined || came >= most) return;
  const says = `${capability.label} sent ${most} rows, and ${came} came back; look which of them are done`;
  feed.log.add("answer_unread", says);
}

function rowsOf(decoding: Decoding, result: CallResult, rest: JsonObject): readonly Row[] {
  const { feed, effect, answer } = decoding;
  const { response } = effect.call.template;
  switch (result.kind) {
    case "nothing":
      tellUnread(decoding);
      return [okRow(decoding)];
    case "open": {
      if (answer.body === null) return [okRow(decoding)];
      tellUnread(decoding);
      const found = singleRow(response, answer.body, rest, feed.log);
      return isArray(found) ? found.map(openRow) : [openRow(found)];
    }
    case "rows": {
      const entity = effect.call.catalog.cgs.entities.get(result.entity);
      if (entity === undefined) throw new Error(`no entity ${result.entity}`);
      const empty = answer.body === null && effect.capability.kind !== "create";
      if (empty) return [okRow(decoding)];
      tellUnread(decoding);
      if (result.card === "one") return [oneRow(decoding, entity, wireRow(decoding, entity))];
      const decode = decodeAs(decoding, entity, null);
      const found = listRows(response, answer.body, rest, feed.log);
      feed.log.read(found.length);
      tellFewer(decoding, entity, found.length);
      return found.map((wire, index) => wholeRow(decode(wire, index)));
    }
  }
}

/**
 * The rows of an effect from its answer (RUN-031, RUN-040, RUN-043, RUN-045, RUN-048). Throws
 * RunFailure: `upstream_error` where a 2xx reports a failure (RUN-041), `not_found` where it holds no
 * row, `decode` where it is not what the mapping says.
 */
export function rowsOfEffect(
  engine: RunEngine,
  site: NodeContext,
  effect: PreparedEffect,
  answer: EffectAnswer,
): readonly Row[] {
  const result = effectResult(effect);
  const { capability, call } = effect;
  const feed = answeredBy(site, { catalog: call.catalog, capability });
  const decoding: Decoding = { engine, feed, effect, answer };
  return naming(answer, () => {
    const held = result.kind !== "rows" ? "nothing" : result.card === "many" ? "list" : "row";
    checkMarkers(engine, feed, call, answer, held);
    tellAccepted(decoding);
    tellEmptyArguments(feed.log, capability, call.template, effect.args);
    tellParts(decoding, held);
    return rowsOf(decoding, result, effect.environment.rest);
  });
}
