import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "@plasm/core";
import type { AccessToken } from "../../ports.ts";
import { isSendable } from "./credential.ts";
import { isObject } from "../../base/json-kinds.ts";

/** The application that a token was given to, and where it is refreshed and revoked: what a sign-in keeps (RUN-127). */
export interface EnvelopeClient {
  readonly clientId: string;
  /** null for a public client, and for one whose secret the deployment sets */
  readonly clientSecret: string | null;
  readonly tokenUrl: string;
  readonly revokeUrl: string | null;
  /** the issuer that the deployment named when people signed in; null where the catalog did */
  readonly issuer: string | null;
}

export type EnvelopeReading =
  | {
      readonly ok: true;
      readonly token: AccessToken;
      readonly client: EnvelopeClient | null;
      /** which sign-in it came of, or when it was stored, which refreshes keep; null for one of a version before */
      readonly signIn: string | null;
      /** whether its server has refused to refresh it: only another sign-in helps */
      readonly ended: boolean;
    }
  | { readonly ok: false; readonly why: string };

const unreadable = (why: string): EnvelopeReading => ({ ok: false, why });

const textOf = (value: unknown): string | null => (typeof value === "string" ? value.trim() : null);

/** Whether a hosted value is an envelope rather than the secret itself (RUN-123). */
export const isEnvelope = (value: string): boolean => value.trimStart().startsWith("{");

/**
 * Reads a hosted envelope `{version: 1, entry_id, access_token, refresh_token?, token_type?,
 * expires_at_unix?, scope?, client_id?, client_secret?, token_url?, revoke_url?, issuer?, sign_in?, ended?}`; it must be one of this catalog (RUN-123).
 */
export function readEnvelope(value: string, entryId: string): EnvelopeReading {
  const envelope = jsonObjectOf(value);
  if (envelope === null) return unreadable("it is no JSON object");
  if (envelope["version"] !== 1) return unreadable("its version is not 1");
  if (envelope["entry_id"] !== entryId) return unreadable("its entry_id is not of this catalog");
  const access = textOf(envelope["access_token"]);
  if (access === null || access === "") return unreadable("it has no access_token");
  if (!isSendable(access)) return unreadable("no header can carry its access_token");
  const expires = envelope["expires_at_unix"];
  return {
    ok: true,
    token: Object.freeze({
      access,
      refresh: textOf(envelope["refresh_token"]) || null,
      expiresAt: typeof expires === "number" ? expires * 1000 : null,
      scope: textOf(envelope["scope"]),
    }),
    client: clientIn(envelope),
    signIn: textOf(envelope["sign_in"]) || null,
    ended: envelope["ended"] === true,
  };
}

/** The same envelope, marked as one that its server refuses to refresh; null for a text that is none. */
export function endedEnvelope(value: string): string | null {
  const envelope = jsonObjectOf(value);
  return envelope === null ? null : JSON.stringify({ ...envelope, ended: true });
}

/** What a sign-in wrote down; null in an envelope that came from elsewhere. */
function clientIn(envelope: JsonObject): EnvelopeClient | null {
  const [clientId, tokenUrl] = [textOf(envelope["client_id"]), textOf(envelope["token_url"])];
  if (!clientId || !tokenUrl) return null;
  return {
    clientId,
    clientSecret: textOf(envelope["client_secret"]) || null,
    tokenUrl,
    revokeUrl: textOf(envelope["revoke_url"]) || null,
    issuer: textOf(envelope["issuer"]) || null,
  };
}

/** The envelope to keep for a token (RUN-123). */
export function writeEnvelope(
  token: AccessToken,
  entryId: string,
  client: EnvelopeClient | null = null,
  signIn: string | null = null,
): string {
  const { access, refresh, expiresAt, scope } = token;
  return JSON.stringify({
    version: 1,
    entry_id: entryId,
    access_token: access,
    ...(refresh === null ? {} : { refresh_token: refresh }),
    token_type: "bearer",
    ...(expiresAt === null ? {} : { expires_at_unix: Math.floor(expiresAt / 1000) }),
    ...(scope === null ? {} : { scope }),
    ...(client === null ? {} : clientMembers(client)),
    ...(signIn === null ? {} : { sign_in: signIn }),
  });
}

const clientMembers = ({
  clientId,
  clientSecret,
  tokenUrl,
  revokeUrl,
  issuer,
}: EnvelopeClient) => ({
  client_id: clientId,
  ...(clientSecret === null ? {} : { client_secret: clientSecret }),
  token_url: tokenUrl,
  ...(revokeUrl === null ? {} : { revoke_url: revokeUrl }),
  ...(issuer === null ? {} : { issuer }),
});

/**
 * A value as it is stored: an envelope that names no sign-in gets an id, so that two of them are not taken for one by a run that goes on
 * later (RUN-129).
 */
export function withIdentity(value: string): string {
  const envelope = isEnvelope(value) ? jsonObjectOf(value) : null;
  if (envelope === null || textOf(envelope["sign_in"])) return value;
  return JSON.stringify({ ...envelope, sign_in: randomUUID() });
}

/** The id of the sign-in that an envelope is of; null for anything else. */
export const signInIn = (value: string): string | null =>
  (isEnvelope(value) ? textOf(jsonObjectOf(value)?.["sign_in"]) : null) || null;

/** The JSON object that a text is, or null if it is none. */
export function jsonObjectOf(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
