import type { Catalog } from "@plasm/core";
import {
  type AccountChoice,
  accountChoice,
  credentialIsPresent,
  type CredentialFiles,
  type CredentialScope,
  fileSecrets,
  ownCredentialIsPresent,
  type Recording,
  type RegistryEntry,
  type SecretProvider,
  systemClock,
  variableRefusal,
  type VariableRules,
  variablesOf,
} from "@plasm/runtime";
import { HostStartError, type Environment } from "./environment.ts";

/** Where the engine finds secrets, and whether a catalog has what it needs. */
export interface HostSecrets {
  readonly provider: SecretProvider;
  /** for these callers; without a scope, for callers that prove nothing */
  readonly has: (catalog: Catalog, scope?: CredentialScope) => boolean;
  /** the same of what a sign-in gives, further keys aside */
  readonly hasOwn: (catalog: Catalog, scope: CredentialScope) => boolean;
  /** which account calls use (RUN-129) */
  readonly accounts: (catalog: Catalog, scope: CredentialScope) => AccountChoice;
}

/** What secrets are read from, and what limits that. */
export interface SecretSources {
  readonly env: Environment;
  readonly files: CredentialFiles;
  /** the tenant of callers that prove nothing */
  readonly tenant: string;
  readonly recording: Recording | null;
  /** the variables that catalogs may read */
  readonly variables: VariableRules;
}

/**
 * Returns the secrets of the environment and of the data directory. A replay uses none of them, so that no catalog
 * lacks any.
 */
export function hostSecrets(sources: SecretSources): HostSecrets {
  const { env, files, tenant, recording, variables } = sources;
  const refusesEnv = (name: string, entryId: string) => variableRefusal(variables, entryId, name);
  const at = (scope: CredentialScope) => ({
    env: (name: string, entryId: string) =>
      refusesEnv(name, entryId) === null ? env[name] : undefined,
    hosted: (key: string) => files.find(key, scope),
    accounts: (entryId: string) => files.candidates(entryId, scope),
    now: () => systemClock.now(),
  });
  const isReplay = recording?.replays === true;
  return {
    provider: fileSecrets(env, files, refusesEnv),
    has: (catalog, scope = { tenant }) =>
      isReplay || credentialIsPresent(catalog, scope, at(scope)),
    hasOwn: (catalog, scope) => isReplay || ownCredentialIsPresent(catalog, scope, at(scope)),
    accounts: (catalog, scope) =>
      isReplay ? { used: null, open: [] } : accountChoice(catalog, scope, at(scope)),
  };
}

/** The setting that lists what imported catalogs may read besides variables that begin with their id. */
const SETTING = "PLASM_CATALOG_ENV";
const ITEM = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*:)?[A-Za-z_][A-Za-z0-9_]*$/;

/** Which variables of the environment catalogs may read. */
export interface DirectoryVariables extends VariableRules {
  /** is given what the directories hold now */
  keep(entries: readonly RegistryEntry[]): void;
  /** is given, once, how all that is on offer is listed, imports among it */
  offers(list: () => readonly Pick<RegistryEntry, "catalog">[]): void;
}

/** Reads which variables a deployment lets catalogs read. Throws HostStartError for what is not a list of names. */
export function directoryVariables(env: Environment): DirectoryVariables {
  let known: ReadonlyMap<string, readonly string[]> = new Map();
  let offered: () => readonly Pick<RegistryEntry, "catalog">[] = () => [];
  return {
    listed: listedIn(env),
    ofDirectories: () => known,
    usersOf: (name) =>
      offered().flatMap(({ catalog }) =>
        variablesOf(catalog.cgs).includes(name) ? [catalog.entryId] : [],
      ),
    offers: (list) => {
      offered = list;
    },
    keep: (entries) => {
      known = new Map(entries.map(({ catalog }) => [catalog.entryId, variablesOf(catalog.cgs)]));
    },
  };
}

function listedIn(env: Environment): ReadonlySet<string> {
  const items = (env[SETTING] ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const wrong = items.find((item) => !ITEM.test(item));
  if (wrong === undefined) return new Set(items);
  throw new HostStartError(
    `${SETTING} must list names of variables, or catalog:NAME, separated by commas; got ${JSON.stringify(wrong)}.`,
  );
}
