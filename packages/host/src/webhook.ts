import { createHmac } from "node:crypto";
import type { Notice, NoticeTarget } from "@plasm/agent-core/internal";
import type { Transport, TransportOutcome } from "@plasm/runtime";
import { HostStartError } from "./environment.ts";
import type { NoticeWords } from "./notice-words.ts";

/** What a secret begins with, so that people and scanners know it when they see one. */
const PREFIX = "whsec_";
/** What Standard Webhooks lets a secret have, in bytes. */
const SECRET_BYTES = { least: 24, most: 64 } as const;

/**
 * Returns the keys that a setting holds: one, or the new and the old one while receivers change. Throws HostStartError without repeating
 * what it holds.
 */
export function webhookKeys(setting: string, text: string): readonly Buffer[] {
  return text.split(/\s+/).map((word) => {
    const encoded = word.startsWith(PREFIX) ? word.slice(PREFIX.length) : "";
    const key = Buffer.from(encoded, "base64");
    const isWhole = key.toString("base64").replaceAll("=", "") === encoded.replaceAll("=", "");
    if (isWhole && key.length >= SECRET_BYTES.least && key.length <= SECRET_BYTES.most) return key;
    throw new HostStartError(
      `${setting} must be ${PREFIX} and ${SECRET_BYTES.least} to ${SECRET_BYTES.most} random bytes in base64, or two of these, the new one first. Make one: printf ${PREFIX}%s $(openssl rand -base64 32)`,
    );
  });
}

interface WebhookOptions {
  readonly url: string;
  readonly keys: readonly Buffer[];
  readonly transport: Transport;
  /** whether its name or address may be one of an inner network */
  readonly allowPrivate: boolean;
  readonly words: (notice: Notice) => NoticeWords;
}

/** The headers of a message by Standard Webhooks: `seconds` since the epoch. */
function signed(
  id: string,
  seconds: number,
  body: string,
  keys: readonly Buffer[],
): readonly (readonly [string, string])[] {
  const signatures = keys.map((key) => {
    const sum = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
    return `v1,${sum}`;
  });
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(seconds)],
    ["webhook-signature", signatures.join(" ")],
  ];
}

const TIMEOUT_MS = 8_000;
/** Nothing of an answer but its status is used. */
const ANSWER_BYTES = 64 * 1024;

/** Neither the address, whose query may hold a key, nor an answer's words stand in the log. */
function refuseFailure(outcome: TransportOutcome): void {
  if (!outcome.ok) {
    const fix =
      outcome.failure.kind === "address_refused" ? "; PLASM_NOTIFY_PRIVATE=on allows that" : "";
    throw new Error(
      `The webhook cannot be reached: ${outcome.failure.kind}, ${outcome.failure.detail}${fix}`,
    );
  }
  const { status } = outcome.response;
  if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}`);
}

/**
 * A receiver of signed messages over HTTP, by Standard Webhooks: one attempt of at most 8 s; no redirect is followed, and
 * anything but 2xx is tried again (OPS-51).
 */
export function webhookTarget(options: WebhookOptions): NoticeTarget {
  const { url, keys, transport, allowPrivate, words } = options;
  return {
    name: "webhook",
    send: async (notice, signal) => {
      const { type, id, at, ...facts } = notice;
      const { text, url: link } = words(notice);
      const body = JSON.stringify({ type, timestamp: at, data: { ...facts, text, url: link } });
      const seconds = Math.floor(Date.now() / 1_000);
      const outcome = await transport.send({
        method: "POST",
        url,
        headers: [
          ["content-type", "application/json"],
          ["user-agent", "plasm"],
          ...signed(id, seconds, body, keys),
        ],
        body: Buffer.from(body, "utf8"),
        allowPrivate: allowPrivate ? "named" : false,
        connectTimeoutMs: TIMEOUT_MS,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: ANSWER_BYTES,
        freshConnection: true,
        signal,
      });
      refuseFailure(outcome);
    },
  };
}
