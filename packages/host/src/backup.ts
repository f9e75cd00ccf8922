import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { credentialDirectory } from "@plasm/runtime";
import {
  dumpStore,
  loadStore,
  StoreNotEmptyError,
  StoreUnavailableError,
  type StorePlace,
  type TableRows,
} from "@plasm/store";
import { HostStartError, type Environment } from "./environment.ts";
import { databaseUrl } from "./store.ts";
import { VERSION } from "./version.ts";

/** What a backup or a restore has dealt with. */
export interface BackedUp {
  readonly rows: number;
  readonly credentials: number;
  /** what was left out, and why */
  readonly remarks: readonly string[];
}

const FORMAT = 1;
const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;
const CREDENTIAL = /^[0-9a-f]{40}\.json$/;
const ENCRYPTED = /^plasm1\.[0-9a-f]{12}\.[\w-]{16}\.[\w-]{22,}$/;

interface Credential {
  readonly credential: string;
  readonly content: string;
}

/** Whether a file of a credential holds nothing in the clear. */
function isEncrypted(content: string): boolean {
  try {
    const { version, encrypted, value } = JSON.parse(content) as Record<string, unknown>;
    return (
      version === 2 &&
      value === undefined &&
      typeof encrypted === "string" &&
      ENCRYPTED.test(encrypted)
    );
  } catch {
    return false;
  }
}

/** The credentials of a data directory as they are kept; those in the clear are left out, and told. */
async function credentialsOf(
  dataDir: string,
): Promise<{ readonly found: readonly Credential[]; readonly remarks: readonly string[] }> {
  const directory = credentialDirectory(dataDir);
  const names = (await readdir(directory).catch(() => [])).filter((name) => CREDENTIAL.test(name));
  const found: Credential[] = [];
  const remarks: string[] = [];
  for (const credential of names) {
    const content = await readFile(join(directory, credential), "utf8");
    if (isEncrypted(content)) found.push({ credential, content });
    else {
      remarks.push(
        `${join(directory, credential)} is not encrypted and was left out: store it anew with plasm auth set`,
      );
    }
  }
  return { found, remarks };
}

/** The lines of a backup; the last one says what all before it come to. */
async function* linesOf(
  place: StorePlace,
  credentials: readonly Credential[],
  counted: { rows: number },
): AsyncGenerator<string> {
  const sum = createHash("sha256");
  const line = (value: object): string => {
    // Whoever reads by lines may end one at these two, which JSON leaves as they are.
    const json = JSON.stringify(value)
      .replaceAll("\u2028", "\\u2028")
      .replaceAll("\u2029", "\\u2029");
    const text = `${json}\n`;
    sum.update(text);
    return text;
  };
  yield line({ plasm_backup: FORMAT, plasm: VERSION, made_at: new Date().toISOString() });
  for await (const part of dumpStore(place)) {
    counted.rows += part.rows.length;
    yield line(part);
  }
  for (const one of credentials) yield line(one);
  yield `${JSON.stringify({ end: sum.digest("hex") })}\n`;
}

/** Says what went wrong in words for whoever runs the command. */
async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof HostStartError) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const text = thrown instanceof StoreUnavailableError ? why : `${what}: ${why}`;
    throw new HostStartError(text, { cause: thrown });
  }
}

/**
 * Writes a backup of a server's store, while it runs, into a new file that its owner alone can read: every row as of one moment, and
 * the credentials of `plasm auth` as they are kept, encrypted; the key of these is not in it (OPS-54). Throws HostStartError.
 */
export async function backUp(dataDir: string, env: Environment, file: string): Promise<BackedUp> {
  const place = { dataDir, url: databaseUrl(env) };
  return explained(`The backup ${file} could not be made`, async () => {
    const { found, remarks } = await credentialsOf(dataDir);
    const counted = { rows: 0 };
    const partial = `${file}.partial`;
    const made = await open(partial, "wx", OWNER_FILE);
    try {
      const lines = Readable.from(linesOf(place, found, counted));
      await pipeline(lines, createGzip(), made.createWriteStream({ flush: true }));
      // A file of that name is never written over.
      await (await open(file, "wx", OWNER_FILE)).close();
      await rename(partial, file);
    } catch (thrown) {
      await rm(partial, { force: true });
      throw thrown;
    }
    return { rows: counted.rows, credentials: found.length, remarks };
  });
}

const damaged = (why: string): Error =>
  new Error(`it is not a whole backup (${why}); nothing was changed`);

async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unpacked = source.pipe(createGunzip()).setEncoding("utf8");
  source.once("error", (error) => unpacked.destroy(error));
  // What was read of a line that has not ended, in its pieces: a line may be many megabytes.
  let begun: string[] = [];
  try {
    for await (const chunk of unpacked as AsyncIterable<string>) {
      const [first = "", ...more] = chunk.split("\n");
      begun.push(first);
      for (const next of more) {
        yield begun.join("");
        begun = [next];
      }
    }
  } catch (thrown) {
    throw damaged(thrown instanceof Error ? thrown.message : "it cannot be read");
  }
  const last = begun.join("");
  if (last !== "") yield last;
}

/** A line of a backup. Throws where it is none. */
function valueOf(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    throw damaged("a line of it is no JSON");
  }
}

/** Reads all of a backup before anything is changed: what was cut off or altered is not restored. */
async function check(file: string): Promise<void> {
  const sum: Hash = createHash("sha256");
  let isFirst = true;
  let end: string | null = null;
  for await (const line of readLines(file)) {
    if (end !== null) throw damaged("it goes on behind its end");
    const value = valueOf(line) as { readonly plasm_backup?: unknown; readonly end?: unknown };
    if (isFirst && value.plasm_backup !== FORMAT) throw damaged("it does not begin as one");
    isFirst = false;
    if (typeof value.end === "string") ({ end } = value as { readonly end: string });
    else sum.update(`${line}\n`);
  }
  if (end === null) throw damaged("its end is missing");
  if (end !== sum.digest("hex")) throw damaged("its content is not that of its sum");
}

async function* partsOf(file: string, credentials: Credential[]): AsyncGenerator<TableRows> {
  for await (const line of readLines(file)) {
    const value = valueOf(line) as Partial<TableRows & Credential>;
    if (value.credential !== undefined && value.content !== undefined) {
      credentials.push({ credential: value.credential, content: value.content });
    } else if (value.table !== undefined) {
      yield value as TableRows;
    }
  }
}

/** Credentials that are there stay, unless they are replaced. */
async function keepCredentials(
  dataDir: string,
  credentials: readonly Credential[],
  replace: boolean,
): Promise<number> {
  const directory = credentialDirectory(dataDir);
  if (credentials.length > 0) await mkdir(directory, { recursive: true, mode: OWNER_DIRECTORY });
  let kept = 0;
  for (const { credential, content } of credentials) {
    if (!CREDENTIAL.test(credential) || !isEncrypted(content)) continue;
    const flag = replace ? "w" : "wx";
    const written = await writeFile(join(directory, credential), content, {
      flag,
      mode: OWNER_FILE,
    }).then(
      () => true,
      (thrown: NodeJS.ErrnoException) => {
        if (thrown.code === "EEXIST") return false;
        throw thrown;
      },
    );
    if (written) kept += 1;
  }
  return kept;
}

/**
 * Restores a backup into the store of a data directory, or of the database of `PLASM_DATABASE_URL`, whichever it was made of: all of it or
 * nothing. A store with anything in it is refused unless `replace` (OPS-55). No server may run on it. Throws HostStartError.
 */
export async function restore(
  dataDir: string,
  env: Environment,
  file: string,
  { replace }: { readonly replace: boolean },
): Promise<BackedUp> {
  const place = { dataDir, url: databaseUrl(env) };
  return explained(`${file} could not be restored`, async () => {
    await check(file);
    const credentials: Credential[] = [];
    try {
      const written = await loadStore(place, partsOf(file, credentials), { replace });
      const rows = [...written.values()].reduce((sum, count) => sum + count, 0);
      const kept = await keepCredentials(dataDir, credentials, replace);
      const left = credentials.length - kept;
      const remarks = left === 0 ? [] : [`${left} credentials were there already and stay`];
      return { rows, credentials: kept, remarks };
    } catch (thrown) {
      if (!(thrown instanceof StoreNotEmptyError)) throw thrown;
      throw new HostStartError(
        `The store is not empty, and nothing was changed. Restore into another one (--data DIRECTORY, or another database), or give --replace, which removes all that is in it.`,
        { cause: thrown },
      );
    }
  });
}
