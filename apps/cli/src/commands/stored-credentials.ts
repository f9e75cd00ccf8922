import { userInfo } from "node:os";
import { resolve } from "node:path";
import {
  accountKey,
  type CredentialFiles,
  type CredentialOwner,
  defaultHostedKey,
  isAccountLabel,
  type SecretPart,
  type StoredCredential,
  type StoredSecretError,
} from "@plasm/runtime";
import type { CliContext, Environment } from "../cli-context.ts";
import { CliError, failedError, usageError } from "../cli-error.ts";
import { defaultDataDirectory } from "./options.ts";

/** The stored credentials of a data directory. */
export interface StoredIn {
  readonly dataDir: string;
  /** the process's own, and that of the data directory */
  readonly env: Environment;
  readonly files: CredentialFiles;
}

/** Opens those of the data directory named, or of the usual one. */
export async function credentialsOf(cli: CliContext, data: string | undefined): Promise<StoredIn> {
  // Loaded on demand: no other command that talks to a server needs the runtime.
  const { openCredentialFiles } = await import("@plasm/runtime");
  const { readEnvironment } = await import("@plasm/host");
  const dataDir = resolve(cli.cwd, data ?? defaultDataDirectory(cli.env));
  // The server on this directory finds its key in the same places.
  const { env } = await readEnvironment(cli.env, dataDir, undefined);
  return { dataDir, env, files: openCredentialFiles(dataDir, () => Date.now(), env) };
}

/** Who changes a credential, for the audit. */
export function changer(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

/** By its name: no other command that talks to a server needs the runtime. */
const isStoredSecretError = (thrown: unknown): thrown is StoredSecretError =>
  thrown instanceof Error && ["StoredSecretError", "ShareError"].includes(thrown.name);

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;

/** Does something with stored credentials; what the file system refuses is told by its code. */
export async function withFiles<T>({ dataDir }: StoredIn, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    if (isStoredSecretError(thrown)) throw failedError(thrown.message.replace(/\.?$/, "."), thrown);
    const what = isErrno(thrown) ? (thrown.code ?? thrown.message) : "unknown";
    throw failedError(`The credentials in ${dataDir} cannot be used (${what}).`, thrown);
  }
}

/** Whose credential is meant, as the command line says it. */
export interface OwnerOptions {
  readonly tenant?: string;
  readonly principal?: string;
  readonly account?: string;
}

const HOSTED = "plasm:outbound:";
const ENTRY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The id of the catalog that a name stands for, or null for a hosted key. Throws CliError. */
export function catalogIdOf(name: string): string | null {
  if (name.startsWith(HOSTED) && name.length > HOSTED.length) return null;
  if (ENTRY_ID.test(name)) return name;
  throw usageError(`${JSON.stringify(name)} is neither the id of a catalog nor a key ${HOSTED}…`);
}

const KEY_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Throws CliError for what no further key of a catalog is called (CAT-114). */
export function checkKeyName(key: string): void {
  if (KEY_NAME.test(key) && !["secret", "client_id", "client_secret"].includes(key)) return;
  throw usageError(
    `--key ${JSON.stringify(key)} is no name of a further key: small letters, digits and _, as the catalog has it under auth.also.`,
  );
}

/** Whether a stored key is a catalog's own, or that of the account named, or a part of it; no other account's is. */
export function isOfCatalog(key: string, entryId: string, named: string | undefined): boolean {
  const [, id, account] = OWN.exec(key) ?? [];
  return id === entryId && account === named;
}

/**
 * Which account calls use that name none, once something of a catalog has been removed; null where it has no accounts, or a
 * default still stands before them (RUN-129).
 */
export function usedUnnamed(
  entryId: string,
  { tenant, principal }: CredentialOwner,
  stored: readonly StoredCredential[],
): string | null {
  const counts = stored.filter(
    (one) =>
      one.shared === undefined &&
      one.principal === principal &&
      (one.tenant === tenant || (principal === null && one.tenant === null)),
  );
  const found = counts.map(({ key }) => OWN.exec(key) ?? []).filter(([, id]) => id === entryId);
  if (found.some(([, , account, part]) => account === undefined && part === undefined)) return null;
  const ownFirst = counts
    .filter((one) => one.tenant === tenant)
    .map(({ key }) => OWN.exec(key) ?? []);
  const accountsIn = (keys: readonly (readonly string[])[]) =>
    keys.flatMap(([, id, account, part]) =>
      id === entryId && part === undefined ? (account ?? []) : [],
    );
  const own = accountsIn(ownFirst);
  const labels = [...new Set(own.length > 0 ? own : accountsIn(found))].toSorted();
  const [only, ...more] = labels;
  if (only === undefined) return null;
  const unless = principal === null ? ", unless the server has one in a variable" : "";
  return more.length === 0
    ? `Calls of ${entryId} that name no account use ${only} from now on${unless}.`
    : `Calls of ${entryId} that name no account are asked which is meant from now on${unless}: ${labels.join(", ")}.`;
}

/** Where a part of a credential is stored: under a hosted key, or the catalog's own. Throws CliError. */
export function ownerOf(
  name: string,
  part: SecretPart,
  { tenant, principal, account }: OwnerOptions,
): CredentialOwner {
  const entryId = catalogIdOf(name);
  if (principal !== undefined && tenant === undefined) {
    throw usageError("--principal names a user of a tenant: give --tenant, too.");
  }
  const key =
    account === undefined ? keyOf(entryId, name, part) : keyOfAccount(entryId, account, part);
  // As servers write the tenant of a caller.
  return { key, tenant: tenant?.normalize("NFC") ?? null, principal: principal ?? null };
}

const keyOf = (entryId: string | null, name: string, part: SecretPart): string =>
  entryId === null ? name : defaultHostedKey(entryId, part);

function keyOfAccount(entryId: string | null, account: string, part: SecretPart): string {
  if (entryId === null || part === "client_id" || part === "client_secret")
    throw usageError("--account goes with the id of a catalog, and without --client-id.");
  if (isAccountLabel(account)) return accountKey(entryId, account, part);
  throw usageError(
    `--account ${JSON.stringify(account)} is no label: small letters, digits, dot, - and _, at most 32, a letter or digit first.`,
  );
}

const OWN = /^plasm:outbound:v1:catalog:([^:@]+)(?:@([^:@]+))?(?::([a-z][a-z0-9_]*))?$/;

/** How a stored credential is called: by its catalog, else by its key. */
export function nameOfKey(key: string): string {
  const [, entryId, account, part] = OWN.exec(key) ?? [];
  if (entryId === undefined) return key;
  const whose = account === undefined ? entryId : `${entryId} account ${account}`;
  return part === undefined ? whose : `${whose} ${part}`;
}
