import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CredentialScope } from "../../ports.ts";
import { accountOfKey, isSharedKey } from "./credential-help.ts";
import { StoredSecretError } from "./secret-keys.ts";

/** Whose a stored credential is: of every caller of the deployment, of a tenant, or of one user of it. */
export interface CredentialOwner {
  /** a hosted key */
  readonly key: string;
  readonly tenant: string | null;
  readonly principal: string | null;
}

/** Who may use a tenant's shared account (RUN-184). */
export interface SharedWith {
  /** the user whose own it was, who says who may use it; null where it was the tenant's */
  readonly by: string | null;
  /** users of the tenant, sorted */
  readonly users: readonly string[];
}

/** What is told of a stored credential; never what it is. */
export interface StoredCredential extends CredentialOwner {
  /** milliseconds since the epoch */
  readonly changedAt: number;
  readonly shared?: SharedWith;
}

/** Whose a record is, and nothing else of it. */
export const ownerPart = ({ key, tenant, principal }: CredentialOwner): CredentialOwner => ({
  key,
  tenant,
  principal,
});

/** What is told of a record: all but its secret. */
export const toldOf = ({ changedAt, shared, ...owner }: StoredCredential): StoredCredential => ({
  ...ownerPart(owner),
  changedAt,
  ...(shared === undefined ? {} : { shared }),
});

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

function isShared(found: unknown): found is SharedWith {
  if (typeof found !== "object" || found === null) return false;
  const { by, users } = found as Partial<SharedWith>;
  return isTextOrNull(by) && Array.isArray(users) && users.every((one) => typeof one === "string");
}

function isRecord(found: unknown): found is StoredRecord {
  if (typeof found !== "object" || found === null) return false;
  const { version, key, tenant, principal, changedAt, shared, ...rest } = found as Partial<
    StoredCredential & { version: unknown }
  >;
  if (typeof key !== "string" || !isTextOrNull(tenant) || !isTextOrNull(principal)) return false;
  if (typeof changedAt !== "number") return false;
  // Without a list nobody knows who may use it, and nothing else has one.
  if (isSharedKey(key) ? !isShared(shared) || tenant === null : shared !== undefined) return false;
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
export const boundNameOf = ({
  key,
  tenant,
  principal,
  changedAt,
  shared,
}: StoredCredential): string =>
  JSON.stringify([
    key,
    tenant,
    principal,
    changedAt,
    // Whoever can write files, and has no key, puts nobody on a list.
    ...(shared === undefined ? [] : [shared.by, shared.users]),
  ]);

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

/** What a directory has of exactly this owner. Throws StoredSecretError for a file that was put in the place of another. */
export function recordIn(directory: string, owner: CredentialOwner): StoredRecord | null {
  const name = recordFileName(owner);
  const path = join(directory, name);
  const record = readStoredRecord(path);
  if (record !== null && recordFileName(record) !== name) throw damagedRecord(path);
  return record;
}

export function recordNamesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (thrown) {
    if (isMissingFile(thrown)) return [];
    throw thrown;
  }
}

/**
 * Whose values count for a scope, the narrowest first. What a tenant shares counts for those of its users who are on the
 * list alone: {@link mayUse}.
 */
export function ownersOf(
  key: string,
  { tenant, principal }: CredentialScope,
): readonly CredentialOwner[] {
  if (isSharedKey(key)) return principal === undefined ? [] : [{ key, tenant, principal: null }];
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
  readonly owners: readonly StoredCredential[];
  /** a record that does not tell whose it is; null without one */
  readonly damaged: StoredSecretError | null;
}

/** Whose credential a file holds. Throws StoredSecretError for one that is not where its owner's is. */
function holderOf(directory: string, name: string): StoredCredential | null {
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

/** Whether somebody is on the list of what is stored, where it has one (RUN-184). */
export const mayUse = ({ shared }: StoredCredential, { principal }: CredentialScope): boolean =>
  shared === undefined || (principal !== undefined && shared.users.includes(principal));

/** Whether what is stored for one counts for a scope, whatever its key. */
export const isInScope = (stored: StoredCredential, scope: CredentialScope): boolean =>
  mayUse(stored, scope) &&
  ownersOf(stored.key, scope).some(
    ({ tenant, principal }) => tenant === stored.tenant && principal === stored.principal,
  );

/** The labels of a catalog's accounts that some owners have, sorted. */
export function labelsAmong(
  owners: readonly StoredCredential[],
  entryId: string,
  counts: (owner: StoredCredential) => boolean,
): readonly string[] {
  const labels = owners
    .filter(counts)
    .map(({ key }) => accountOfKey(key, entryId))
    .filter((label) => label !== null);
  return [...new Set(labels)].toSorted();
}
