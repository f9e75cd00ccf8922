import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { Catalog, CatalogDiagnostic } from "@plasm/core";

/** What compiling a catalog made: the catalog, and the warnings of its files. */
export interface CompiledCatalog {
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
  get(from: CompiledFrom): Promise<CompiledCatalog | null>;
  /** Keeps what they were compiled to, if it can. */
  put(from: CompiledFrom, compiled: CompiledCatalog): Promise<void>;
}

/** Compiled forms of one entry id that are kept: those of a few directories or versions. */
const KEPT = 4;
const HASH_BYTES = 32;
const LENGTH_BYTES = 4;

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

/**
 * The hash of all that has an influence; `engine` stands for the code that compiles. Not V8's version: what it
 * writes says in which form, and another V8 reads that or refuses it.
 */
function keyOf(engine: string, { entryId, files, functions }: CompiledFrom): string {
  const facts = [engine, entryId, functions, files];
  return sha256(JSON.stringify(facts)).toString("hex");
}

/** Of a catalog's graph what a server asks for when somebody uses the catalog, not before: nearly all of it. */
const LATER = ["entities", "capabilities", "views"] as const;

type Later = Pick<Catalog["cgs"], (typeof LATER)[number]> & Pick<Catalog, "cml">;

/** A compiled form as it is written: the length of its first part, that part, and what is read later. */
function written({ catalog, ...rest }: CompiledCatalog): Buffer {
  const { cml, ...known } = catalog;
  const cgs: Record<string, unknown> = { ...known.cgs };
  const later: Record<string, unknown> = { cml };
  for (const name of LATER) {
    later[name] = cgs[name];
    delete cgs[name];
  }
  const first = serialize({ catalog: { ...known, cgs }, ...rest });
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(first.length);
  return Buffer.concat([length, first, serialize(later)]);
}

/** A catalog whose graph and mappings are made of these bytes when somebody asks for them first. */
function openLater(known: Omit<Catalog, "cml">, bytes: Buffer): Catalog {
  let unread: Buffer | null = bytes;
  let later = {} as Later;
  const opened = (): Later => {
    if (unread !== null) later = deserialize(unread) as Later;
    unread = null;
    return later;
  };
  const cgs = { ...known.cgs };
  for (const name of LATER) {
    const get = (): unknown => opened()[name];
    Object.defineProperty(cgs, name, { enumerable: true, get });
  }
  return Object.freeze({
    ...known,
    cgs,
    get cml() {
      return opened().cml;
    },
  });
}

/** The compiled form that a file holds; null if one bit of it is not what was written. */
function read(bytes: Buffer, { entryId }: CompiledFrom): CompiledCatalog | null {
  const payload = bytes.subarray(HASH_BYTES);
  if (payload.length === 0 || !sha256(payload).equals(bytes.subarray(0, HASH_BYTES))) return null;
  try {
    const end = LENGTH_BYTES + payload.readUInt32LE();
    const { catalog, diagnostics, omitted } = deserialize(
      payload.subarray(LENGTH_BYTES, end),
    ) as CompiledCatalog;
    if (catalog.entryId !== entryId) return null;
    return { catalog: openLater(catalog, payload.subarray(end)), diagnostics, omitted };
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

/**
 * A cache in a directory of its own; `engine` names the code that compiles, by content. What it does not
 * have is looked for in `shipped`, where a build of that code left forms and where nothing is ever written.
 */
export function compiledCache(
  directory: string,
  engine: string,
  shipped: string | null = null,
): CompiledCache {
  const nameOf = (from: CompiledFrom): string => `${from.entryId}@${keyOf(engine, from)}`;
  const places = shipped === null ? [directory] : [directory, shipped];
  return Object.freeze({
    async get(from: CompiledFrom) {
      const name = nameOf(from);
      for (const place of places) {
        const bytes = await readFile(join(place, name)).catch(() => null);
        const known = bytes === null ? null : read(bytes, from);
        if (known !== null) return known;
      }
      return null;
    },
    async put(from: CompiledFrom, compiled: CompiledCatalog) {
      const file = join(directory, nameOf(from));
      const part = `${file}.${randomUUID()}`;
      try {
        const payload = written(compiled);
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

/** The code that compiles: in one file that says what is in it, or in modules of these addresses. */
export type EngineCode =
  | { readonly kind: "file"; readonly engine: string; readonly url: string }
  | { readonly kind: "modules"; readonly urls: readonly string[] };

/** This module and core's, or the one file that holds both; no modules when they are sources. */
function ownCode(): EngineCode {
  // A program in one file is told by its loader what is in it (docs/adr/0070).
  const { url, engine } = import.meta as { readonly url: string; readonly engine?: string };
  if (engine !== undefined) return { kind: "file", engine, url };
  if (url.endsWith(".ts")) return { kind: "modules", urls: [] };
  try {
    return { kind: "modules", urls: [url, import.meta.resolve("@plasm/core")] };
  } catch {
    // In a file that somebody else made of them, core is in the same one.
    return { kind: "modules", urls: [url] };
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
 * The cache in a data directory, good for this very build of the engine and no other; a program in one file
 * may have forms of catalogs that are published with it in `compiled/` beside it. Null when the engine runs
 * from its sources, which change without a build.
 */
export async function openCompiledCache(
  directory: string,
  code?: EngineCode,
): Promise<CompiledCache | null> {
  try {
    const own = code ?? ownCode();
    if (own.kind === "file") {
      return compiledCache(directory, own.engine, fileURLToPath(new URL("compiled", own.url)));
    }
    if (own.urls.length === 0) return null;
    const parts = await Promise.all(own.urls.map((url) => readFile(fileURLToPath(url))));
    const packages = (await Promise.all(own.urls.map(dependenciesOf))).flat();
    const hashes = [...parts, ...packages].map((part) => sha256(part).toString("hex"));
    return compiledCache(directory, sha256(hashes.join("-")).toString("hex"));
  } catch {
    return null;
  }
}
