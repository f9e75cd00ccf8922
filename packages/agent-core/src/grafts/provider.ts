import type { Transport, TransportFailure, TransportOutcome } from "@plasm/runtime";
import { Failure } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import type { GraftProvider, GraftQuestion } from "../ports.ts";
import { attach, keepContents, NO_SET, writeSet } from "./attach.ts";
import { DEFAULT_PROFILE, type GraftDeps, type GraftRef } from "./graft-key.ts";
import { readGraftSet } from "./graft-set.ts";

/** What callers may read of a provider that gave no set: neither its address nor its words. */
class GraftProviderError extends Error {
  override readonly name = "GraftProviderError";
}

/** GRAFT-14 */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

export interface HttpProviderOptions {
  /** absolute http(s) URL, from the deployment's configuration alone (GRAFT-2) */
  readonly url: string;
  /** closed with the provider; it follows no redirects and refuses private addresses (RUN-140) */
  readonly transport: Transport;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

function failureText({ kind, detail }: TransportFailure, timeoutMs: number): string {
  switch (kind) {
    case "timeout":
      return `The provider of grafts did not answer within ${timeoutMs / 1_000} s.`;
    case "unkept":
    case "too_large":
      return `The provider's answer is too large: ${detail}.`;
    case "connect":
    case "lost":
    case "address_refused":
    case "tls":
    case "malformed":
    case "aborted":
    case "replay_miss":
      return `The provider of grafts cannot be reached (${kind}).`;
  }
}

/** The JSON of an answer; null for none (204, or nothing in it). */
function answerOf(outcome: TransportOutcome, timeoutMs: number): unknown {
  if (!outcome.ok) throw new GraftProviderError(failureText(outcome.failure, timeoutMs));
  const { status, body } = outcome.response;
  if (status < 200 || status > 299) {
    throw new GraftProviderError(`The provider of grafts answered ${status}.`);
  }
  if (body.length === 0) return null;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new GraftProviderError("The provider's answer is no JSON in UTF-8.");
  }
}

const bodyOf = ({ userId, ...rest }: GraftQuestion): Uint8Array =>
  Buffer.from(JSON.stringify({ user_id: userId, ...rest }), "utf8");

/**
 * A provider at an HTTP address (GRAFT-2): `POST {user_id, tenant, profile, intent}`, answered by a set, alone or as
 * member `grafts`, by null, or by nothing. One attempt of at most 10 s and 32 MiB; its own origin may be private, and no
 * redirect is followed.
 */
export function httpGraftProvider(options: HttpProviderOptions): GraftProvider {
  const { url, transport, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  return {
    ask: async (question) => {
      if (question.userId === "") throw new GraftProviderError("No user to ask for.");
      const outcome = await transport.send({
        method: "POST",
        url,
        headers: [
          ["content-type", "application/json"],
          ["accept", "application/json"],
        ],
        body: bodyOf(question),
        allowPrivate: "named",
        connectTimeoutMs: timeoutMs,
        timeoutMs,
        maxResponseBytes: maxBytes,
        freshConnection: true,
      });
      return answerOf(outcome, timeoutMs);
    },
    close: () => transport.close(),
  };
}

/** How long a process that asks may take before another one asks: more than the provider may. */
const ASKING_MS = 30_000;

/** What an answer may be wrapped in, as the argument is (GRAFT-2). */
function unwrapped(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const { grafts } = answer as { readonly grafts?: unknown };
  return grafts === undefined ? answer : grafts;
}

/** The provider has been asked when its answer is stored, so one that failed is asked again (GRAFT-14). */
async function storeAnswer(deps: GraftDeps, place: GraftRef, answer: unknown): Promise<void> {
  const set = unwrapped(answer) ?? null;
  const given =
    set === null
      ? { name: "", createdTs: "", manifestPath: "", guardrails: undefined, items: [] }
      : readGraftSet(set, false, "the provider's answer");
  const kept = await keepContents(deps.store, given);
  for (;;) {
    if (await deps.store.transaction((tx) => attach(tx, place, kept, "provider"))) return;
  }
}

/** Whether it is this process that asks; nobody does where one has, or is about to. */
async function claim({ store }: GraftDeps, place: GraftRef): Promise<boolean> {
  for (;;) {
    const found = await store.get("graftSet", place.scope, place.id);
    const before = found?.value ?? NO_SET;
    if (before.asked || before.askingUntil > store.now()) return false;
    const next = { ...before, askingUntil: store.now() + ASKING_MS };
    if (await writeSet(store, place, found, next)) return true;
  }
}

async function release({ store }: GraftDeps, place: GraftRef): Promise<void> {
  for (;;) {
    const found = await store.get("graftSet", place.scope, place.id);
    if (found === null) return;
    if (await writeSet(store, place, found, { ...found.value, askingUntil: 0 })) return;
  }
}

/** What went wrong, as the caller may know it: no address, no word of the provider's. */
export const graftError = (thrown: unknown): string =>
  thrown instanceof Failure || (thrown instanceof Error && thrown.name === "GraftProviderError")
    ? thrown.message
    : "The grafts could not be read or written.";

/**
 * Asks the configured provider once per owner, at the first context (GRAFT-2), and for no profile of
 * `default` (GRAFT-4). What goes wrong is told, not thrown: null where nothing did (GRAFT-14).
 */
export async function askProvider(
  deps: GraftDeps,
  caller: Caller,
  place: GraftRef,
  intent: string | null,
): Promise<string | null> {
  const { provider, profile } = deps.grafts;
  if (provider === null || profile === DEFAULT_PROFILE) return null;
  const question: GraftQuestion = { userId: place.userId, tenant: caller.scope, profile, intent };
  return deps.asking.run(JSON.stringify([place.scope, place.id]), async () => {
    if (!(await claim(deps, place))) return null;
    try {
      await storeAnswer(deps, place, await provider.ask(question));
      return null;
    } catch (thrown) {
      deps.warn("the provider of grafts failed", thrown);
      await release(deps, place);
      return graftError(thrown);
    }
  });
}
