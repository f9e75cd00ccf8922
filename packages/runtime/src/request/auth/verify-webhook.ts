import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Catalog } from "@plasm/core";
import type { Webhook } from "@plasm/core/internal";
import type { SecretProvider } from "../../ports.ts";
import { seekSecret } from "./secret-sources.ts";

/** A request that says it is from an API. */
export interface WebhookRequest {
  readonly headers: { get(name: string): string | null };
  /** as it came: it is signed byte for byte */
  readonly body: Uint8Array;
}

/** What a webhook proved to be: the name of its delivery, and what it wants answered; or why it is none. */
export type WebhookVerdict =
  | { readonly genuine: true; readonly delivery: string; readonly challenge: string | null }
  | { readonly genuine: false; readonly why: string };

export interface WebhookCheck {
  readonly catalog: Catalog;
  readonly webhook: Webhook;
  readonly secrets: SecretProvider;
  readonly tenant: string;
  /** in ms */
  readonly now: number;
}

/** Characters of a header that are looked at, and parts of it that may be signatures. */
const MOST_HEADER = 4_096;
const MOST_PARTS = 20;
const MOST_CHALLENGE = 1_000;

/** A place in what is signed; its name may have blanks around it. */
const PLACE = /\{\{([^{}]*)\}\}/u;

const signedNames = ({ signed }: Webhook): readonly string[] =>
  signed
    .split(PLACE)
    .filter((_piece, index) => index % 2 === 1)
    .map((piece) => piece.trim());

const none = (why: string): WebhookVerdict => ({ genuine: false, why });

/**
 * Whether a request is from the API, as its catalog says how that is proved (CAT-160): by a signature of the body and of when it was made,
 * or by the secret itself, compared in constant time. A delivery is named by its header, else by what proved it. Throws RunFailure where
 * the secret that is stored cannot be read.
 */
export async function verifyWebhook(
  check: WebhookCheck,
  { headers, body }: WebhookRequest,
): Promise<WebhookVerdict> {
  const { webhook } = check;
  const secret = await secretOf(check);
  if (secret === null) return none(`no secret of ${webhook.name} is set here`);
  const proof = headers.get(webhook.header);
  if (proof === null || proof.length > MOST_HEADER) return none(`it has no ${webhook.header}`);
  const parts = partsOf(webhook, proof);
  const time = timeOf(webhook, headers, parts);
  if (time === null) return none("the time at which it was signed is missing");
  if (time !== undefined && isFar(time, check.now, webhook.toleranceSeconds)) {
    return none("it was signed too long ago, or the clocks differ");
  }
  const id = webhook.idHeader === undefined ? undefined : headers.get(webhook.idHeader);
  if (id === null || id === "") return none(`it has no ${webhook.idHeader}`);
  const proofs = parts
    .filter((part) => part.startsWith(webhook.prefix))
    .map((part) => part.slice(webhook.prefix.length));
  const wanted =
    webhook.scheme === "token" ? Buffer.from(secret) : signatureOf(webhook, secret, time, id, body);
  if (!proofs.some((one) => isSame(bytesOf(webhook, one), wanted))) {
    return none(webhook.scheme === "token" ? "its token is another" : "its signature is another");
  }
  // A name that is not signed could be exchanged by whoever has seen the delivery; a token proves each body.
  const isToken = webhook.scheme === "token";
  const own = isToken || signedNames(webhook).includes("id") ? id : undefined;
  const named = own ?? `${proof}${isToken ? digest(body) : ""}`;
  return {
    genuine: true,
    delivery: digest(Buffer.from(named)),
    challenge: challengeIn(webhook, body),
  };
}

async function secretOf({
  catalog,
  webhook,
  secrets,
  tenant,
}: WebhookCheck): Promise<string | null> {
  const { env, hostedKv } = webhook;
  const declared = {
    ...(env === undefined ? {} : { env }),
    ...(hostedKv === undefined ? {} : { hostedKv }),
  };
  const part = `webhook_${webhook.name.toLowerCase()}`;
  const { found } = await seekSecret({ catalog, part, declared, secrets, scope: { tenant } });
  return found === null ? null : found.value;
}

const partsOf = ({ separator }: Webhook, proof: string): readonly string[] =>
  separator === undefined || separator === ""
    ? [proof.trim()]
    : proof
        .split(separator)
        .slice(0, MOST_PARTS)
        .map((part) => part.trim());

/** The text of the time that is signed; undefined where none is, null where it is missing. */
function timeOf(
  { timestampHeader, timestampPrefix }: Webhook,
  headers: WebhookRequest["headers"],
  parts: readonly string[],
): string | null | undefined {
  if (timestampHeader !== undefined) return headers.get(timestampHeader);
  if (timestampPrefix === undefined) return undefined;
  const part = parts.find((one) => one.startsWith(timestampPrefix));
  return part === undefined ? null : part.slice(timestampPrefix.length);
}

const isFar = (time: string, now: number, tolerance: number): boolean =>
  !/^\d{1,12}$/u.test(time) || Math.abs(now / 1_000 - Number(time)) > tolerance;

function signatureOf(
  { signed, secretEncoding }: Webhook,
  secret: string,
  time: string | undefined,
  id: string | undefined,
  body: Uint8Array,
): Buffer {
  const key =
    secretEncoding === "base64" ? Buffer.from(secret.replace(/^whsec_/u, ""), "base64") : secret;
  const hmac = createHmac("sha256", key);
  const places: Readonly<Record<string, string | Uint8Array | undefined>> = {
    body,
    timestamp: time,
    id,
  };
  for (const [index, piece] of signed.split(PLACE).entries()) {
    hmac.update(index % 2 === 0 ? piece : (places[piece.trim()] ?? ""));
  }
  return hmac.digest();
}

const bytesOf = ({ scheme, encoding }: Webhook, text: string): Buffer =>
  scheme === "token" ? Buffer.from(text) : Buffer.from(text, encoding);

const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const digest = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 32);

/** What the API wants to get back; null where the body has no such member, or no text in it. */
function challengeIn({ challenge }: Webhook, body: Uint8Array): string | null {
  if (challenge === undefined) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const text = (value as Readonly<Record<string, unknown>> | null)?.[challenge];
    return typeof text === "string" && text.length <= MOST_CHALLENGE ? text : null;
  } catch {
    return null;
  }
}
