import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CredentialScope } from "../../ports.ts";
import {
  type CredentialOwner,
  damagedRecord,
  recordFileName,
  isInScope,
  isMissingFile,
  labelsAmong,
  boundNameOf,
  ownerPart,
  recordIn,
  toldOf,
  mayUse,
  recordNamesIn,
  ownersIn,
  ownersOf,
  readStoredRecord,
  type SharedWith,
  type StoredCredential,
  type StoredRecord,
} from "./credential-records.ts";
import { isSharedKey } from "./credential-help.ts";
import { type ChangeOfUsers, ShareError, shareIn } from "./share-account.ts";
import { withIdentity } from "./envelope.ts";
import { withFileLock } from "./file-lock.ts";
import {
  decryptSecret,
  encryptSecret,
  keyIdOf,
  openSecretKeys,
  type SecretKey,
  type SecretKeys,
  StoredSecretError,
} from "./secret-keys.ts";

/** What was done to a credential, for the audit. */
export type CredentialChange = "set" | "removed" | "refreshed" | "encrypted" | "shared";

/** What a rotation of the key did. */
export interface KeyRotation {
  /** id of the key that everything is encrypted with now */
  readonly keyId: string;
  /** whether that key was made for it; where a variable or a command gives keys, a person makes them */
  readonly made: boolean;
  /** how many credentials were encrypted with another key before, or not at all */
  readonly count: number;
  /** where keys are */
  readonly place: string;
}

/**
 * Credentials in files of their own, which only their owner can read, encrypted with a key that is kept elsewhere
 * (RUN-125). What reads or keeps a secret throws StoredSecretError where the key is missing or a file was changed.
 */
export interface CredentialFiles {
  /** The value for a scope: the tenant's, else the deployment's; with a principal, that one's alone. */
  find(key: string, scope: CredentialScope): string | undefined;
  /** Whose the value is that {@link CredentialFiles.find} gives; null without one. */
  holder(key: string, scope: CredentialScope): CredentialOwner | null;
  list(): readonly StoredCredential[];
  /** What counts for a scope, without secrets, whatever its key. Needs no key. */
  usable(scope: CredentialScope): readonly StoredCredential[];
  /** The labels of the accounts of a catalog that {@link CredentialFiles.find} gives a scope, sorted (RUN-129). Needs no key. */
  accounts(entryId: string, scope: CredentialScope): readonly string[];
  /**
   * Those among which calls without a name choose: the tenant's, and only without any the deployment's. Throws
   * StoredSecretError where there is one, and a damaged record may be another.
   */
  candidates(entryId: string, scope: CredentialScope): readonly string[];
  /** The value of exactly this owner. */
  read(owner: CredentialOwner): string | undefined;
  /**
   * Shares an account of a tenant, or of a user of it, with users, or changes whom it is shared with (RUN-184): it becomes the tenant's,
   * under {@link sharedLabel}. `change` gives those who may use it from then on; with nobody it is kept, and used by nobody.
   * Returns null where there is none. Throws ShareError where another is shared under that label.
   */
  share(
    owner: CredentialOwner,
    by: string,
    change: (users: readonly string[]) => readonly string[],
  ): Promise<StoredCredential | null>;
  /** Stores a value in place of what was there. Rejects as the file system does. */
  set(owner: CredentialOwner, value: string, how: CredentialChange, by: string): Promise<void>;
  /**
   * Stores a refreshed value in place of `before`, with whoever that is of; not if it is no longer what
   * {@link CredentialFiles.find} gives.
   */
  refresh(key: string, scope: CredentialScope, before: string, value: string): Promise<void>;
  /** Does work while no other process does any for the same value; null if they take too long. */
  exclusively<T>(key: string, scope: CredentialScope, work: () => Promise<T>): Promise<T | null>;
  /**
   * Ends the value of exactly this owner, and removes it, while no process refreshes it. Returns what `end` says of it, null if there
   * is none. What was put in its place meanwhile is ended as well.
   */
  revoke<T>(
    owner: CredentialOwner,
    by: string,
    end: (value: string) => Promise<T>,
  ): Promise<T | null>;
  /** False if there is none. Needs no key. */
  remove(owner: CredentialOwner, by: string): Promise<boolean>;
  /** Encrypts everything with a new key (RUN-126). Changes nothing where one of them cannot be read. */
  rotateKey(by: string): Promise<KeyRotation>;
  /** Throws StoredSecretError where nothing could be kept now. Makes the first key. */
  prepare(): void;
  /** Why a stored credential cannot be read, the first one found; null if all can. */
  fault(): StoredSecretError | null;
}

const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;
const AUDIT = "audit.jsonl";
const LOCKS = "locks";

/** A refresh takes 30 s at most (RUN-123). */
const REFRESH_PATIENCE_MS = 35_000;
/** A change takes no longer than its file to be written. */
const CHANGE_PATIENCE_MS = 10_000;
/** What a spent refresh token gave is lost if it is not kept: it waits longer than anything else takes. */
const KEEP_PATIENCE_MS = 60_000;
/** A rotation lets others have their turns after so long, for so long: they look every 25 ms. */
const SLICE_MS = 500;
const PAUSE_MS = 100;

/** Writes through a temporary name beside it: a reader sees the old file or the new one. */
async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const file = await open(temporary, "wx", OWNER_FILE);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

/** Where credentials stand in a data directory. */
export const credentialDirectory = (dataDir: string): string => join(dataDir, "credentials");

/** The secrets of a directory's records, encrypted and decrypted with the keys of the deployment. */
function secretsIn(directory: string, env: Environment, dataDir: string) {
  let opened: SecretKeys | null = null;
  const keys = (): SecretKeys => (opened ??= openSecretKeys(env, dataDir));
  return {
    keys,
    /** The ids of keys that records are encrypted with. */
    used: (): readonly string[] =>
      recordNamesIn(directory).flatMap((name) => {
        try {
          const record = readStoredRecord(join(directory, name));
          const id = record?.version === 2 ? keyIdOf(record.encrypted) : null;
          return id === null ? [] : [id];
        } catch {
          // Whoever needs it reports that it is damaged.
          return [];
        }
      }),
    read(record: StoredRecord, path: string): string {
      if (record.version === 1) return record.value;
      const id = keyIdOf(record.encrypted);
      if (id === null) throw damagedRecord(path);
      const secret = decryptSecret(keys().find(id), record.encrypted, boundNameOf(record));
      if (secret === null) throw damagedRecord(path);
      return secret;
    },
    record(of: StoredCredential, value: string, key: SecretKey): StoredRecord {
      return { version: 2, ...of, encrypted: encryptSecret(key, value, boundNameOf(of)) };
    },
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Writes down who changed what, without any value. */
function auditIn(directory: string, now: () => number) {
  return async (
    { key, tenant, principal }: CredentialOwner,
    change: CredentialChange,
    by: string,
    shared?: SharedWith,
  ): Promise<void> => {
    const at = new Date(now()).toISOString();
    const users = change === "shared" ? { users: shared?.users } : {};
    const line = JSON.stringify({ at, change, key, tenant, principal, by, ...users });
    await appendFile(join(directory, AUDIT), `${line}\n`, { mode: OWNER_FILE });
  };
}

/** The files of a directory, and the audit of who changed which. */
function filesIn(directory: string, now: () => number, env: Environment, dataDir: string) {
  const pathOf = (owner: CredentialOwner): string => join(directory, recordFileName(owner));
  const secrets = secretsIn(directory, env, dataDir);
  const audit = auditIn(directory, now);
  const put = async (of: StoredCredential, value: string, key: SecretKey): Promise<void> =>
    writePrivate(pathOf(of), `${JSON.stringify(secrets.record(of, value, key))}\n`);
  /** What is stored of exactly this owner. */
  const recordOf = (owner: CredentialOwner): StoredRecord | null => recordIn(directory, owner);
  const read = (owner: CredentialOwner): string | undefined => {
    const record = recordOf(owner);
    return record === null ? undefined : secrets.read(record, pathOf(owner));
  };
  /** Throws where a record cannot be read. */
  const readAll = (): void => {
    for (const name of recordNamesIn(directory)) {
      const path = join(directory, name);
      const record = readStoredRecord(path);
      if (record !== null) secrets.read(record, path);
    }
  };
  /** The key that a secret would be kept with now. */
  const keyToKeep = (): SecretKey => secrets.keys().current(secrets.used());
  return {
    has: (owner: CredentialOwner): boolean => existsSync(pathOf(owner)),
    keyToKeep,
    all: () =>
      recordNamesIn(directory)
        .map((name) => readStoredRecord(join(directory, name)))
        .filter((record) => record !== null),
    /** What counts for a scope. */
    first: (key: string, scope: CredentialScope) => {
      // Most deployments store none.
      if (!existsSync(directory)) return undefined;
      for (const owner of ownersOf(key, scope)) {
        const record = recordOf(owner);
        if (record !== null && mayUse(record, scope))
          return { owner, value: secrets.read(record, pathOf(owner)) };
      }
      return undefined;
    },
    read,
    /** Without the secret. */
    storedOf: (owner: CredentialOwner): StoredCredential | null => {
      const record = recordOf(owner);
      return record === null ? null : toldOf(record);
    },
    async write(
      owner: CredentialOwner,
      value: string,
      how: CredentialChange,
      by: string,
      shared = recordOf(owner)?.shared,
    ): Promise<void> {
      if (shared === undefined && isSharedKey(owner.key))
        throw new ShareError("Nothing is shared there: store an account, then share it.");
      // Another token changes nothing about who may use it.
      const sharing = shared === undefined ? {} : { shared };
      await put({ ...ownerPart(owner), changedAt: now(), ...sharing }, value, keyToKeep());
      await audit(owner, how, by, shared);
    },
    async remove(owner: CredentialOwner, by: string): Promise<boolean> {
      try {
        await rm(pathOf(owner));
      } catch (thrown) {
        if (isMissingFile(thrown)) return false;
        throw thrown;
      }
      await audit(owner, "removed", by);
      return true;
    },
    fault(): StoredSecretError | null {
      try {
        // Whether keys may be where the settings say, even before there is anything to keep.
        secrets.keys();
        readAll();
        return null;
      } catch (thrown) {
        if (thrown instanceof StoredSecretError) return thrown;
        throw thrown;
      }
    },
    readAll,
    renewKey: () => ({ ...secrets.keys().renew(), place: secrets.keys().place }),
    names: () => recordNamesIn(directory),
    /** Encrypts a record with a key; false where it is there already, or is gone. */
    async encrypt(name: string, key: SecretKey, by: string): Promise<boolean> {
      const path = join(directory, name);
      const record = readStoredRecord(path);
      if (record === null) return false;
      if (record.version === 2 && keyIdOf(record.encrypted) === key.id) return false;
      await put(toldOf(record), secrets.read(record, path), key);
      await audit(record, "encrypted", by);
      return true;
    },
  };
}

/** Encrypts all with a new key, letting whoever waits have a turn between records. */
async function rotate(
  files: ReturnType<typeof filesIn>,
  { changing }: Pick<ReturnType<typeof turnsIn>, "changing">,
  by: string,
): Promise<KeyRotation> {
  // All of them are read before any is written.
  files.readAll();
  const { key, made, place } = await changing(files.renewKey);
  // Whoever writes from here on takes the new key.
  const left = [...files.names()];
  let count = 0;
  const some = async (): Promise<void> => {
    const latest = performance.now() + SLICE_MS;
    while (performance.now() < latest) {
      const name = left.pop();
      if (name === undefined) return;
      if (await files.encrypt(name, key, by)) count += 1;
    }
  };
  while (left.length > 0) {
    await changing(some);
    if (left.length > 0) await wait(PAUSE_MS);
  }
  return { keyId: key.id, made, count, place };
}

/** The turns that processes on a directory take. */
function turnsIn(directory: string) {
  const lockOf = (name: string): string => join(directory, LOCKS, `${name}.lock`);
  const alone = async <T>(
    name: string,
    patienceMs: number,
    work: () => Promise<T> | T,
  ): Promise<T> => {
    await mkdir(directory, { recursive: true, mode: OWNER_DIRECTORY });
    const done = await withFileLock(lockOf(name), patienceMs, async () => ({
      value: await work(),
    }));
    if (done !== null) return done.value;
    throw new Error(`${directory} is being changed by another process`);
  };
  return {
    /** One change at a time: a refresh must not undo what an operator sets meanwhile. */
    changing: <T>(change: () => Promise<T> | T, patienceMs = CHANGE_PATIENCE_MS): Promise<T> =>
      alone("changes", patienceMs, change),
    /** One rotation at a time: two would leave records of either's key. */
    rotating: <T>(work: () => Promise<T>): Promise<T> => alone("rotation", KEEP_PATIENCE_MS, work),
    refreshing: <T>(owner: CredentialOwner, work: () => Promise<T>): Promise<T | null> =>
      withFileLock(lockOf(recordFileName(owner)), REFRESH_PATIENCE_MS, work),
  };
}

/** See {@link CredentialFiles.revoke}. */
async function revoke<T>(
  files: ReturnType<typeof filesIn>,
  { changing, refreshing }: ReturnType<typeof turnsIn>,
  owner: CredentialOwner,
  by: string,
  end: (value: string) => Promise<T>,
): Promise<T | null> {
  if (!files.has(owner)) return null;
  const done = await refreshing(owner, async () => {
    let ended: T | null = null;
    for (let value = files.read(owner); value !== undefined; value = files.read(owner)) {
      const standing = value;
      ended = await end(standing);
      // A sign-in takes no turn with refreshes: what it stored meanwhile is not what was ended.
      const removed = await changing(
        async () => files.read(owner) === standing && files.remove(owner, by),
      );
      if (removed) break;
    }
    return { ended };
  });
  if (done === null) throw new Error("another process is refreshing it, and has not ended in time");
  return done.ended;
}

/**
 * The credentials of a data directory: one file each, mode 0600, encrypted with a key that `env` says where to find
 * (RUN-125), and an audit of who changed which and when, without any value. Every look-up reads the file, so that
 * changes count at once, whichever process made them.
 */
export function openCredentialFiles(
  dataDir: string,
  now: () => number,
  env: Environment,
): CredentialFiles {
  const directory = credentialDirectory(dataDir);
  const files = filesIn(directory, now, env, dataDir);
  const turns = turnsIn(directory);
  const { changing, rotating, refreshing } = turns;
  const owners = ownersIn(directory);
  return Object.freeze({
    find: (key: string, scope: CredentialScope) => files.first(key, scope)?.value,
    holder: (key: string, scope: CredentialScope) => files.first(key, scope)?.owner ?? null,
    list: () =>
      files
        .all()
        .map(toldOf)
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    usable: (scope: CredentialScope) =>
      owners()
        .owners.filter((owner) => isInScope(owner, scope))
        .map(toldOf),
    accounts: (entryId: string, scope: CredentialScope) =>
      labelsAmong(owners().owners, entryId, (owner) => isInScope(owner, scope)),
    candidates: (entryId: string, scope: CredentialScope) => {
      const { owners: known, damaged: other } = owners();
      const usable = known.filter((owner) => isInScope(owner, scope));
      const own = ownersOf("", scope).map(({ tenant, principal }) =>
        labelsAmong(
          usable,
          entryId,
          (owner) => owner.tenant === tenant && owner.principal === principal,
        ),
      );
      // What is somebody's own comes before what is shared with them.
      const shared = labelsAmong(usable, entryId, (owner) => owner.shared !== undefined);
      const labels = [...own, shared].find((found) => found.length > 0) ?? [];
      // That it is the only one is not known, and then it is nobody's to be taken unasked.
      if (labels.length === 1 && other !== null) throw other;
      return labels;
    },
    read: files.read,
    share: (owner: CredentialOwner, by: string, change: ChangeOfUsers) =>
      shareIn({ ...files, owners: () => owners().owners }, turns, { owner, by, change }),
    set: async (owner: CredentialOwner, value: string, how: CredentialChange, by: string) => {
      // A command that prints the key may take long, and nobody else waits for it.
      files.keyToKeep();
      const kept = how === "set" ? withIdentity(value) : value;
      return changing(() => files.write(owner, kept, how, by));
    },
    refresh: (key: string, scope: CredentialScope, before: string, value: string) =>
      changing(async () => {
        const standing = files.first(key, scope);
        if (standing?.value.trim() !== before) return;
        await files.write(standing.owner, value, "refreshed", "plasm");
      }, KEEP_PATIENCE_MS),
    exclusively: async <T>(key: string, scope: CredentialScope, work: () => Promise<T>) => {
      const owner = files.first(key, scope)?.owner ?? { key, tenant: null, principal: null };
      return refreshing(owner, () => {
        // A refresh token that works once is not spent where what comes for it could not be kept.
        files.keyToKeep();
        return work();
      });
    },
    revoke: <T>(owner: CredentialOwner, by: string, end: (value: string) => Promise<T>) =>
      revoke(files, turns, owner, by, end),
    remove: async (owner: CredentialOwner, by: string) =>
      files.has(owner) && changing(() => files.remove(owner, by)),
    prepare: () => void files.keyToKeep(),
    fault: files.fault,
    rotateKey: (by: string) => rotating(() => rotate(files, { changing }, by)),
  });
}
