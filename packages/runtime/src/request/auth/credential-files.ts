import { hash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { appendFile, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CredentialScope } from "../../ports.ts";
import { withFileLock } from "./file-lock.ts";

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

/** What was done to a credential, for the audit. */
export type CredentialChange = "set" | "removed" | "refreshed";

/** Credentials in files of their own, which only their owner can read. */
export interface CredentialFiles {
  /** The value for a scope: the tenant's, else the deployment's; with a principal, that one's alone. */
  find(key: string, scope: CredentialScope): string | undefined;
  list(): readonly StoredCredential[];
  /** Stores a value in place of what was there. Rejects as the file system does. */
  set(owner: CredentialOwner, value: string, how: CredentialChange, by: string): Promise<void>;
  /**
   * Stores a refreshed value in place of `before`, with whoever that is of; not if it is no longer what
   * {@link CredentialFiles.find} gives.
   */
  refresh(key: string, scope: CredentialScope, before: string, value: string): Promise<void>;
  /** Does work while no other process does any for the same value; null if they take too long. */
  exclusively<T>(key: string, scope: CredentialScope, work: () => Promise<T>): Promise<T | null>;
  /** False if there is none. */
  remove(owner: CredentialOwner, by: string): Promise<boolean>;
}

interface Record extends StoredCredential {
  readonly version: 1;
  readonly value: string;
}

const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;
const AUDIT = "audit.jsonl";
const LOCKS = "locks";

/** A refresh takes 30 s at most (RUN-123). */
const REFRESH_PATIENCE_MS = 35_000;
/** A change takes no longer than its file to be written. */
const CHANGE_PATIENCE_MS = 10_000;

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;
const isMissing = (thrown: unknown): boolean => isErrno(thrown) && thrown.code === "ENOENT";

/** A name of which no part is the caller's. */
function fileName({ key, tenant, principal }: CredentialOwner): string {
  const name = JSON.stringify([key, tenant, principal]);
  return `${hash("sha256", name).slice(0, 40)}.json`;
}

function isRecord(value: unknown): value is Record {
  if (typeof value !== "object" || value === null) return false;
  return "version" in value && value.version === 1 && "value" in value && "key" in value;
}

function readRecord(path: string): Record | null {
  // Most places have none, and each call looks: an error to be made and dropped costs more than the look.
  if (!existsSync(path)) return null;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
  try {
    const record: unknown = JSON.parse(text);
    if (isRecord(record)) return record;
  } catch {
    // Said below, without what is in the file.
  }
  throw new Error(`${path} is damaged; plasm auth set stores the credential again`);
}

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

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

/** Whose values count for a scope, the narrowest first. */
function ownersOf(key: string, { tenant, principal }: CredentialScope): readonly CredentialOwner[] {
  if (principal !== undefined) return [{ key, tenant, principal }];
  return [
    { key, tenant, principal: null },
    { key, tenant: null, principal: null },
  ];
}

/** Where credentials stand in a data directory. */
export const credentialDirectory = (dataDir: string): string => join(dataDir, "credentials");

/** The files of a directory, and the audit of who changed which. */
function filesIn(directory: string, now: () => number) {
  const pathOf = (owner: CredentialOwner): string => join(directory, fileName(owner));
  const audit = async (
    { key, tenant, principal }: CredentialOwner,
    change: CredentialChange,
    by: string,
  ): Promise<void> => {
    const at = new Date(now()).toISOString();
    const line = JSON.stringify({ at, change, key, tenant, principal, by });
    await appendFile(join(directory, AUDIT), `${line}\n`, { mode: OWNER_FILE });
  };
  return {
    has: (owner: CredentialOwner): boolean => existsSync(pathOf(owner)),
    all: () =>
      namesIn(directory)
        .map((name) => readRecord(join(directory, name)))
        .filter((record) => record !== null),
    /** What counts for a scope. */
    first: (key: string, scope: CredentialScope) => {
      // Most deployments store none.
      if (!existsSync(directory)) return undefined;
      for (const owner of ownersOf(key, scope)) {
        const record = readRecord(pathOf(owner));
        if (record !== null) return { owner, value: record.value };
      }
      return undefined;
    },
    async write(
      owner: CredentialOwner,
      value: string,
      how: CredentialChange,
      by: string,
    ): Promise<void> {
      const { key, tenant, principal } = owner;
      const record: Record = { version: 1, key, tenant, principal, changedAt: now(), value };
      await writePrivate(pathOf(owner), `${JSON.stringify(record)}\n`);
      await audit(owner, how, by);
    },
    async remove(owner: CredentialOwner, by: string): Promise<boolean> {
      try {
        await rm(pathOf(owner));
      } catch (thrown) {
        if (isMissing(thrown)) return false;
        throw thrown;
      }
      await audit(owner, "removed", by);
      return true;
    },
  };
}

/** The turns that processes on a directory take. */
function turnsIn(directory: string) {
  const lockOf = (name: string): string => join(directory, LOCKS, `${name}.lock`);
  return {
    /** One change at a time: a refresh must not undo what an operator sets meanwhile. */
    async changing<T>(change: () => Promise<T>): Promise<T> {
      await mkdir(directory, { recursive: true, mode: OWNER_DIRECTORY });
      const done = await withFileLock(lockOf("changes"), CHANGE_PATIENCE_MS, async () => ({
        value: await change(),
      }));
      if (done !== null) return done.value;
      throw new Error(`${directory} is being changed by another process`);
    },
    refreshing: <T>(owner: CredentialOwner, work: () => Promise<T>): Promise<T | null> =>
      withFileLock(lockOf(fileName(owner)), REFRESH_PATIENCE_MS, work),
  };
}

/**
 * The credentials of a data directory: one file each, mode 0600, and an audit of who changed which and
 * when, without any value. Every look-up reads the file, so that changes count at once, whichever process
 * made them.
 */
export function openCredentialFiles(dataDir: string, now: () => number): CredentialFiles {
  const directory = credentialDirectory(dataDir);
  const files = filesIn(directory, now);
  const { changing, refreshing } = turnsIn(directory);
  return Object.freeze({
    find: (key: string, scope: CredentialScope) => files.first(key, scope)?.value,
    list: () =>
      files
        .all()
        .map(({ key, tenant, principal, changedAt }) => ({ key, tenant, principal, changedAt }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    set: (owner: CredentialOwner, value: string, how: CredentialChange, by: string) =>
      changing(() => files.write(owner, value, how, by)),
    refresh: (key: string, scope: CredentialScope, before: string, value: string) =>
      changing(async () => {
        const standing = files.first(key, scope);
        if (standing?.value.trim() !== before) return;
        await files.write(standing.owner, value, "refreshed", "plasm");
      }),
    exclusively: async <T>(key: string, scope: CredentialScope, work: () => Promise<T>) => {
      const owner = files.first(key, scope)?.owner ?? { key, tenant: null, principal: null };
      return refreshing(owner, work);
    },
    remove: async (owner: CredentialOwner, by: string) =>
      files.has(owner) && changing(() => files.remove(owner, by)),
  });
}
