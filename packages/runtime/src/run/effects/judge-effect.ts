import type { Json } from "@plasm/core";
import { backendSetting } from "@plasm/core/internal";
import {
  followDotted,
  headerValue,
  attachmentOf,
  isXml,
  readBody,
  type ResponseBody,
  xmlReader,
} from "../../decode/response-body.ts";
import { isDoneInPart } from "../../decode/failed-parts.ts";
import { type EffectName, effectText, inDoubt } from "../../effects/effect-log.ts";
import { type Exchange, originOf, type BackendAccess, requestName } from "../../limits/exchange.ts";
import { FIXED } from "../../limits/limits.ts";
import type { EffectSent } from "../../limits/send-effect.ts";
import type { WireRequest } from "../../request/wire-request.ts";
import type { Row } from "../../rows/row.ts";
import {
  type FailedRequest,
  type FailureDetail,
  failure,
  RunFailure,
} from "../../base/run-failure.ts";
import type { RunEngine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { callNames } from "../perform-read.ts";
import { storeLargeFile } from "../files.ts";
import { runHook } from "../response-hook.ts";
import { clip, hasMember, isArray, isObject, isScalar } from "../../base/json-kinds.ts";
import { said, statusFailure, successBody } from "../response-failures.ts";
import { effectResult, rowsOfEffect } from "./decode-effect.ts";
import type { PreparedEffect } from "./prepare-effect.ts";

/** How an effect ended, with its rows or what went wrong. */
export type EffectEnding =
  | {
      readonly status: "done";
      readonly rows: readonly Row[];
      readonly bytes: number;
      readonly httpStatus: number;
    }
  | {
      readonly status: "failed" | "in_doubt";
      readonly failure: FailureDetail;
      readonly httpStatus: number | null;
    };

/** An effect that was sent, and by whom. */
export interface SentEffect {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly effect: PreparedEffect;
  readonly request: WireRequest;
  readonly party: BackendAccess;
}

/** The effect as messages name it. */
export function nameOf({ capability, entity, target, args }: PreparedEffect): EffectName {
  const { kind, label } = capability;
  return { kind, label, entity: entity.name, target: target?.text ?? null, args };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Gateways' own answers, which do not know what became of a request: out of time, or cut off (RUN-189). */
const OF_GATEWAYS = [408, 502, 503, 504, 520, 524];

/**
 * Whether an answer that is no success leaves it open what happened: a gateway's; a redirect, which an
 * API may send before or after doing it; or any, after an attempt that may have done it already. A catalog
 * may say that its API answers a status of the server's own only where nothing was done.
 */
function leavesDoubt({ effect }: SentEffect, status: number, doubted: boolean): boolean {
  if (doubted) return true;
  const { notDoneStatuses } = effect.call.catalog.cgs;
  return [301, 302, 303, ...OF_GATEWAYS].includes(status) && !notDoneStatuses.includes(status);
}

/** The failure for a row that is not there (PLAN-074), or for any other status. */
function refusal(effect: PreparedEffect, request: FailedRequest): FailureDetail {
  const { status } = request;
  const gone = (status === 404 || status === 410) && effect.target !== null;
  if (!gone) return statusFailure(effect.call, request).failure;
  const quoted = request.apiText === null ? "" : `: "${request.apiText}"`;
  const name = effectText(nameOf(effect));
  return failure(
    "not_found",
    `${effect.target?.text} does not exist: ${name} was answered ${status}${quoted}.`,
    "check the key, or list the rows",
    { request },
  );
}

/** The text that an answer is, which is no JSON and no page; null where it is none. */
function textIn(body: ResponseBody): string | null {
  switch (body.kind) {
    case "broken":
      return body.text;
    case "markup":
      return isXml(body) ? body.text : null;
    case "other":
      return body.mediaType.startsWith("text/") ? new TextDecoder().decode(body.bytes) : null;
    case "json":
    case "file":
      return null;
  }
}

/** The JSON that an answer's rows are read from; where none are expected, anything will do (RUN-038). */
async function contentOf(
  sent: SentEffect,
  body: ResponseBody,
  request: FailedRequest,
): Promise<Json> {
  const { engine } = sent;
  const { kind } = effectResult(sent.effect);
  // Of an answer of which nothing is known a text is what it says.
  const text = kind === "open" ? textIn(body) : null;
  if (text !== null) return text;
  if (kind !== "nothing") {
    return storeLargeFile(
      engine,
      sent.effect.call,
      successBody(engine, body, request, sent.effect.call),
    );
  }
  switch (body.kind) {
    case "json":
      return body.value;
    case "other":
    case "file":
      return storeLargeFile(engine, sent.effect.call, attachmentOf(body));
    case "broken":
      return null;
    case "markup":
      // Of an API that answers XML nothing is looked for here; a page is none of an API.
      return isXml(body) ? null : successBody(engine, body, request, sent.effect.call);
  }
}

/**
 * Fails where an effect declares signs of success and its 2xx has none of them (CAT `success_indicators`).
 * Throws RunFailure.
 */
function requireSuccess(
  { engine, effect }: SentEffect,
  body: ResponseBody,
  request: FailedRequest,
) {
  const shape = effect.capability.output?.shape;
  if (shape?.type !== "status") return;
  const { successIndicators } = shape;
  if (indicatesSuccess(successIndicators, request.status ?? 0, body)) return;
  const text = said(engine, body, effect.call);
  const quoted = text === null ? "" : `: "${text}"`;
  const signs = successIndicators.map((each) => JSON.stringify(each)).join(", ");
  throw new RunFailure(
    failure(
      "upstream_error",
      `${request.method} ${request.origin}${request.pathTemplate} answered ${request.status} without a sign of success (${clip(signs, 120)})${quoted}.`,
      "check the arguments against what the API says, and look whether it happened all the same",
      { request: { ...request, apiText: text } },
    ),
  );
}

/** How many things an effect is asked for at once: its longest list, unless it is of one row. */
function partsAsked(effect: PreparedEffect): number {
  const result = effectResult(effect);
  if (effect.target !== null || (result.kind === "rows" && result.card === "one")) return 1;
  const lists = Object.values(effect.args).flatMap((one) =>
    isObject(one) ? Object.values(one) : [one],
  );
  return Math.max(1, ...lists.map((one) => (isArray(one) ? one.length : 1)));
}

async function succeeded(
  sent: SentEffect,
  exchange: Exchange,
  body: ResponseBody,
  request: FailedRequest,
  doubted: boolean,
): Promise<EffectEnding> {
  const { engine, feed, effect, party } = sent;
  const { response, url } = exchange;
  const httpStatus = response.status;
  let content: Json = null;
  try {
    const names = () => callNames(engine, effect.call, effect.environment);
    content = runHook(engine, effect.call, names, await contentOf(sent, body, request));
    requireSuccess(sent, body, request);
    const location = headerValue(response.headers, "location") ?? null;
    const malformed = body.kind === "json" && body.malformed === true;
    const answer = { body: content, malformed, location, url, request, party };
    const rows = rowsOfEffect(engine, feed, effect, answer);
    return { status: "done", rows, bytes: response.body.length, httpStatus };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const { code, mayHaveRun } = error.failure;
    // It says itself that nothing happened; what cannot be read says nothing, and some of many may be done.
    const says = code === "upstream_error" || code === "not_found";
    const inPart = says && isDoneInPart(content, partsAsked(effect));
    if (!doubted && says && mayHaveRun !== true && !inPart) {
      return { status: "failed", failure: error.failure, httpStatus };
    }
    const message = `${error.failure.message}${inPart ? " A part of it may be done." : ""}`;
    const failed = inDoubt(nameOf(effect), { ...error.failure, message });
    return { status: "in_doubt", failure: failed, httpStatus };
  }
}

/** Where a redirect leads that no effect follows, and what to do if the API has moved; without what may be secret in it. */
function movedText({ effect }: SentEffect, { response, url }: Exchange): string {
  const location = headerValue(response.headers, "location") ?? null;
  const isRedirect = response.status >= 300 && response.status < 400;
  if (!isRedirect || location === null || !URL.canParse(location, url)) return "";
  const { origin, pathname } = new URL(location, url);
  const setting = backendSetting(effect.call.catalog.entryId);
  return ` It redirects to ${clip(`${origin}${pathname}`, 200)}, where no effect follows: if the API has moved, set ${setting} or http_backend of its catalog.`;
}

async function judged(
  sent: SentEffect,
  exchange: Exchange,
  doubted: boolean,
): Promise<EffectEnding> {
  const { engine, effect, request } = sent;
  const { response } = exchange;
  const { status } = response;
  const xml = await xmlReader(isSuccess(status) ? effect.call.template.response : undefined);
  const body = readBody(response, FIXED.jsonDepth, xml);
  const origin = originOf(exchange, request);
  const named: FailedRequest = { ...requestName(request, status), origin };
  if (isSuccess(status)) return succeeded(sent, exchange, body, named, doubted);
  const refused = refusal(effect, { ...named, apiText: said(engine, body, effect.call) });
  const what = { ...refused, message: `${refused.message}${movedText(sent, exchange)}` };
  return leavesDoubt(sent, status, doubted)
    ? { status: "in_doubt", failure: inDoubt(nameOf(effect), what), httpStatus: status }
    : { status: "failed", failure: what, httpStatus: status };
}

/** Judges how an effect ended by how its sending did (RUN-025, RUN-040, RUN-041, PLAN-073, PLAN-074). */
export async function judgeSent(sent: SentEffect, how: EffectSent): Promise<EffectEnding> {
  switch (how.kind) {
    case "answered":
      return judged(sent, how.exchange, how.doubted);
    case "refused":
      return {
        status: "failed",
        failure: how.failure,
        httpStatus: how.failure.request?.status ?? null,
      };
    case "unknown":
      return {
        status: "in_doubt",
        failure: inDoubt(nameOf(sent.effect), how.failure),
        httpStatus: how.failure.request?.status ?? null,
      };
  }
}

const sameText = (a: Json, b: Json): boolean =>
  isScalar(a) && isScalar(b) && String(a).trim().toLowerCase() === String(b).trim().toLowerCase();

function equal(a: Json | undefined, b: Json): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** `{path, eq}` and `{path, present: true}`, as in `error_when`; any other object is a part of the body. */
function hasMembers(sign: { readonly [key: string]: Json }, body: Json): boolean {
  const { path, eq, present } = sign;
  if (typeof path === "string" || isArray(path)) {
    const name = isArray(path) ? path.map(String).join(".") : path;
    const value = followDotted(body, name);
    if (eq !== undefined) return equal(value, eq);
    if (present === true) return value !== undefined && value !== null;
  }
  return Object.entries(sign).every(([key, value]) => equal(followDotted(body, key), value));
}

function indicates(sign: Json, status: number, body: Json): boolean {
  if (isObject(sign)) return hasMembers(sign, body);
  if (typeof sign === "number" && sign === status) return true;
  if (sameText(sign, body)) return true;
  if (!isScalar(sign) || !isObject(body)) return false;
  if (hasMember(body, String(sign)) && body[String(sign)] === true) return true;
  return Object.values(body).some((value) => sameText(sign, value));
}

/**
 * Whether a 2xx has one of the declared signs of success: its status; the body or one of its members as text
 * or value; a member of that name that is true; or an object's members. True where none are declared, or the
 * answer has no body to say anything.
 */
function indicatesSuccess(signs: readonly Json[], status: number, body: ResponseBody): boolean {
  if (signs.length === 0) return true;
  const content = indicatedIn(body);
  if (content === null) return true;
  return signs.some((sign) => indicates(sign, status, content));
}

function indicatedIn(body: ResponseBody): Json {
  switch (body.kind) {
    case "json":
      return body.value;
    case "markup":
    case "broken":
      return body.text;
    case "other":
      return body.mediaType.startsWith("text/") ? new TextDecoder().decode(body.bytes) : {};
    case "file":
      return {};
  }
}
