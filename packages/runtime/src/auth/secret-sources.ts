import type { SecretSource } from "@plasm/core";
import type { CredentialScope, SecretProvider } from "../ports.ts";
import { isEnvelope } from "./envelope.ts";
import { isSendable } from "./injection.ts";

/** A secret that was found, and where. */
export interface Found {
  readonly value: string;
  /** the hosted key it stands under, or null */
  readonly hostedKey: string | null;
}

/** What a look at every source gave: a secret, or the names of the sources that have none. */
export type Sought =
  | { readonly found: Found }
  | { readonly found: null; readonly tried: readonly string[] };

/** Parts of a credential that are stored under a key of their own. */
export type SecretPart = "secret" | "client_id" | "client_secret";

/** The hosted key that stands for a catalog unless it names one: where `plasm auth set` stores. */
export function defaultHostedKey(entryId: string, part: SecretPart = "secret"): string {
  const key = `plasm:outbound:v1:catalog:${entryId}`;
  return part === "secret" ? key : `${key}:${part}`;
}

interface Source {
  readonly name: string;
  readonly hostedKey: string | null;
  readonly read: () => Promise<string | undefined>;
}

/** Where one part of a catalog's credential may come from, in the order of RUN-120. */
export interface Seeking {
  readonly entryId: string;
  readonly part: SecretPart;
  readonly declared: SecretSource;
  readonly secrets: SecretProvider;
  readonly scope: CredentialScope;
}

function sessionSource({ entryId, part, scope }: Seeking): readonly Source[] {
  if (part !== "secret") return [];
  const read = () => Promise.resolve(scope.session?.get(entryId));
  return [{ name: "the session's credential", hostedKey: null, read }];
}

function hostedSources({ entryId, part, declared, secrets, scope }: Seeking): readonly Source[] {
  const own = defaultHostedKey(entryId, part);
  const keys = [...new Set([declared.hostedKv ?? own, own])];
  return keys.map((key) => ({
    name: key === own ? `plasm auth (${own})` : `hosted key ${key}`,
    hostedKey: key,
    read: () => secrets.hosted(key, scope),
  }));
}

/** The deployment's own secrets; in delegated mode they are not the user's (RUN-120). */
function envSource({ declared: { env }, secrets, scope }: Seeking): readonly Source[] {
  if (env === undefined || scope.delegated === true || scope.principal !== undefined) return [];
  const read = () => Promise.resolve(secrets.env(env));
  return [{ name: `environment variable ${env}`, hostedKey: null, read }];
}

function fault(value: string, hostedKey: string | null): string | null {
  if (value === "") return "blank";
  if (hostedKey !== null && isEnvelope(value)) return null;
  return isSendable(value) ? null : "no secret: it has line breaks or letters beyond Latin-1";
}

/** Looks for a secret: the session's, then hosted, then the environment's; trimmed (RUN-120, RUN-121). */
export async function seekSecret(seeking: Seeking): Promise<Sought> {
  const tried: string[] = [];
  const sources = [sessionSource, hostedSources, envSource].flatMap((of) => of(seeking));
  for (const { name, hostedKey, read } of sources) {
    const value = (await read())?.trim();
    const why = value === undefined ? null : fault(value, hostedKey);
    if (value !== undefined && why === null) return { found: { value, hostedKey } };
    tried.push(why === null ? name : `${name} (${why})`);
  }
  return { found: null, tried };
}
