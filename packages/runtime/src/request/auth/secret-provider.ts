import type { Cgs } from "@plasm/core";
import type { Auth } from "@plasm/core/internal";
import type { CredentialScope, SecretProvider } from "../../ports.ts";
import type { CredentialFiles } from "./credential-files.ts";

/** Secrets from an environment record alone, but the server's own; there is no hosted store behind it. */
export function envSecrets(env: Readonly<Record<string, string | undefined>>): SecretProvider {
  return Object.freeze({
    env: (name: string) => env[name],
    refusesEnv: reservedVariable,
    hosted: () => Promise.resolve(undefined),
  });
}

/** Variables that are the server's or the system's own: no catalog names one, wherever it comes from. */
const RESERVED = /^(?:PLASM|NODE|NPM|PNPM|LD|DYLD|SSH|XDG|OTEL|PG|DOCKER_HOST|KUBERNETES)(?:_|$)/i;
const RESERVED_NAMES: ReadonlySet<string> = new Set(
  "PATH HOME USER LOGNAME SHELL PWD OLDPWD HOSTNAME LANG TERM TMPDIR MAIL EDITOR DATABASE_URL".split(
    " ",
  ),
);

/**
 * What variables of other software begin with: who imports a catalog chooses its id, and with it the beginning of its
 * variables' names.
 */
const FOREIGN =
  /^(?:AWS|AZURE|GOOGLE|GCP|DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|REDIS|VAULT|SMTP|SECRET|CI|HTTP|HTTPS|ALL_PROXY|NO_PROXY|SSL|SSH|KUBE|KUBECONFIG|DOCKER|NPM|NODE)(?:_|$)/i;

/** Which variables the catalogs of a deployment may name. */
export interface VariableRules {
  /** what the deployment allows besides: `NAME` for every catalog, `id:NAME` for one */
  readonly listed: ReadonlySet<string>;
  /** the variables that the catalogs of its own directories name, by entry id */
  readonly ofDirectories: () => ReadonlyMap<string, readonly string[]>;
  /** the entry ids of the catalogs on offer that name a variable, imports among them */
  readonly usersOf: (name: string) => readonly string[];
}

/** The variables that a catalog names: those of its `auth` and of its webhooks. */
export function variablesOf({ auth, webhooks }: Pick<Cgs, "auth" | "webhooks">): readonly string[] {
  const told = [...webhooks.values()].map(({ env }) => env);
  return [...authVariables(auth), ...told].filter((name) => name !== undefined);
}

function authVariables(auth: Auth): readonly (string | undefined)[] {
  if (auth.scheme === "none") return [];
  const own =
    auth.scheme === "oauth2_client_credentials"
      ? [auth.clientId.env, auth.clientSecret.env]
      : [auth.env];
  return [...own, ...auth.also.map(({ env }) => env)];
}

/** What names of a catalog's own variables begin with: `DEPOT_API` for `depot-api`. */
const variablePrefix = (entryId: string): string =>
  entryId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");

/** Why no catalog may read a variable; null where a catalog may. */
const reservedVariable = (name: string): string | null =>
  RESERVED.test(name) || RESERVED_NAMES.has(name.toUpperCase())
    ? "not looked at: it is the server's own"
    : null;

/**
 * Why a catalog that was imported may not name a variable, null where it may: the server's own; and, unless it is
 * listed, one that another catalog on offer names, one that begins as those of other software do, and any that does
 * not begin with its id (RUN-120).
 */
export function importedRefusal(
  { listed, ofDirectories, usersOf }: VariableRules,
  entryId: string,
  name: string,
): string | null {
  const reserved = reservedVariable(name);
  if (reserved !== null) return reserved;
  if (listed.has(name) || listed.has(`${entryId}:${name}`)) return null;
  const owner = [...ofDirectories()].find(([, names]) => names.includes(name))?.[0];
  if (owner !== undefined)
    return `not looked at: it is kept for ${owner} of the server's directories`;
  // Who reads it because the deployment lists it shares it; its owner keeps it.
  const other = usersOf(name).find((id) => id !== entryId && !listed.has(`${id}:${name}`));
  if (other !== undefined) return `not looked at: ${other}, which was imported, names it`;
  if (FOREIGN.test(name))
    return "not looked at: variables of other software begin so, and only the deployment may list it";
  const prefix = variablePrefix(entryId);
  return name === prefix || name.startsWith(`${prefix}_`)
    ? null
    : `not looked at: variables of ${entryId} begin with ${prefix}_`;
}

/**
 * Why a catalog may not read a variable, null where it may (RUN-120): what its directory's file names is the
 * deployment's own choice, an import's is not.
 */
export function variableRefusal(
  rules: VariableRules,
  entryId: string,
  name: string,
): string | null {
  if (rules.ofDirectories().get(entryId)?.includes(name) === true) return reservedVariable(name);
  return importedRefusal(rules, entryId, name);
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Secrets from an environment, and hosted ones from the files of a data directory, where refreshed
 * envelopes are kept unless something else has been put there meanwhile. `refusesEnv` says why a catalog may not
 * read a variable.
 */
export function fileSecrets(
  env: Environment,
  files: CredentialFiles,
  refusesEnv: (name: string, entryId: string) => string | null = reservedVariable,
): SecretProvider {
  return Object.freeze({
    env: (name: string) => env[name],
    refusesEnv,
    hosted: (key: string, scope: CredentialScope) => Promise.resolve(files.find(key, scope)),
    accounts: (entryId: string, scope: CredentialScope) => files.candidates(entryId, scope),
    labels: (entryId: string, scope: CredentialScope) => files.accounts(entryId, scope),
    holder: (key: string, scope: CredentialScope) => files.holder(key, scope),
    keepHosted: (key: string, scope: CredentialScope, before: string, value: string) =>
      files.refresh(key, scope, before, value),
    exclusively: <T>(key: string, scope: CredentialScope, work: () => Promise<T>) =>
      files.exclusively(key, scope, work),
  });
}
