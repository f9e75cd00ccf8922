import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { Catalog, CatalogDiagnostic } from "@plasm/core";

/** What compiling a catalog made: the catalog, and the warnings of its files. */
export interface Compiled {
  readonly catalog: Catalog;
  readonly diagnostics: readonly CatalogDiagnostic[];
  readonly omitted: number;
}

/** The texts a catalog is compiled from, and all else that has an influence on the outcome. */
export interface CompiledFrom {
  readonly entryId: string;
  /** name and text of each file */
  readonly files: readonly (readonly [name: string, text: string])[];
  readonly functions: readonly string[];
}

/** Catalogs that were compiled before, by content. It only ever saves time: it has no errors. */
export interface CompiledCache {
  /** What these texts were compiled to, or null. */
  get(from: CompiledFrom): Promise<Compiled | null>;
  /** Keeps what they were compiled to, if it can. */
  put(from: CompiledFrom, compiled: Compiled): Promise<void>;
}

/** Compiled forms of one entry id that are kept: those of a few directories or versions. */
const KEPT = 4;
const HASH_BYTES = 32;

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

/** The hash of all that has an influence; `engine` stands for the code that compiles. */
function keyOf(engine: string, { entryId, files, functions }: CompiledFrom): string {
  const facts = [engine, process.versions.v8, entryId, functions, files];
  return sha256(JSON.stringify(facts)).toString("hex");
}

/** The compiled form that a file holds; null if one bit of it is not what was written. */
function read(bytes: Buffer, { entryId }: CompiledFrom): Compiled | null {
  const payload = bytes.subarray(HASH_BYTES);
  if (payload.length === 0 || !sha256(payload).equals(bytes.subarray(0, HASH_BYTES))) return null;
  try {
    const { catalog, diagnostics, omitted } = deserialize(payload) as Compiled;
    if (catalog.entryId !== entryId) return null;
    return { catalog: Object.freeze(catalog), diagnostics, omitted };
  } catch {
    return null;
  }
}

/** Removes all but the newest forms of an entry id. */
async function prune(directory: string, entryId: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(`${entryId}@`));
  if (names.length <= KEPT) return;
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      return { path, time: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
    }),
  );
  const old = aged.toSorted((a, b) => b.time - a.time).slice(KEPT);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

/** A cache in a directory of its own; `engine` names the code that compiles, by content. */
export function compiledCache(directory: string, engine: string): CompiledCache {
  const fileOf = (from: CompiledFrom): string =>
    join(directory, `${from.entryId}@${keyOf(engine, from)}`);
  return Object.freeze({
    async get(from: CompiledFrom) {
      const bytes = await readFile(fileOf(from)).catch(() => null);
      return bytes === null ? null : read(bytes, from);
    },
    async put(from: CompiledFrom, compiled: Compiled) {
      const file = fileOf(from);
      const part = `${file}.${randomUUID()}`;
      try {
        const payload = serialize(compiled);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        // Written aside and renamed: a reader sees the whole of it or nothing.
        await writeFile(part, Buffer.concat([sha256(payload), payload]), { mode: 0o600 });
        await rename(part, file);
        await prune(directory, from.entryId);
      } catch {
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
  });
}

/** The modules that compile: this one and core's, which in a bundle are one; none when they are sources. */
function ownCode(): readonly string[] {
  const { url } = import.meta;
  if (url.endsWith(".ts")) return [];
  try {
    return [url, import.meta.resolve("@plasm/core")];
  } catch {
    return [url];
  }
}

/** The package.json of a dependency; undefined where it is not there, as beside a bundle. */
function packageOf(name: string, from: URL): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

/**
 * What the packages say of themselves, name and version among it, that a module's package depends on: their
 * code has an influence, and another version may come without a build of this one.
 */
async function dependenciesOf(module: string): Promise<readonly string[]> {
  const own = findPackageJSON(module);
  // Where there is none, Node gives the module itself.
  if (own === undefined || own === fileURLToPath(module)) return [];
  const text = await readFile(own, "utf8");
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
  const found = Object.keys(dependencies)
    .toSorted()
    .map((name) => packageOf(name, pathToFileURL(own)))
    .filter((path) => path !== undefined);
  const texts = found.map((path) => readFile(path, "utf8"));
  return [text, ...(await Promise.all(texts))];
}

/**
 * The cache in a data directory, good for this very build of the engine and no other. Null when the
 * engine runs from its sources, which change without a build. `code` are addresses of its modules.
 */
export async function openCompiledCache(
  directory: string,
  code: readonly string[] = ownCode(),
): Promise<CompiledCache | null> {
  if (code.length === 0) return null;
  try {
    const parts = await Promise.all(code.map((url) => readFile(fileURLToPath(url))));
    const packages = (await Promise.all(code.map(dependenciesOf))).flat();
    const hashes = [...parts, ...packages].map((part) => sha256(part).toString("hex"));
    return compiledCache(directory, sha256(hashes.join("-")).toString("hex"));
  } catch {
    return null;
  }
}
