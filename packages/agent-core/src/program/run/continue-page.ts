import { continueCursor, type RunMemory, type RunResult } from "@plasm/runtime";
import type { FinishedOutcome } from "../../outcome.ts";
import { type EffectMarks, readMarks } from "../effects/effect-marks.ts";
import {
  moveCursor,
  pageHandle,
  pageNumber,
  readCursor,
  upstreamSource,
} from "../../artifacts/handles.ts";
import { readSnapshot } from "../../artifacts/snapshots.ts";
import { refuseContinuing, refuseForbidden } from "../../artifacts/still-allowed.ts";
import { placeOf } from "../plan/commits.ts";
import { runProblemCode, runProblemError } from "../../errors/classify.ts";
import { fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Stored } from "../../store-port.ts";
import type { CursorRecord, CursorSource } from "../../records/artifacts.ts";
import { accountsAmong, areSameAccounts } from "../../session/accounts.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { collectDefects, runContext, withRunMemory } from "./run-context.ts";
import { deliver, type Delivery, type KeptAnswer, replacedBy } from "./deliver.ts";
import { fittingRows } from "../../answer/layout-answer.ts";
import type { LiveDeps } from "../deps.ts";

/** PLAN-082: rows a continuation may ask for. */
const MAX_LIMIT = 1_000;

interface PageCall {
  readonly handle: string;
  readonly limit: number | null;
}

type Upstream = Extract<CursorSource, { kind: "upstream" }>;

interface PageOptions {
  readonly complete?: boolean;
  readonly signal?: AbortSignal;
}

/** A page whose rows have memory. */
interface OpenPage extends PageOptions {
  readonly memory: RunMemory;
}

interface PageRead {
  readonly result: RunResult;
  readonly entryIds: readonly string[];
  /** the session's effects that its rows were read after (PLAN-083) */
  readonly marks: EffectMarks;
}

/** Whether the session has performed an effect on a cursor's catalogs since its rows were read. */
const isStale = ({ cursor, marks = {} }: Upstream, now: EffectMarks): boolean =>
  Object.keys(cursor.digests).some((id) => (now[id] ?? 0) !== (marks[id] ?? 0));

/** What is left of a cursor that goes on upstream, as who has read it so far. */
const sourceOf = ({ result: { cursor }, marks }: PageRead, before: Upstream): CursorSource | null =>
  cursor === null ? null : upstreamSource(cursor, marks, before.accounts);

/** Where one account has got to means nothing to another (RUN-129). Throws plasm-unknown-handle. */
function refuseOtherAccount(at: ResolvedSession, handle: string, source: CursorSource): void {
  if (source.kind !== "upstream") return;
  const accounts = accountsAmong(at.accounts, Object.keys(source.cursor.digests));
  if (areSameAccounts(source.accounts, accounts)) return;
  throw fail(
    "plasm-unknown-handle",
    `${handle} was read with another account, or with none, than calls use now. Read it again: run its program anew.`,
  );
}

function checkLimit(limit: number | null): void {
  if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) return;
  throw fail("plasm-bad-request", `limit is a whole number from 1 to ${MAX_LIMIT}.`);
}

async function readUpstream(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  source: Upstream,
  limit: number | null,
  { signal, memory }: OpenPage,
): Promise<PageRead> {
  const defects = collectDefects(deps);
  const context = runContext(deps, caller, at, defects, {
    memory,
    ...(signal === undefined ? {} : { signal }),
  });
  const { cursor } = source;
  const entryIds = Object.keys(cursor.digests);
  // Looked at before anything is read: an effect that comes meanwhile counts as later.
  const marks = await readMarks(deps.store, placeOf(caller, at), entryIds);
  const stale = isStale(source, marks);
  const request = { ...context, cursor, stale, ...(limit === null ? {} : { limit }) };
  const outcome = await continueCursor(request);
  if (outcome.status === "failed") {
    const error = defects.identified(outcome.error);
    throw fail(runProblemCode(error.code), `${error.message}\nfix: ${error.correction}`, {
      errors: [runProblemError(error, null)],
      retryable: error.retryable,
      retryAfter: error.retryAfter,
    });
  }
  return { result: outcome.result, entryIds, marks };
}

/** Rows that a text answer left out, from the snapshot that has them: no request (SURF-30). */
async function readRest(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  source: Extract<CursorSource, { kind: "snapshot" }>,
  limit: number | null,
): Promise<PageRead> {
  const document = await readSnapshot(deps.store, caller.scope, at.owner, source.n);
  refuseForbidden(at.view.exposure.policy, document.entry_ids);
  const to = limit === null ? document.rows.length : source.next + limit;
  const rows = document.rows.slice(source.next, to);
  const loaded = new Set(rows.flatMap((row) => Object.keys(row)));
  const result: RunResult = {
    label: document.label,
    node: "",
    entity: null,
    columns: document.columns,
    rows: rows.map((values) => ({ ref: null, values })),
    notLoaded: document.columns.map(([name]) => name).filter((name) => !loaded.has(name)),
    presented: document.presented ?? [],
    partial: document.partial,
    cursor: null,
    diagnostics: [],
  };
  return { result, entryIds: document.entry_ids, marks: {} };
}

async function answerPage(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  record: CursorRecord,
  read: PageRead,
  more: Pick<Delivery, "next" | "complete" | "replaces"> & { readonly before?: number },
): Promise<KeptAnswer> {
  const delivery: Delivery = {
    place: placeOf(caller, at),
    ref: at.ref,
    program: record.program,
    commit: record.commit,
    uses: record.uses ?? [],
    source: "page",
    results: [read.result],
    stats: {},
    exposure: at.view.exposure,
    before: record.shown,
    ...more,
  };
  return deliver(deps, delivery, read.entryIds);
}

async function continueUpstream(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  cursor: Stored<CursorRecord>,
  source: Upstream,
  call: PageCall,
  options: OpenPage,
): Promise<FinishedOutcome> {
  if (source.cursor.kind === "whole") {
    return continueWhole(deps, caller, at, cursor, source, call, options);
  }
  const read = await readUpstream(deps, caller, at, source, call.limit, options);
  const next = read.result.cursor;
  const shown = cursor.value.shown + read.result.rows.length;
  await moveCursor(deps.store, placeOf(caller, at), cursor, {
    source: sourceOf(read, source),
    shown,
    replaces: null,
  });
  const handle = next === null ? null : pageHandle(at.ref, cursor.value.n);
  const complete = options.complete ?? false;
  const more = { next: handle, complete };
  return (await answerPage(deps, caller, at, cursor.value, read, more)).answer;
}

/**
 * Reads on and answers the whole new result in the place of the last one (PLAN-080). The cursor moves
 * after the snapshot is made, since the next answer takes the place of that.
 */
async function continueWhole(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  cursor: Stored<CursorRecord>,
  source: Upstream,
  call: PageCall,
  options: OpenPage,
): Promise<FinishedOutcome> {
  if (call.limit !== null) {
    const handle = `page(${call.handle})`;
    throw fail("plasm-bad-request", `${handle} answers its whole result anew; leave out limit.`);
  }
  const read = await readUpstream(deps, caller, at, source, null, options);
  const next = read.result.cursor;
  const { answer, snapshots } = await answerPage(deps, caller, at, cursor.value, read, {
    next: next === null ? null : pageHandle(at.ref, cursor.value.n),
    complete: options.complete ?? false,
    replaces: cursor.value.replaces ?? null,
    before: 0,
  });
  await moveCursor(deps.store, placeOf(caller, at), cursor, {
    source: sourceOf(read, source),
    shown: read.result.rows.length,
    replaces: replacedBy(read.result, snapshots[0] ?? null),
  });
  return answer;
}

/** Moves by the rows the text showed, so that the same handle goes on with the first one left out. */
async function continueRest(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  cursor: Stored<CursorRecord>,
  source: Extract<CursorSource, { kind: "snapshot" }>,
  call: PageCall,
  options: PageOptions,
): Promise<FinishedOutcome> {
  const { store } = deps;
  const document = await readSnapshot(store, caller.scope, at.owner, source.n);
  const read = await readRest(deps, caller, at, source, call.limit);
  const complete = options.complete ?? false;
  const shown = complete ? read.result.rows.length : await fittingRows(read.result);
  const cut = { ...read.result, rows: read.result.rows.slice(0, shown) };
  const next = source.next + shown;
  const left = next < document.rows.length;
  await moveCursor(store, placeOf(caller, at), cursor, {
    source: left ? { ...source, next } : null,
    shown: cursor.value.shown + shown,
    replaces: null,
  });
  const handle = left ? pageHandle(at.ref, cursor.value.n) : null;
  const more = { next: handle, complete };
  return (await answerPage(deps, caller, at, cursor.value, { ...read, result: cut }, more)).answer;
}

/**
 * Continues a page handle (SESS-31, PLAN-080 to PLAN-082): one continuation at a time, each row
 * once, a new snapshot. A failed fetch leaves the cursor where it was. Throws Failure.
 */
export async function continuePage(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  call: PageCall,
  options: PageOptions,
): Promise<FinishedOutcome> {
  checkLimit(call.limit);
  const n = pageNumber(call.handle, at.ref);
  const place = placeOf(caller, at);
  return deps.pages.run(`${at.owner}/${n}`, async () => {
    const cursor = await readCursor(deps.store, place, call.handle, n);
    const { source, program, session } = cursor.value;
    const entryIds = source?.kind === "upstream" ? Object.keys(source.cursor.digests) : [];
    refuseContinuing(at, { program, session, entryIds });
    if (source === null) {
      throw fail("plasm-cursor-exhausted", `${call.handle} has no more rows.`);
    }
    refuseOtherAccount(at, call.handle, source);
    return withRunMemory(deps, caller.scope, (memory) =>
      source.kind === "upstream"
        ? continueUpstream(deps, caller, at, cursor, source, call, { ...options, memory })
        : continueRest(deps, caller, at, cursor, source, call, options),
    );
  });
}
