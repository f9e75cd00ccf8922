import type { Json } from "@plasm/core";
import type { EffectBody } from "@plasm/core/internal";
import { type EffectEntry, type EffectFacts, effectText } from "../../effects/effect-log.ts";
import { redactObject } from "../../request/auth/redactor.ts";
import { FIXED, RunStop } from "../../limits/limits.ts";
import type { Resend } from "../../limits/retry-rules.ts";
import { type EffectSent, sendEffect } from "../../limits/send-effect.ts";
import { addressRequest } from "../../request/address-request.ts";
import { fingerprint } from "../../request/fingerprint.ts";
import { makeIdentity } from "../../decode/entity-row.ts";
import type { Row } from "../../rows/row.ts";
import { storeRows } from "../../rows/stored-row.ts";
import { type FailureDetail, failure, RunFailure } from "../../base/run-failure.ts";
import type { RunEngine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { earlierRows } from "../resumed-feed.ts";
import { takingFiles, withFiles } from "../files.ts";
import { heldForHook } from "../response-hook.ts";
import { effectFacts } from "./effect-facts.ts";
import { requireScopes } from "../response-failures.ts";
import { type EffectEnding, judgeSent, nameOf, type SentEffect } from "./judge-effect.ts";
import { keptAfter } from "./kept-for-undo.ts";
import { refuseUnmet } from "./preconditions.ts";
import { type PreparedEffect, prepareEffect } from "./prepare-effect.ts";

/** A prepared effect with the request it is; nothing is sent. Throws RunFailure. */
export async function addressedEffect(
  engine: RunEngine,
  feed: Feed,
  effect: PreparedEffect,
): Promise<SentEffect> {
  const party = await engine.party(effect.call.catalog.entryId, feed.id);
  await requireScopes(effect.call, party);
  const place = effect.at?.(party) ?? null;
  const { request: described, files } = await withFiles(engine, effect.description);
  const own = addressRequest(described, party.backend, FIXED.requestBytes, place, files);
  const request = takingFiles(engine, effect.call, heldForHook(effect.call, own));
  return { engine, feed, effect, request, party };
}

/** What the log says of an effect before it is sent, secrets taken out. */
export function factsOf({ engine, feed, effect, request, party }: SentEffect): EffectFacts {
  const { capability, entity, target, args, idempotencyKey } = effect;
  return {
    node: feed.id,
    row: feed.item?.index ?? null,
    entryId: effect.call.catalog.entryId,
    entity: entity.name,
    capability: capability.name,
    label: capability.label,
    target: target?.text ?? remadeRow(effect),
    args: redactObject(args, engine.redactor.redact),
    fingerprint: fingerprint(request, party.backend.base, party.credential.queryKeys),
    idempotencyKey,
    ...(effect.kept === null ? {} : undoLabel(effect)),
    ...(effect.undoes === undefined
      ? {}
      : { undoes: { ref: effect.undoes.ref, seq: effect.undoes.seq } }),
  };
}

/** The row that an undo makes again, where it sends its key (UNDO-07). */
function remadeRow({ undoes, entity, capability, args }: PreparedEffect): string | null {
  if (capability.kind !== "create" || undoes === undefined) return null;
  const isSent = Object.entries(undoes.key).every(([name, part]) => args[name] === part);
  return isSent ? (makeIdentity(entity, undoes.key)?.text ?? null) : null;
}

/** What takes an effect back, as answers say it. */
function undoLabel({ capability, call }: PreparedEffect): Pick<EffectFacts, "undo"> {
  const { undo } = capability;
  if (undo === undefined || undo.kind === "none") return {};
  if (undo.kind === "restore") return { undo: "restore" };
  const by = call.catalog.cgs.capabilities.get(undo.capability);
  return by === undefined ? {} : { undo: by.label };
}

function resendOf({ request, effect }: SentEffect): Resend {
  const keyed = effect.idempotencyKey !== null;
  const { method } = request;
  return {
    notDone: effect.call.catalog.cgs.notDoneStatuses,
    afterRefusal: keyed || method === "PUT" || method === "DELETE",
    afterUnknown: keyed,
  };
}

function resultOf(engine: RunEngine, rows: readonly Row[]): Json {
  return rows.map(({ base, cells }): Json => {
    const values = Object.fromEntries(cells ?? base?.fields ?? []);
    const ref = base?.identity?.text ?? null;
    return { ref, values: redactObject(values, engine.redactor.redact) };
  });
}

function logFailure(engine: RunEngine, error: unknown, message: string): RunFailure {
  engine.context.onDefect?.(error);
  return new RunFailure(failure("internal", message, "report it"));
}

/** Keeps rows that an effect answered with, like those of reads (RUN-061, RUN-063). */
function keepRows({ engine, effect }: SentEffect, rows: readonly Row[], bytes: number): void {
  const size = Math.ceil(bytes / Math.max(1, rows.length));
  engine.budget.takeRows(rows.length);
  engine.rows.note(bytes);
  for (const { base, cells } of rows) {
    if (base !== null && cells === null) engine.cache.put(effect.call.catalog.digest, base, size);
  }
}

/** A defect while an effect's answer was read: it was sent, so what it did is unknown. */
async function judgeSafely(sent: SentEffect, how: EffectSent): Promise<EffectEnding> {
  try {
    return await judgeSent(sent, how);
  } catch (error) {
    sent.engine.context.onDefect?.(error);
    const what = failure("internal", "Its answer could not be read.", "report it");
    return judgeSent(sent, { kind: "unknown", failure: what });
  }
}

/** Sends an effect between its two entries of the log. Throws only while nothing was sent. */
async function send(sent: SentEffect): Promise<{ entry: EffectEntry; how: EffectSent }> {
  const { engine, effect, party } = sent;
  let entry: EffectEntry | null = null;
  const started = async (): Promise<void> => {
    try {
      entry = await engine.effects.start(factsOf(sent), effect.kept);
    } catch (error) {
      if (error instanceof RunStop || error instanceof RunFailure) throw error;
      const name = effectText(nameOf(effect));
      throw logFailure(engine, error, `${name} was not sent: it could not be written down first.`);
    }
  };
  const how = await sendEffect(sent.request, {
    wire: engine.wire,
    party,
    resend: resendOf(sent),
    started,
  });
  if (entry === null) throw new Error("an effect was sent without its entry");
  return { entry, how };
}

async function finish(sent: SentEffect, entry: EffectEntry, ending: EffectEnding): Promise<void> {
  const { engine, feed } = sent;
  const { status, httpStatus } = ending;
  const done = ending.status === "done";
  const result = done ? resultOf(engine, ending.rows) : null;
  const error = done ? null : feed.errorOf(ending.failure);
  try {
    const rows = done ? storeRows(ending.rows) : null;
    const { effect } = sent;
    const called = { ...effect, catalog: effect.call.catalog };
    const kept =
      effect.kept === null || !done
        ? effect.kept
        : keptAfter(engine, called, effect.kept, effect.before, ending.rows);
    await engine.effects.end(entry, { status, httpStatus, result, error }, rows, kept);
  } catch (cause) {
    const name = effectText(nameOf(sent.effect));
    const message = `${name} ended as ${status}, which could not be written down.`;
    throw logFailure(engine, cause, message);
  }
}

/** Notes an effect that was not sent, and why if that is a failure of its own. */
function notSent(engine: RunEngine, feed: Feed, facts: EffectFacts, error: unknown): void {
  const what: FailureDetail | null = error instanceof RunFailure ? error.failure : null;
  engine.effects.skip(facts, what === null ? null : feed.errorOf(what));
}

/**
 * Performs one effect: fills it, writes it down, sends it, forgets what was read of its catalog before,
 * and gives its rows (OPS-28, RUN-062, PLAN-073). Whatever happens, the run's effects tell of it. Throws
 * RunFailure, RunStop or SourceEnded.
 */
export async function performEffect(
  engine: RunEngine,
  feed: Feed,
  body: EffectBody,
): Promise<readonly Row[]> {
  const before = engine.effects.earlier(feed.id, feed.item?.index ?? null);
  if (before !== null) return earlierRows(before);
  let facts = effectFacts(engine, feed, body);
  let sent: SentEffect;
  let outcome: { entry: EffectEntry; how: EffectSent };
  try {
    const prepared = await prepareEffect(engine, feed, body);
    refuseUnmet(engine, feed, body);
    sent = await addressedEffect(engine, feed, prepared);
    facts = factsOf(sent);
    outcome = await send(sent);
  } catch (error) {
    notSent(engine, feed, facts, error);
    throw error;
  }
  const { entryId } = facts;
  engine.cache.discard(entryId);
  engine.answers.discard(entryId);
  const ending = await judgeSafely(sent, outcome.how);
  await sent.request.held?.release();
  await finish(sent, outcome.entry, ending);
  if (ending.status !== "done") throw new RunFailure(ending.failure);
  keepRows(sent, ending.rows, ending.bytes);
  return ending.rows;
}
