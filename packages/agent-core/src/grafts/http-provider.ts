import type { Transport, TransportFailure, TransportOutcome } from "@plasm/runtime";
import type { GraftProvider, GraftQuestion } from "../ports.ts";

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
