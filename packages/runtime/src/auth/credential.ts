import { createHash } from "node:crypto";
import type { Auth, Catalog } from "@plasm/core";
import type { CredentialScope, SecretProvider } from "../ports.ts";
import { failure, RunFailure } from "../run-failure.ts";

/** What a request carries to say who asks (RUN-121). Held in memory only, never serialised. */
export interface Credential {
  /** tells credentials apart without holding them: coalescing and rate limits are per credential */
  readonly id: string;
  readonly secret: string | null;
  readonly header: readonly [name: string, value: string] | null;
  readonly query: readonly [name: string, value: string] | null;
}

type SecretScheme = Exclude<Auth, { scheme: "none" } | { scheme: "oauth2_client_credentials" }>;

export const NO_CREDENTIAL: Credential = Object.freeze({
  id: "none",
  secret: null,
  header: null,
  query: null,
});

function injected(auth: SecretScheme, secret: string): Credential {
  const id = createHash("sha256").update(secret).digest("hex").slice(0, 32);
  switch (auth.scheme) {
    case "api_key_header":
      return { id, secret, header: [auth.header, auth.prefix + secret], query: null };
    case "api_key_query":
      return { id, secret, header: null, query: [auth.param, secret] };
    case "bearer_token":
    case "oauth_bearer":
      return { id, secret, header: ["Authorization", `Bearer ${secret}`], query: null };
  }
}

function missing(entryId: string, tried: readonly string[]): RunFailure {
  const sources = tried.length === 0 ? "no source is declared" : `tried ${tried.join(", ")}`;
  return new RunFailure(
    failure(
      "auth_missing",
      `There is no credential for ${entryId}: ${sources}.`,
      `set a credential for ${entryId} in the session, or one of the sources named`,
    ),
  );
}

/** The access token of a hosted envelope (RUN-123), or the value itself. */
function hostedToken(entryId: string, value: string, key: string): string {
  if (!value.startsWith("{")) return value;
  try {
    const envelope: unknown = JSON.parse(value);
    if (typeof envelope === "object" && envelope !== null && "access_token" in envelope) {
      const owner = "entry_id" in envelope ? envelope.entry_id : undefined;
      if (owner === entryId && typeof envelope.access_token === "string") {
        return envelope.access_token;
      }
    }
  } catch {
    // Falls through: an envelope that does not parse is as good as none.
  }
  throw missing(entryId, [`hosted ${key} (its envelope is not one of this catalog)`]);
}

interface Source {
  readonly name: string;
  readonly read: () => Promise<string | undefined>;
}

/** Session, then hosted, then environment (RUN-120); delegated mode uses only the principal's. */
function sources(
  entryId: string,
  auth: SecretScheme,
  secrets: SecretProvider,
  scope: CredentialScope,
): Source[] {
  const list: Source[] = [
    { name: "session", read: () => Promise.resolve(scope.session?.get(entryId)) },
  ];
  const { hostedKv, env } = auth;
  if (hostedKv !== undefined) {
    list.push({
      name: `hosted ${hostedKv}`,
      read: async () => {
        const value = (await secrets.hosted(hostedKv, scope))?.trim();
        return value === undefined || value === ""
          ? undefined
          : hostedToken(entryId, value, hostedKv);
      },
    });
  }
  if (env !== undefined && scope.principal === undefined) {
    list.push({ name: `environment ${env}`, read: () => Promise.resolve(secrets.env(env)) });
  }
  return list;
}

/** The credential of one catalog, or the failure `auth_missing` that names what was tried (RUN-120). */
export async function resolveCredential(
  catalog: Catalog,
  secrets: SecretProvider,
  scope: CredentialScope,
): Promise<Credential> {
  const { auth } = catalog.cgs;
  if (auth.scheme === "none") return NO_CREDENTIAL;
  if (auth.scheme === "oauth2_client_credentials") {
    throw missing(catalog.entryId, ["client credentials, which this version does not exchange"]);
  }
  const tried: string[] = [];
  for (const source of sources(catalog.entryId, auth, secrets, scope)) {
    const value = (await source.read())?.trim();
    if (value !== undefined && value !== "") return injected(auth, value);
    tried.push(value === "" ? `${source.name} (blank)` : source.name);
  }
  if ("optionalEnv" in auth && auth.optionalEnv) return NO_CREDENTIAL;
  throw missing(catalog.entryId, tried);
}

/** Whether a catalog has a credential, or needs none (RUN-183). */
export async function credentialIsPresent(
  catalog: Catalog,
  secrets: SecretProvider,
  scope: CredentialScope,
): Promise<boolean> {
  try {
    await resolveCredential(catalog, secrets, scope);
    return true;
  } catch (error) {
    if (error instanceof RunFailure) return false;
    throw error;
  }
}
