import { sha256Hex } from "@plasm/core/internal";
import type { Answer } from "../answer/answer.ts";
import type { FetchedGraftMeta } from "../answer/meta.ts";
import { RESULT_TOKENS } from "../answer/results.ts";
import { type CountTokens, tokenCounter } from "../answer/tokens.ts";
import { refuseNoText } from "../errors/arguments.ts";
import { fail } from "../errors/problem.ts";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { FetchedGraftOutcome } from "../outcome.ts";
import { sessionsOf } from "../session/connections.ts";
import { actingIn } from "../session/delegation.ts";
import { type SessionAddress, slotRef } from "../session/handles.ts";
import type { StoreOps } from "../store-port.ts";
import type { GraftDeps } from "./graft-key.ts";
import { graftIndex, readGraft } from "./read.ts";

/** A part of a text, from one code point to another. */
interface Chunk {
  readonly text: string;
  /** code points before the next part; null where this one ends the text */
  readonly next: number | null;
}

/** Code units that are counted at a time: counting is quadratic in text without breaks. */
const PIECE = 512;

/** Where the text may be cut at or before `at`: not within a surrogate pair. */
function between(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  const isHigh = unit >= 0xd800 && unit <= 0xdbff;
  return isHigh && at < text.length ? at - 1 : at;
}

/** Where in a text so many of its code points end; null if it has fewer. */
function unitsBefore(text: string, points: number): number | null {
  let at = 0;
  for (let left = points; left > 0; left -= 1) {
    const point = text.codePointAt(at);
    if (point === undefined) return null;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

/** The end of the longest beginning of a piece that costs at most `left`, one code point at least. */
function cutWithin(text: string, start: number, end: number, left: number, count: CountTokens) {
  let fits = between(text, start + 1) > start ? start + 1 : start + 2;
  let beyond = end;
  while (beyond - fits > 1) {
    const middle = between(text, Math.floor((fits + beyond) / 2));
    if (middle <= fits) break;
    if (count(text.slice(start, middle)) <= left) fits = middle;
    else beyond = middle;
  }
  return fits;
}

/** A cut at the end of a line reads better, where one ends in the second half. */
function atLineEnd(text: string, start: number, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return line > start + (end - start) / 2 ? line : end;
}

function endWithin(text: string, start: number, budget: number, count: CountTokens): number {
  let left = budget;
  let at = start;
  while (at < text.length) {
    const end = between(text, Math.min(at + PIECE, text.length));
    const cost = count(text.slice(at, end));
    if (cost > left) {
      const cut = at > start && left <= 0 ? at : cutWithin(text, at, end, left, count);
      return atLineEnd(text, start, cut);
    }
    left -= cost;
    at = end;
  }
  return at;
}

/**
 * What of a text fits in so many tokens from a code point on, cut between code points; it makes progress whatever
 * the budget, and the chunks joined are the text (GRAFT-11). Null if the text ends before.
 */
export function chunkOf(
  text: string,
  offset: number,
  budget: number,
  count: CountTokens,
): Chunk | null {
  const start = unitsBefore(text, offset);
  if (start === null) return null;
  const end = endWithin(text, start, budget, count);
  const chunk = text.slice(start, end);
  return { text: chunk, next: end === text.length ? null : offset + Array.from(chunk).length };
}

/** A call of grafted_context_fetch, before any check (GRAFT-11). */
export interface FetchGraftArguments {
  readonly graftId?: unknown;
  /** the session, by ref or uuid; the only one there is without it */
  readonly ref?: unknown;
  /** code points before the part that is wanted */
  readonly offset?: unknown;
}

/** The id under which the complete index is fetched (GRAFT-9). */
const ALL = "*";

function offsetOf({ offset = 0 }: FetchGraftArguments): number {
  if (typeof offset === "number" && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw fail(
    "plasm-bad-request",
    "offset is a whole number from 0 on: next_offset of the part before.",
  );
}

async function addressOf(
  deps: GraftDeps,
  caller: Caller,
  { ref }: FetchGraftArguments,
): Promise<SessionAddress & { readonly kind: "ref" }> {
  if (ref === undefined || ref === null) {
    return { kind: "ref", ref: await onlySession(deps.store, caller) };
  }
  if (typeof ref === "string") return { kind: "ref", ref };
  throw refuseNoText("logical_session_ref", ref, "the text that plasm_context answered, like s0");
}

async function fetchedIndex(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
): Promise<Fetched> {
  const { text, grafts, meta } = await graftIndex(deps, caller, address);
  const bytes = Buffer.byteLength(text);
  const revision = meta.revision ?? 0;
  const counted = `${grafts.length} graft${grafts.length === 1 ? "" : "s"}`;
  const title = `${ALL} · ${counted} · ${bytes} bytes · revision ${revision}`;
  const sha256 = sha256Hex(text);
  return { graftId: ALL, title, mime: "text/markdown", text, revision, sha256, bytes };
}

async function fetchedGraft(
  deps: GraftDeps,
  caller: Caller,
  address: SessionAddress,
  graftId: string,
): Promise<Fetched> {
  const { graft, bytes } = await readGraft(deps, caller, address, graftId);
  const { source, path, mime, sha256, revision } = graft;
  const title = `${graftId} · ${source} · ${path} · ${graft.bytes} bytes · revision ${revision}`;
  const text = Buffer.from(bytes).toString("utf8");
  return { graftId, title, mime, text, revision, sha256, bytes: graft.bytes };
}

/**
 * grafted_context_fetch (GRAFT-11, GRAFT-12): a part of a graft, or of the index for `*`, within the result budget.
 * Throws plasm-unknown-graft, plasm-bad-request, plasm-policy-denied; for the index plasm-unknown-session.
 */
export async function fetchGraft(
  deps: GraftDeps,
  caller: Caller,
  request: FetchGraftArguments,
): Promise<FetchedGraftOutcome> {
  const { graftId } = request;
  if (typeof graftId !== "string") {
    throw refuseNoText("graft_id", graftId, "an id that plasm_context lists, like g01");
  }
  const offset = offsetOf(request);
  const address = await addressOf(deps, caller, request);
  const who = await actingIn(deps.store, caller, address);
  const fetched =
    graftId === ALL
      ? await fetchedIndex(deps, who, address)
      : await fetchedGraft(deps, who, address, graftId);
  const answer = await graftAnswer(fetched, offset);
  return { kind: "graft", ...answer, meta: { logical_session_ref: address.ref, ...answer.meta } };
}

/** Refs that an error lists. */
const LISTED = 20;

/** The refs of a caller: those of its connection, without one those of its principal. */
async function refsOf(store: StoreOps, caller: Caller): Promise<readonly string[]> {
  const slots = await store.slots(principalOf(caller));
  if (caller.connection === null) return slots.map(({ slot }) => slotRef(slot));
  const known = await sessionsOf(store, caller.connection);
  return slots.filter(({ logicalId }) => known.has(logicalId)).map(({ slot }) => slotRef(slot));
}

/**
 * The session of a call that names none: the one there is (GRAFT-11). Throws plasm-bad-request, which lists
 * them if there are several.
 */
async function onlySession(store: StoreOps, caller: Caller): Promise<string> {
  const refs = await refsOf(store, caller);
  const [only] = refs;
  if (only === undefined) {
    throw fail(
      "plasm-bad-request",
      "logical_session_ref is missing. Call plasm_context first with intent and seeds.",
    );
  }
  if (refs.length === 1) return only;
  const more = refs.length > LISTED ? ` +${refs.length - LISTED}` : "";
  throw fail(
    "plasm-bad-request",
    `logical_session_ref is missing, and there are several sessions: ${refs.slice(0, LISTED).join(", ")}${more}. Name one.`,
  );
}

/** A text that is fetched by chunks: what its header line says, and how it is named. */
interface Fetched {
  readonly graftId: string;
  /** the header line, but for what is said of chunks */
  readonly title: string;
  readonly mime: string;
  readonly text: string;
  readonly revision: number;
  readonly sha256: string;
  readonly bytes: number;
}

/** Backticks of the fence of a text that holds fewer of them in a row (GRAFT-12). */
const FENCE = 4;

function fenceFor(text: string): string {
  let longest = FENCE - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

/** The word after a fence: the subtype of a media type. */
const languageOf = (mime: string): string => {
  const subtype = /^[^/]*\/(?:x-)?([\w-]+)/.exec(mime)?.[1]?.toLowerCase() ?? "";
  return subtype === "plain" ? "text" : subtype;
};

/** Tokens of header, fences and what joins them: no text of a chunk is as short as that matters. */
const AROUND = 100;

/** What a chunk says of its place in the whole, for a model that goes on (SURF-5). */
function placeOf(offset: number, next: number | null): string {
  const from = offset === 0 ? "" : ` · from ${offset}`;
  return next === null ? from : `${from} · cut, next offset ${next}`;
}

/** A chunk as tool text: one header line, then the body in a fence longer than any run inside (GRAFT-12). */
async function graftAnswer(
  fetched: Fetched,
  offset: number,
): Promise<Answer<Pick<FetchedGraftMeta, "graft">>> {
  const { graftId, title, mime, text, revision, sha256, bytes } = fetched;
  const count = await tokenCounter();
  const budget = RESULT_TOKENS - AROUND - count(title);
  const chunk = chunkOf(text, offset, budget, count);
  if (chunk === null) {
    throw fail(
      "plasm-bad-request",
      `offset ${offset} is beyond the end: ${graftId} has ${Array.from(text).length} characters.`,
    );
  }
  const fence = fenceFor(chunk.text);
  const head = `${title}${placeOf(offset, chunk.next)}`;
  return {
    text: `${head}\n${fence}${languageOf(mime)}\n${chunk.text}\n${fence}`,
    meta: { graft: { graft_id: graftId, revision, sha256, bytes, next_offset: chunk.next } },
  };
}
