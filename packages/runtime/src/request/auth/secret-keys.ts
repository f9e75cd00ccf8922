import { spawnSync } from "node:child_process";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

interface StoredSecretFault {
  readonly brief: string;
  readonly what: string;
  readonly fix: string;
  readonly cause?: unknown;
}

/** Why a stored secret cannot be read or kept, and what to do about it. Never says what is in it. */
export class StoredSecretError extends Error {
  override readonly name = "StoredSecretError";
  /** why, for callers, who are told of no file and no setting of the server */
  readonly brief: string;

  constructor({ brief, what, fix, cause }: StoredSecretFault) {
    super(`${what}; ${fix}`, { cause });
    this.brief = brief;
  }
}

/** A key that stored secrets are encrypted with. */
export interface SecretKey {
  /** tells keys apart; says nothing of the key */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys of stored secrets: the first one encrypts, the others only decrypt. */
export interface SecretKeys {
  /**
   * The key to encrypt with; makes the first one where the file of keys is missing and `used` names no key. Throws
   * StoredSecretError.
   */
  current(used: readonly string[]): SecretKey;
  /** The key with an id. Throws StoredSecretError where there is none, or keys cannot be read. */
  find(id: string): SecretKey;
  /**
   * Puts a new key before the others where keys are in a file. Where a variable or a command gives them, a person puts
   * it there, and this only returns the first one. Throws StoredSecretError.
   */
  renew(): { readonly key: SecretKey; readonly made: boolean };
  /** where keys come from, for people */
  readonly place: string;
}

const KEY_BYTES = 32;
const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;
const COMMAND_MS = 30_000;
const MAKE_ONE = "make one with openssl rand -base64 32";

/** What callers are told of keys that are not as they must be. */
const NO_KEY = "the server's key for stored secrets cannot be used";
const unusableKey = (what: string, fix: string, cause?: unknown): StoredSecretError =>
  new StoredSecretError({ brief: NO_KEY, what, fix, cause });

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;
const codeOf = (thrown: unknown): string => (isErrno(thrown) && thrown.code) || "unknown";

function keyOf(bytes: Uint8Array): SecretKey {
  const id = createHash("sha256").update("plasm secrets key\0").update(bytes).digest("hex");
  return Object.freeze({ id: id.slice(0, 12), bytes });
}

/** The keys in a text: base64 or hex of 32 bytes each, apart by blanks, commas or lines. */
function keysIn(text: string, place: string): readonly SecretKey[] {
  const words = text
    .split("\n")
    .map((line) => line.replace(/#.*/, ""))
    .join(" ")
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  const keys = words.map((word) => {
    const bytes = /^[0-9a-fA-F]{64}$/.test(word)
      ? Buffer.from(word, "hex")
      : /^[A-Za-z0-9+/_-]{43}=?$/.test(word)
        ? Buffer.from(word, "base64")
        : Buffer.alloc(0);
    if (bytes.length === KEY_BYTES) return keyOf(bytes);
    throw unusableKey(
      `${place} must hold keys of ${KEY_BYTES} bytes, as base64 or hex; it has something else`,
      MAKE_ONE,
    );
  });
  if (keys.length > 0) return keys;
  throw unusableKey(`${place} holds no key`, MAKE_ONE);
}

/** What a command answers, such as the client of a key service. */
function answerOf(command: string): string {
  const { status, stdout, error } = spawnSync(command, {
    shell: true,
    encoding: "utf8",
    timeout: COMMAND_MS,
    stdio: ["ignore", "pipe", "inherit"],
    windowsHide: true,
  });
  if (status === 0) return stdout;
  const why = error === undefined ? `it ended with ${status ?? "a signal"}` : codeOf(error);
  throw unusableKey(
    `PLASM_SECRETS_KEY_COMMAND gave no key (${why})`,
    "run the command in a shell of the same user to see what it needs",
  );
}

/** How long it is remembered that no key was given. */
const AGAIN_MS = 30_000;

/** Keys that a person keeps elsewhere and hands over as text. */
function givenKeys(place: string, read: () => string): SecretKeys {
  let known: readonly SecretKey[] | null = null;
  let failed: { readonly thrown: unknown; readonly at: number } | null = null;
  const all = (): readonly SecretKey[] => {
    if (known !== null) return known;
    // A command that fails may take long, and each call would ask again.
    if (failed !== null && Date.now() - failed.at < AGAIN_MS) throw failed.thrown;
    try {
      known = keysIn(read(), place);
      return known;
    } catch (thrown) {
      failed = { thrown, at: Date.now() };
      throw thrown;
    }
  };
  const first = (): SecretKey => all()[0] as SecretKey;
  return Object.freeze({
    place,
    current: first,
    find: (id: string) => all().find((key) => key.id === id) ?? missing(id, place),
    renew: () => ({ key: first(), made: false }),
  });
}

function missing(id: string, place: string): never {
  throw new StoredSecretError({
    brief: "the key that it is encrypted with is missing",
    what: `A stored secret is encrypted with key ${id}, which is not in ${place}`,
    fix: "put that key back there, behind the first one if there is another; if it is lost, plasm auth remove forgets the secret, and plasm auth set stores it anew",
  });
}

/** The text of a file of keys, or null without one. Throws for one that others can read. */
function readKeyFile(path: string): string | null {
  let text: string;
  let mode: number;
  try {
    mode = statSync(path).mode;
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const fix = "let the user who runs this read it, or name another with PLASM_SECRETS_KEY_FILE";
    throw unusableKey(`The key file ${path} cannot be read (${code})`, fix, thrown);
  }
  // A group may read it, as where a secret is mounted into a container; nobody else may.
  if (process.platform !== "win32" && (mode & 0o037) !== 0) {
    throw unusableKey(`Others can read the key file ${path}`, `chmod 600 ${path}`);
  }
  return text;
}

/** Has the name of a new file survive a loss of power: what is encrypted with its key is written next. */
function syncDirectory(path: string): void {
  // Windows opens no directories.
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** A file that takes the place of another is for the same readers: a server may read it by its group. */
function keepOwner(path: string, temporary: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  if (before === undefined || process.platform === "win32") return;
  chownSync(temporary, before.uid, before.gid);
  chmodSync(temporary, before.mode & 0o777);
}

/** How long a lock that its process left behind holds up others. */
const LOCK_MS = 60_000;

/** Changes a file of keys while no other process does: each would take away the key that the other has put in front. */
function changingAlone<T>(path: string, work: () => T): T {
  const lock = `${path}.lock`;
  const left = statSync(lock, { throwIfNoEntry: false });
  if (left !== undefined && Date.now() - left.mtimeMs > LOCK_MS) rmSync(lock, { force: true });
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_DIRECTORY });
    closeSync(openSync(lock, "wx", OWNER_FILE));
  } catch (thrown) {
    const why = codeOf(thrown) === "EEXIST" ? "another process changes it" : codeOf(thrown);
    throw unusableKey(`The key file ${path} cannot be changed (${why})`, "try again", thrown);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Writes a file of keys whole; `anew` leaves one that another process has made meanwhile. */
function writeKeyFile(path: string, text: string, anew: boolean): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_DIRECTORY });
    writeFileSync(temporary, text, { mode: OWNER_FILE, flag: "wx", flush: true });
    if (!anew) keepOwner(path, temporary);
    if (anew) {
      try {
        linkSync(temporary, path);
      } catch (thrown) {
        if (codeOf(thrown) !== "EEXIST") throw thrown;
      }
      rmSync(temporary, { force: true });
    } else renameSync(temporary, path);
    syncDirectory(dirname(path));
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw unusableKey(
      `The key file ${path} cannot be written (${codeOf(thrown)})`,
      "name a place that can be written with PLASM_SECRETS_KEY_FILE, or give a key as PLASM_SECRETS_KEY",
      thrown,
    );
  }
}

const newKeyText = (): string => randomBytes(KEY_BYTES).toString("base64");

function fileKeys(path: string): SecretKeys {
  const place = path;
  let known: readonly SecretKey[] = [];
  /** Reads it again: another process may have put a key in front. */
  const read = (): readonly SecretKey[] | null => {
    const text = readKeyFile(path);
    if (text === null) return null;
    known = keysIn(text, place);
    return known;
  };
  const madeKey = (keys: readonly SecretKey[] | null): SecretKey => {
    const [key] = keys ?? [];
    if (key !== undefined) return key;
    throw unusableKey(`The key file ${path} is gone just after it was written`, "try again");
  };
  return Object.freeze({
    place,
    current(used: readonly string[]) {
      const keys = read();
      if (keys !== null) return keys[0] as SecretKey;
      const [id] = used;
      if (id !== undefined) missing(id, place);
      writeKeyFile(path, `${newKeyText()}\n`, true);
      return madeKey(read());
    },
    find: (id: string) =>
      known.find((key) => key.id === id) ??
      read()?.find((key) => key.id === id) ??
      missing(id, place),
    renew: () =>
      changingAlone(path, () => {
        const before = readKeyFile(path);
        if (before !== null) keysIn(before, place);
        writeKeyFile(path, `${newKeyText()}\n${before ?? ""}`, before === null);
        return { key: madeKey(read()), made: true };
      }),
  });
}

/** Where keys are unless told otherwise: in the user's configuration, which no copy of the data has. */
function defaultKeyFile(env: Environment): string {
  const config = env["XDG_CONFIG_HOME"] || process.env["XDG_CONFIG_HOME"];
  return join(config || join(homedir(), ".config"), "plasm", "secrets.key");
}

/** The file that stored secrets are encrypted with, unless their key is given otherwise. */
export const secretKeyFile = (env: Environment): string =>
  resolve(env["PLASM_SECRETS_KEY_FILE"]?.trim() || defaultKeyFile(env));

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), path.slice(parent.length));
  }
}

/**
 * The keys of a deployment (RUN-125): of `PLASM_SECRETS_KEY`, else of what `PLASM_SECRETS_KEY_COMMAND` prints, else of
 * the file that `PLASM_SECRETS_KEY_FILE` names, else of a file in the user's configuration directory. Nothing is read
 * before a key is needed. Throws StoredSecretError for a file inside of the data directory: a copy of the data would
 * hold the key.
 */
export function openSecretKeys(env: Environment, dataDir: string): SecretKeys {
  const setting = (name: string): string => env[name]?.trim() ?? "";
  const key = setting("PLASM_SECRETS_KEY");
  if (key !== "") return givenKeys("PLASM_SECRETS_KEY", () => key);
  const command = setting("PLASM_SECRETS_KEY_COMMAND");
  if (command !== "") return givenKeys("PLASM_SECRETS_KEY_COMMAND", () => answerOf(command));
  const path = secretKeyFile(env);
  if (real(path).startsWith(real(resolve(dataDir)) + sep)) {
    throw unusableKey(
      `The key file ${path} is inside of the data directory: who gets a copy of that would have the key, too`,
      "name a file elsewhere with PLASM_SECRETS_KEY_FILE",
    );
  }
  // A link stays one: what it leads to is written.
  return fileKeys(real(path));
}

const FORMAT = "plasm1";
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const boundTo = (keyId: string, name: string): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, keyId, name]), "utf8");

/** Encrypts a secret as `plasm1.KEY_ID.NONCE.TEXT`, bound to the name of what it is (RUN-125). */
export function encryptSecret({ id, bytes }: SecretKey, secret: string, name: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(id, name));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [FORMAT, id, nonce.toString("base64url"), text.toString("base64url")].join(".");
}

const ENCRYPTED = /^plasm1\.([0-9a-f]{12})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;

/** The id of the key that a secret is encrypted with; null for what is nothing of the kind. */
export const keyIdOf = (encrypted: string): string | null => ENCRYPTED.exec(encrypted)?.[1] ?? null;

/**
 * Decrypts what {@link encryptSecret} made for the same name; null where anything of it was changed, or the key is
 * another one.
 */
export function decryptSecret(
  { id, bytes }: SecretKey,
  encrypted: string,
  name: string,
): string | null {
  const [, keyId = "", nonceText = "", text = ""] = ENCRYPTED.exec(encrypted) ?? [];
  const data = Buffer.from(text, "base64url");
  // The last letter of base64 may have bits that stand for nothing: they count as changed, too.
  if (keyId !== id || data.toString("base64url") !== text || data.length < TAG_BYTES) return null;
  const nonce = Buffer.from(nonceText, "base64url");
  const decipher = createDecipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(id, name));
  decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
  try {
    const secret = decipher.update(data.subarray(0, data.length - TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
