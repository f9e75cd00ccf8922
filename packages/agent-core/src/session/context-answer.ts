import { createHash } from "node:crypto";
import type { ContextMeta, Continuity, WaveMeta } from "../answer/meta.ts";
import type { EntityRef, Notation } from "@plasm/core";
import { namesByApi, unchangedNotice } from "@plasm/core/internal";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { AccountNames, PastLoss, SessionKey, WaveRecord } from "../records/sessions.ts";
import { accountLines, namedIn } from "./accounts.ts";
import type { Written } from "./commit-context.ts";
import { connectionState, type ConnectionState, noteSent, type Seen } from "./connections.ts";
import type { ContextBase } from "./context-base.ts";
import type { ContextUpdate } from "./context-request.ts";
import { lossOfEarlier } from "./live-session.ts";
import type { PreparedWaves } from "./prepare-context.ts";
import type { SessionDeps } from "./session-deps.ts";

/** What a caller asks for beside seeds; null where it asks for none. */
export interface AskedContext {
  readonly replay: boolean;
  readonly detail: boolean;
  readonly notation: Notation | null;
  readonly readOnly: boolean | null;
  /** as the call had it (SESS-41) */
  readonly known: unknown;
}

export interface ContextDone {
  readonly base: ContextBase;
  readonly prepared: PreparedWaves;
  readonly written: Written;
  /** that of the session */
  readonly notation: Notation;
  /** the session's, too */
  readonly readOnly: boolean;
  readonly request: AskedContext;
}

/** How the answer stands to what came before; each kind has its own text. */
type Kind = "opened" | "recovered" | "delta" | "unchanged" | "repeated";

function kindOf(done: ContextDone, connection: ConnectionState): Kind {
  const { live, loss } = done.base;
  if (live === null) return loss === null ? "opened" : "recovered";
  if (connection.stale !== null) return "recovered";
  if (loss !== null && loss.reported && done.prepared.waves.length === 0) return "repeated";
  return done.prepared.waves.length > 0 ? "delta" : "unchanged";
}

/** The loss that this answer tells of: the session's own, or that of the symbols which the connection holds. */
function toldLoss({ base }: ContextDone, { stale }: ConnectionState): PastLoss | null {
  if (base.live === null || stale === null) return base.loss;
  return lossOfEarlier(base.logical?.value ?? null, stale);
}

function continuityOf(kind: Kind, loss: PastLoss | null): Continuity {
  const fresh = kind === "opened" || loss !== null;
  return {
    stale_binding_recovered: loss !== null,
    new_symbol_space: fresh,
    ...(fresh ? { discard_cached_plasm_symbols: true as const } : {}),
    ...(loss === null
      ? {}
      : {
          previous_execute: {
            prompt_hash: loss.previous.promptHash,
            session_id: loss.previous.sessionId,
          },
          reason: loss.reason,
        }),
  };
}

/** Whether an answer has contract and all waves, whatever its caller was sent before. */
const sendsAll = (kind: Kind, { request: { replay } }: ContextDone, held: number | null): boolean =>
  replay || kind === "opened" || kind === "recovered" || held === 0;

/** What the host of a caller keeps of the tables of a session: it names the session to nobody else (SESS-41). */
const tablesMark = ({ sessionId }: SessionKey, waves: number): string =>
  `${createHash("sha256").update(sessionId).digest("hex").slice(0, 16)}.${waves}`;

/** How many waves the host says that its conversation still has; null where it says nothing (SESS-41). */
function heldOf({ request: { known }, written }: ContextDone, waves: number): number | null {
  if (known === undefined) return null;
  const begins = tablesMark(written.key, 0).slice(0, -1);
  const marks: readonly unknown[] = Array.isArray(known) ? known : [known];
  return marks.reduce<number>((most, mark) => {
    if (typeof mark !== "string" || !mark.startsWith(begins)) return most;
    const n = mark.slice(begins.length);
    return /^[1-9]\d{0,8}$/.test(n) && Number(n) <= waves ? Math.max(most, Number(n)) : most;
  }, 0);
}

const withRef = (ref: string | null, lines: readonly string[]): string =>
  [...(ref === null ? [] : [`logical_session_ref ${ref}`]), ...lines].join("\n");

/** Who asks for what a session cannot become is told that it stays what it is (SESS-15). */
function keptRemarks({ notation, readOnly, request }: ContextDone): readonly string[] {
  const isOther = <T>(asked: T | null, own: T): boolean => asked !== null && asked !== own;
  return keptNotice([
    ...(isOther(request.notation, notation) ? [`Notation stays ${notation}`] : []),
    ...(isOther(request.readOnly, readOnly) ? [`read_only stays ${readOnly}`] : []),
  ]);
}

/** A loss is told in words as long as it is in the flags: the text alone suffices (SESS-25, SURF-5). */
function lossLines(name: string, loss: PastLoss | null, isWhole: boolean): readonly string[] {
  if (loss === null) return [];
  return [isWhole ? recoveryNotice(name, loss) : repeatedNotice(name, loss)];
}

function textOf(
  kind: Kind,
  done: ContextDone,
  isWhole: boolean,
  sent: readonly WaveRecord[],
  waves: readonly WaveRecord[],
  seen: Seen,
  loss: PastLoss | null,
): string {
  const ref = done.written.ref;
  const name = ref ?? "session";
  const tables = sent.map((wave) => wave.text).join("");
  const kept = keptRemarks(done);
  const remarks = [...lossLines(name, loss, isWhole), ...kept];
  if (isWhole) return withRef(ref, [...remarks, tables]);
  const hint = replayHint(seen);
  const hints = hint === null ? [] : [hint];
  if (kind === "delta" || (kind === "unchanged" && sent.length > 0))
    return withRef(ref, [...remarks, tables.trimEnd(), ...hints]);
  if (kind === "repeated") return withRef(ref, remarks);
  return unchangedNotice(name, entitiesOf(waves), done.notation, [
    ...programLines(waves),
    ...kept,
    ...hints,
  ]);
}

/** A text with the tables that were asked for in full behind it. */
const withTables = (text: string, inFull: readonly string[]): string =>
  inFull.length === 0 ? text : [text.trimEnd(), ...inFull].join("\n\n");

/** What the principal has named so far, this call's included (RUN-129). */
const namedNow = ({ base }: ContextDone, caller: Caller): AccountNames => ({
  ...namedIn(base.logical?.value ?? null, principalOf(caller)),
  ...base.seeds.accounts,
});

/** What was chosen for a goal, and what else was near: told with what it added, and not again (TEACH-47). */
function goalLines({ base, prepared }: ContextDone): readonly string[] {
  const { goal } = base.seeds;
  if (goal === null || prepared.waves.length === 0) return [];
  const named = (refs: readonly EntityRef[]) =>
    refs.map(({ api, entity }) => `${api}:${entity}`).join(", ");
  const others =
    goal.others.length === 0
      ? ""
      : `; seed these if the goal needs them: ${namesByApi(goal.others)}`;
  const unfit =
    goal.unfit.length === 0
      ? []
      : [
          `No word of the goal is found in ${goal.unfit.join(", ")}: what can do most there is taught.`,
        ];
  return [...unfit, `Chosen for the goal: ${named(goal.chosen)}${others}`];
}

const withLines = (text: string, lines: readonly string[]): string =>
  lines.length === 0 ? text : [text.trimEnd(), ...lines].join("\n");

/** The saved programs that a session was taught, by the names that they are called by. */
function programLines(waves: readonly WaveRecord[]): readonly string[] {
  const names = new Set(
    waves.flatMap(({ entry }) => (entry.program ? [`s.${entry.program.name}`] : [])),
  );
  return names.size === 0 ? [] : [`Programs: ${[...names].slice(0, 8).join(", ")}.`];
}

const entitiesOf = (waves: readonly WaveRecord[]): readonly string[] =>
  waves.flatMap((wave) => wave.entry.entities);

/** What the connection held before this call; a delta then only adds to it. */
async function heldBefore(deps: SessionDeps, caller: Caller, done: ContextDone) {
  const { base, written } = done;
  const before = base.live?.waves.length ?? 0;
  return connectionState(
    deps.store,
    caller.connection,
    base.logicalId ?? written.key.sessionId,
    written.key.sessionId,
    before,
  );
}

/** Makes the answer of a written context call and notes which waves the connection now holds. */
export async function answerContext(
  deps: SessionDeps,
  caller: Caller,
  done: ContextDone,
): Promise<ContextUpdate> {
  const { base, prepared, written } = done;
  const waves = [...(base.live?.waves ?? []), ...prepared.waves];
  const connection = await heldBefore(deps, caller, done);
  const kind = kindOf(done, connection);
  const held = heldOf(done, waves.length);
  const isWhole = sendsAll(kind, done, held);
  const has = held !== null && held > 0;
  const sent = isWhole ? waves : waves.slice(has ? held : waves.length - prepared.waves.length);
  const loss = toldLoss(done, connection);
  const place = base.logicalId ?? written.key.sessionId;
  const range = { from: sent[0]?.n ?? 1, to: sent.at(-1)?.n ?? 0 };
  await noteSent(deps.store, caller.connection, place, written.key, range);
  return {
    logicalId: base.logicalId,
    ref: written.ref,
    key: written.key,
    reused: base.live !== null,
    notation: done.notation,
    readOnly: done.readOnly,
    waves,
    added: prepared.waves.length,
    sent,
    mark: held === null ? null : tablesMark(written.key, waves.length),
    resolved: base.seeds.resolved,
    goal: base.seeds.goal,
    continuity: continuityOf(kind, loss),
    text: withLines(
      withTables(
        textOf(kind, done, isWhole, sent, waves, has ? "seen" : connection.seen, loss),
        prepared.inFull,
      ),
      [...goalLines(done), ...accountLines(namedNow(done, caller))],
    ),
  };
}

/** What precedes contract and table after a loss (SESS-27). */
const recoveryNotice = (ref: string, loss: PastLoss): string =>
  `NOTICE: the earlier session of ${ref} is gone (${loss.reason}). ` +
  "Every e#, m#, p# seen before is void. Use only the table below.";

/** The same, where the new table may have been lost on the way (SESS-25). */
const repeatedNotice = (ref: string, loss: PastLoss): string =>
  `NOTICE: the earlier session of ${ref} is gone (${loss.reason}). ` +
  "Every e#, m#, p# seen before is void. If its new table did not reach you, replay:true sends it.";

/** What a session stays although a call asks for something else (SESS-15); none of it, no line. */
function keptNotice(kept: readonly string[]): readonly string[] {
  if (kept.length === 0) return [];
  const fixed = kept.length === 1 ? "it is fixed" : "both are fixed";
  return [`${kept.join(", ")}: ${fixed} when a session opens.`];
}

/** The end of an answer without tables, by what the server knows of the connection (SESS-19). */
function replayHint(connection: "seen" | "unseen" | "none"): string | null {
  switch (connection) {
    case "seen":
      return null;
    case "unseen":
      return "This connection has not seen the tables; replay:true sends them.";
    case "none":
      return "replay:true sends the tables again.";
  }
}

const waveMeta = (wave: WaveRecord): WaveMeta => ({
  n: wave.n,
  mode: wave.mode,
  entry_id: wave.entry.entryId,
  digest: wave.entry.digest,
  entities: [...wave.entry.entities],
  ...(wave.entry.program === undefined ? {} : { program: { ...wave.entry.program } }),
  e: [...wave.e],
  m: wave.m === null ? null : [...wave.m],
  p: wave.p === null ? null : [...wave.p],
  parts: [...wave.parts],
  tokens: wave.tokens,
  untaught: wave.untaught.map((one) => ({ ...one })),
  ...(wave.cut === undefined ? {} : { cut: wave.cut.map((one) => ({ ...one })) }),
});

/** `_meta.plasm` of a context answer (SURF-7, SESS-24). */
export function contextMeta(outcome: ContextUpdate): ContextMeta {
  return {
    logical_session_id: outcome.logicalId,
    logical_session_ref: outcome.ref,
    execute_binding: {
      prompt_hash: outcome.key.promptHash,
      session_id: outcome.key.sessionId,
    },
    reused: outcome.reused,
    notation: outcome.notation,
    ...(outcome.readOnly ? { read_only: true as const } : {}),
    domain_revision: outcome.waves.length,
    ...(outcome.mark === null ? {} : { tables: outcome.mark }),
    ...(outcome.resolved.length === 0
      ? {}
      : { resolved_seeds: outcome.resolved.map((one) => ({ ...one })) }),
    ...(outcome.goal === null
      ? {}
      : {
          chosen_seeds: outcome.goal.chosen.map((one) => ({ ...one })),
          other_seeds: outcome.goal.others.map((one) => ({ ...one })),
        }),
    catalog_entry_ids: [...new Set(outcome.waves.map((wave) => wave.entry.entryId))],
    continuity: { ...outcome.continuity },
    waves: outcome.sent.map(waveMeta),
    grafts: { count: 0 },
  };
}
