import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CredentialScope } from "../../ports.ts";
import { accountOfKey } from "./credential-help.ts";
import { StoredSecretError } from "./secret-keys.ts";

/** Whose a stored credential is: of every caller of the deployment, of a tenant, or of one user of it. */
export interface CredentialOwner {
  /** a hosted key */
  readonly key: string;
  readonly tenant: string | null;
  readonly principal: string | null;
}

/** What is told of a stored credential; never what it is. */
export interface StoredCredential extends CredentialOwner {
  /** milliseconds since the epoch */
  readonly changedAt: number;
}

/** What a file holds: version 1 had the secret as it is, and is encrypted when it is next written. */
export type StoredRecord =
  | (StoredCredential & { readonly version: 1; readonly value: string })
  | (StoredCredential & { readonly version: 2; readonly encrypted: string });

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;
export const isMissingFile = (thrown: unknown): boolean =>
  isErrno(thrown) && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR");

/** A name of which no part is the caller's. */
export function recordFileName({ key, tenant, principal }: CredentialOwner): string {
  const name = JSON.stringify([key, tenant, principal]);
  return `${hash("sha256", name).slice(0, 40)}.json`;
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

function isRecord(found: unknown): found is StoredRecord {
  if (typeof found !== "object" || found === null) return false;
  const { version, key, tenant, principal, changedAt, ...rest } = found as Partial<
    StoredCredential & { version: unknown }
  >;
  if (typeof key !== "string" || !isTextOrNull(tenant) || !isTextOrNull(principal)) return false;
  if (typeof changedAt !== "number") return false;
  const [[name, value] = [], ...more] = Object.entries(rest);
  if (more.length > 0 || typeof value !== "string") return false;
  return version === 1 ? name === "value" : version === 2 && name === "encrypted";
}

export const damagedRecord = (path: string): StoredSecretError =>
  new StoredSecretError({
    brief: "it is damaged, or was changed by something else than plasm",
    what: `${path} is damaged`,
    fix: "plasm auth set stores the credential again",
  });

/** What an encrypted value is bound to: none can be put in the place of another. */
export const boundNameOf = ({ key, tenant, principal, changedAt }: StoredCredential): string =>
  JSON.stringify([key, tenant, principal, changedAt]);

export function readStoredRecord(path: string): StoredRecord | null {
  // Most places have none, and each call looks: an error to be made and dropped costs more than the look.
  if (!existsSync(path)) return null;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    if (isMissingFile(thrown)) return null;
    throw thrown;
  }
  try {
    const record: unknown = JSON.parse(text);
    if (isRecord(record)) return record;
  } catch {
    // Said below, without what is in the file.
  }
  throw damagedRecord(path);
}

export function recordNamesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (thrown) {
    if (isMissingFile(thrown)) return [];
    throw thrown;
  }
}

/** Whose values count for a scope, the narrowest first. */
export function ownersOf(
  key: string,
  { tenant, principal }: CredentialScope,
): readonly CredentialOwner[] {
  if (principal !== undefined) return [{ key, tenant, principal }];
  return [
    { key, tenant, principal: null },
    { key, tenant: null, principal: null },
  ];
}

/** A directory's time may be as coarse as this: what was listed so soon after a change may lack another one. */
const COARSE_MS = 2_000;

/** What a directory tells of whose credentials it holds. */
interface Holders {
  readonly owners: readonly CredentialOwner[];
  /** a record that does not tell whose it is; null without one */
  readonly damaged: StoredSecretError | null;
}

/** Whose credential a file holds. Throws StoredSecretError for one that is not where its owner's is. */
function holderOf(directory: string, name: string): CredentialOwner | null {
  const path = join(directory, name);
  const record = readStoredRecord(path);
  if (record !== null && recordFileName(record) !== name) throw damagedRecord(path);
  return record;
}

/** Whose credentials a directory holds; read again when it has changed, since calls ask. */
export function ownersIn(directory: string): () => Holders {
  let known: (Holders & { readonly changed: number }) | null = null;
  return () => {
    const changed = statSync(directory, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined) return { owners: [], damaged: null };
    if (known?.changed === changed) return known;
    let unknown: StoredSecretError | null = null;
    const owners = recordNamesIn(directory).flatMap((name) => {
      try {
        return holderOf(directory, name) ?? [];
      } catch (thrown) {
        if (!(thrown instanceof StoredSecretError)) throw thrown;
        unknown ??= thrown;
        return [];
      }
    });
    const holders = { owners, damaged: unknown };
    known = Date.now() - changed > COARSE_MS ? { changed, ...holders } : null;
    return holders;
  };
}

/** Whether what is stored for one counts for a scope, whatever its key. */
export const isInScope = (owner: CredentialOwner, scope: CredentialScope): boolean =>
  ownersOf(owner.key, scope).some(
    ({ tenant, principal }) => tenant === owner.tenant && principal === owner.principal,
  );

/** The labels of a catalog's accounts that some owners have, sorted. */
export function labelsAmong(
  owners: readonly CredentialOwner[],
  entryId: string,
  counts: (owner: CredentialOwner) => boolean,
): readonly string[] {
  const labels = owners
    .filter(counts)
    .map(({ key }) => accountOfKey(key, entryId))
    .filter((label) => label !== null);
  return [...new Set(labels)].toSorted();
}
