import type { Exposure, Json, JsonObject } from "@plasm/core";
import { capabilitiesOf, mayCall, slotsOf } from "@plasm/core/internal";
import type { Cursor, RunResult } from "@plasm/runtime";
import type { FittedResult, StructuredResult } from "../../answer/answer.ts";
import type { PagingMeta, StepMeta } from "../../answer/meta.ts";
import type { FinishedOutcome } from "../../outcome.ts";
import type { EffectMarks } from "../effects/effect-marks.ts";
import { keepCursor, pageHandle, upstreamSource } from "../../artifacts/handles.ts";
import { snapshotHandle } from "../../artifacts/kept-values.ts";
import {
  type SnapshotDocument,
  type SnapshotRun,
  type SnapshotSource,
  writeSnapshot,
} from "../../artifacts/snapshots.ts";
import { formatResourceUri } from "../../artifacts/uris.ts";
import { Failure } from "../../errors/problem.ts";
import type { Layout } from "../../answer/layout.ts";
import { effectsMeta, effectsText } from "../../answer/effects.ts";
import { lackingOf, lossesOf, type ResultHead, resultsText } from "../../answer/results.ts";
import { tokenCounter } from "../../answer/tokens.ts";
import {
  type AnswerContent,
  type AnswerLayout,
  layoutAnswer,
  shownColumns,
} from "../../answer/layout-answer.ts";
import type { CommitKey } from "../plan/commits.ts";
import type { LiveDeps } from "../deps.ts";

/** Results on their way to a caller, with what their snapshots and handles say of them. */
export interface Delivery extends AnswerContent {
  readonly place: CommitKey;
  readonly ref: string | null;
  readonly program: string;
  readonly commit: string;
  /** what its rows are made by, as `entry_id/capability` (SURF-25) */
  readonly uses: readonly string[];
  /** none of a page */
  readonly run?: SnapshotRun;
  readonly source: SnapshotSource;
  readonly stats: JsonObject;
  /** all rows reach the caller as data, so text needs no `rest` handles (SURF-30) */
  readonly complete: boolean;
  /** what its session may call */
  readonly exposure: Exposure;
  /** rows shown before, of a page continuation */
  readonly before: number;
  /** the session's effects that a result's rows were read after (PLAN-083); none, if it is not known */
  readonly marksOf?: (cursor: Cursor) => EffectMarks;
  /** the handle that goes on upstream, where it exists already */
  readonly next?: string | null;
  /** number of the snapshot that this answer takes the place of, of a whole cursor (PLAN-080) */
  readonly replaces?: number | null;
}

interface Delivered {
  readonly result: RunResult;
  readonly snapshot: SnapshotDocument | null;
  readonly uri: string | null;
  readonly next: string | null;
  readonly rest: string | null;
  readonly layout: Layout;
  /** why its rows or its handles are not kept, where its tenant has stored as much as it may */
  readonly refused: string | null;
}

/** A snapshot as it was kept, or why not. */
type Kept = SnapshotDocument | OverQuota | null;

/** The quota that a tenant's snapshots would exceed. */
interface OverQuota {
  readonly refused: string;
}

const isOverQuota = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && thrown.problem.code === "plasm-quota-exceeded";

const keptOf = (kept: Kept): SnapshotDocument | null =>
  kept === null || "refused" in kept ? null : kept;

const refusalOf = (kept: Kept): string | null =>
  kept !== null && "refused" in kept ? kept.refused : null;

function snapshotUri(delivery: Delivery, document: SnapshotDocument): string {
  return delivery.ref === null
    ? formatResourceUri({ kind: "run", key: delivery.place.session, runId: document.run_id })
    : formatResourceUri({ kind: "snapshot", ref: delivery.ref, n: document.n });
}

/** Snapshots the result; a store that refuses costs the snapshot, never the rows (SESS-30). */
async function snapshotOf(
  deps: LiveDeps,
  delivery: Delivery,
  result: RunResult,
  entryIds: readonly string[],
  effects: SnapshotDocument["effects"],
): Promise<Kept> {
  try {
    const { program, commit, source, stats } = delivery;
    const all = effects === undefined ? {} : { effects };
    const facts = { entryIds, program, commit, source, result, stats, ...all };
    return await writeSnapshot(deps.store, delivery.place, facts, delivery.run, delivery.uses);
  } catch (cause) {
    if (isOverQuota(cause)) return { refused: cause.message };
    deps.warn("A snapshot could not be written", cause);
    return null;
  }
}

/** What the next answer of a result takes the place of: a whole cursor answers all of it again. */
export function replacedBy(
  { cursor }: RunResult,
  snapshot: { readonly n: number } | null,
): number | null {
  return cursor?.kind === "whole" ? (snapshot?.n ?? null) : null;
}

const noMarks = (): EffectMarks => ({});

async function nextHandle(
  deps: LiveDeps,
  delivery: Delivery,
  result: RunResult,
  snapshot: SnapshotDocument | null,
): Promise<string | null> {
  if (delivery.next !== undefined) return delivery.next;
  const { marksOf = noMarks } = delivery;
  if (result.cursor === null) return null;
  const n = await keepCursor(deps.store, delivery.place, {
    label: result.label,
    program: delivery.program,
    commit: delivery.commit,
    uses: delivery.uses,
    source: upstreamSource(result.cursor, marksOf(result.cursor), delivery.place.accounts),
    shown: delivery.before + result.rows.length,
    replaces: replacedBy(result, snapshot),
  });
  return pageHandle(delivery.ref, n);
}

async function restHandle(
  deps: LiveDeps,
  delivery: Delivery,
  result: RunResult,
  snapshot: SnapshotDocument | null,
  shown: number,
): Promise<string | null> {
  if (delivery.complete || snapshot === null || shown >= result.rows.length) return null;
  const n = await keepCursor(deps.store, delivery.place, {
    label: result.label,
    program: delivery.program,
    commit: delivery.commit,
    uses: delivery.uses,
    source: { kind: "snapshot", n: snapshot.n, next: shown },
    shown: delivery.before + shown,
    replaces: null,
  });
  return pageHandle(delivery.ref, n);
}

const headOf = (delivery: Delivery, result: RunResult, shown: number): ResultHead => ({
  name: result.label,
  rows: result.rows.length,
  range:
    delivery.source === "page" && delivery.replaces === undefined
      ? { first: delivery.before + 1, last: delivery.before + (shown || result.rows.length) }
      : null,
  partial: result.partial,
  notLoaded: result.notLoaded,
  lacking: whatLacks(result),
  replaces: replacedName(delivery),
});

/** Why a result is partial, and what was lost of its answers, as one remark. */
function whatLacks(result: RunResult): string | null {
  const parts = [lackingOf(result), lossesOf(result)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" · ");
}

/** The snapshot that is replaced, as its reader knows it. */
const replacedName = ({ replaces = null }: Delivery): string | null =>
  replaces === null ? null : `r/${replaces}`;

function stepMeta(delivery: Delivery, one: Delivered): StepMeta {
  const { result, snapshot, layout } = one;
  const replaces = replacedName(delivery);
  const lacking = whatLacks(result);
  return {
    return_label: result.label,
    n: snapshot?.n ?? null,
    run_id: snapshot?.run_id ?? null,
    artifact_uri: one.uri,
    content_sha256: snapshot?.content_sha256 ?? null,
    row_count: result.rows.length,
    shown: layout.shown,
    clipped: [...layout.clipped],
    partial: result.partial,
    ...(lacking === null ? {} : { lacking }),
    ...(one.rest === null ? {} : { rest: one.rest }),
    ...(replaces === null ? {} : { replaces }),
  };
}

function structured(one: Delivered): StructuredResult {
  const { result } = one;
  return {
    name: result.label,
    columns: shownColumns(result),
    rows: result.rows.map((row): { readonly [column: string]: Json } => row.values),
    row_count: result.rows.length,
    partial: result.partial,
    snapshot: one.uri,
    next: one.next,
  };
}

function fitted(one: Delivered): FittedResult {
  const { layout, rest } = one;
  const { columns, ...all } = structured(one);
  const dropped = new Set(layout.dropped);
  return {
    ...all,
    columns: columns.filter((column) => !dropped.has(column)),
    rows: layout.rows,
    shown: layout.shown,
    clipped: layout.clipped,
    ...(rest === null ? {} : { rest }),
  };
}

const pagingMeta = (all: readonly Delivered[]): readonly PagingMeta[] =>
  all.flatMap((one): PagingMeta[] =>
    one.next === null
      ? []
      : [{ return_label: one.result.label, next_page_handle: one.next, has_more: true }],
  );

async function deliverOne(
  deps: LiveDeps,
  delivery: Delivery,
  result: RunResult,
  layout: Layout,
  snapshot: SnapshotDocument | null,
): Promise<Delivered> {
  const uri = snapshot === null ? null : snapshotUri(delivery, snapshot);
  try {
    const next = await nextHandle(deps, delivery, result, snapshot);
    const rest = await restHandle(deps, delivery, result, snapshot, layout.shown);
    return { result, snapshot, uri, next, rest, layout, refused: null };
  } catch (thrown) {
    if (!isOverQuota(thrown)) throw thrown;
    return { result, snapshot, uri, next: null, rest: null, layout, refused: thrown.message };
  }
}

/** The same where the disk has not taken its snapshot. */
const unkept = (one: Delivered): Delivered => ({ ...one, snapshot: null, uri: null, rest: null });

/** Whether the disk takes all snapshots that were written; a store that refuses costs them, never the rows (SESS-30). */
async function areKept({ store, warn }: LiveDeps): Promise<boolean> {
  try {
    await store.durable?.();
    return true;
  } catch (cause) {
    warn("A snapshot could not be written", cause);
    return false;
  }
}

const NO_SNAPSHOT = "warning: the store refused the snapshot; these rows are not kept";

/** An answer, and the snapshot of each of its results; null where the store refused it. */
export interface KeptAnswer {
  readonly answer: FinishedOutcome;
  readonly snapshots: readonly (SnapshotDocument | null)[];
  /** its effects in words, within what the results have left; the answer's own text has none of them */
  readonly effectLines: readonly string[];
}

/** Of these columns of a result those of texts that a method of its entity takes, by the same name, from this session (LANG-056). */
function editableColumns(
  { catalogs, policy, readOnly = false }: Exposure,
  { entity, rows }: RunResult,
  columns: readonly string[],
): ReadonlySet<string> {
  const catalog = entity === null || readOnly ? undefined : catalogs.get(entity.entryId);
  if (entity === null || catalog === undefined || columns.length === 0) return new Set();
  const changing = capabilitiesOf(catalog.cgs, entity.entity).filter(
    (one) => (one.kind === "update" || one.kind === "action") && mayCall(policy, catalog, one),
  );
  const taken = new Set(changing.flatMap((one) => slotsOf(one).map(({ name }) => name)));
  const isText = (column: string) => rows.some(({ values }) => typeof values[column] === "string");
  return new Set(columns.filter((column) => taken.has(column) && isText(column)));
}

/** What is told of results, those of which nothing is told left out. */
function tellResults(
  delivery: Delivery,
  { results, effects }: AnswerLayout,
  all: readonly Delivered[],
): KeptAnswer {
  const blocks = all
    .filter((_, index) => results[index]?.isTold)
    .map((one) => ({
      head: headOf(delivery, one.result, one.layout.shown),
      layout: one.layout,
      handles: {
        snapshot: one.uri,
        kept: one.snapshot === null ? null : snapshotHandle(delivery.ref, one.snapshot.n),
        editable: editableColumns(delivery.exposure, one.result, [
          ...one.layout.clipped,
          ...one.layout.referenced,
        ]),
        rest: one.rest,
        next: one.next,
      },
    }));
  const over = all.find((one) => one.refused !== null)?.refused ?? null;
  const refused = all.some((one) => one.snapshot === null && one.refused === null);
  const warnings = [refused ? NO_SNAPSHOT : "", over === null ? "" : `warning: not kept. ${over}`];
  const answer: FinishedOutcome = {
    kind: "finished",
    text: [resultsText(blocks), ...warnings].filter((text) => text !== "").join("\n"),
    meta: {
      dry_run: false,
      commit: delivery.commit,
      steps: all.map((one) => stepMeta(delivery, one)),
      paging: pagingMeta(all),
    },
    results: all.map(structured),
    ...(delivery.complete ? {} : { fitted: all.map(fitted) }),
  };
  return {
    answer,
    snapshots: all.map(({ snapshot }) => snapshot),
    effectLines: effectsText(effects, all[0]?.uri ?? null),
  };
}

/**
 * Hands results to a caller: snapshot, page handles, text within the budget, meta (SESS-28,
 * SURF-9, SURF-11 to SURF-15, SURF-30). Effects that have no line are in the first snapshot. The answer is made while
 * the disk takes the snapshots. What tells of effects is given when it has them; what was only read may be given
 * before, since it can be read again.
 */
export async function deliver(
  deps: LiveDeps,
  delivery: Delivery,
  entryIds: readonly string[],
): Promise<KeptAnswer> {
  const count = await tokenCounter();
  const { entries = [] } = delivery.effects ?? {};
  let known: AnswerLayout | null = null;
  const laidOut = (): AnswerLayout => (known ??= layoutAnswer(delivery, count));
  const snapshots: Kept[] = [];
  for (const [index, result] of delivery.results.entries()) {
    const isUnsaid = index === 0 && entries.length > 0 && laidOut().effects.left !== null;
    const unsaid = isUnsaid ? effectsMeta(entries) : undefined;
    snapshots.push(await snapshotOf(deps, delivery, result, entryIds, unsaid));
  }
  const kept = areKept(deps);
  // The disk is asked before anything else goes on.
  await Promise.resolve();
  const all: Delivered[] = [];
  for (const [index, { result, layout }] of laidOut().results.entries()) {
    const written = snapshots[index] ?? null;
    const one = await deliverOne(deps, delivery, result, layout, keptOf(written));
    all.push({ ...one, refused: refusalOf(written) ?? one.refused });
  }
  const told = tellResults(delivery, laidOut(), all);
  if (entries.length === 0 || (await kept)) return told;
  return tellResults(delivery, laidOut(), all.map(unkept));
}
