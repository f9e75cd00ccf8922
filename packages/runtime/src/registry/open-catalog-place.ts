import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Buffer } from "node:buffer";
import type { Stats } from "node:fs";
import { type CatalogDiagnostic, openCatalog, type OpenedCatalog } from "@plasm/core";
import type { CompiledCache } from "./compiled-cache.ts";
import { type CatalogRef, findCatalogs } from "./find-catalogs.ts";

/** What one catalog is opened with. */
export interface OpenPlaceOptions {
  /** names of the registered functions (RUN-105) */
  readonly functions?: readonly string[];
  /** publishing: every warning counts as an error (catalog format, section 1) */
  readonly strict?: boolean;
  /** catalogs compiled before; not asked in strict mode, which is for authors */
  readonly cache?: CompiledCache;
}

/** A catalog read from its files, with the text that its diagnostics point into. */
export interface OpenedCatalogRef extends OpenedCatalog {
  readonly place: CatalogRef;
  /** null if the file cannot be read as text */
  readonly domain: string | null;
  /** null as well where the mappings are part of the domain file */
  readonly mappings: string | null;
  /** the files by the names diagnostics call them: path and text of each that could be read */
  readonly files: ReadonlyMap<string, { readonly path: string; readonly text: string | null }>;
}

type Source = Parameters<typeof openCatalog>[0];

const MAPPINGS = "mappings.yaml";

const refused = (diagnostics: readonly CatalogDiagnostic[]): OpenedCatalog => ({
  catalog: null,
  diagnostics,
  omitted: 0,
});

const ACCEPTED =
  "Accepted: a directory with domain.yaml and mappings.yaml, or one .yaml domain file with an extra top-level map `mappings`.";

/** What keeps a place from being a catalog before a file is read, or null (CAT-010). */
async function formProblem(place: CatalogRef): Promise<CatalogDiagnostic | null> {
  const name = basename(place.domain);
  if (!name.endsWith(".yaml")) {
    const message = `${name} is no catalog: JSON and serialised graphs are refused. ${ACCEPTED}`;
    return fileDiagnostic("CAT010", name, message);
  }
  if (place.mappings === null || (await exists(place.domain))) return null;
  const message = `${name} is missing beside ${MAPPINGS}. ${ACCEPTED}`;
  return fileDiagnostic("CAT010", name, message);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Reads the files of a catalog and checks every requirement on them (CAT-010, CAT-011). Never throws. */
export async function openCatalogPlace(
  place: CatalogRef,
  options: OpenPlaceOptions = {},
): Promise<OpenedCatalogRef> {
  const { entryId } = place;
  const domainName = basename(place.domain);
  const problem = await formProblem(place);
  if (problem !== null) {
    const files = new Map([[domainName, { path: place.domain, text: null }]]);
    return { place, domain: null, mappings: null, files, ...refused([problem]) };
  }
  const domain = await readCatalogFile(place.domain, domainName);
  const mappings = place.mappings === null ? null : await readCatalogFile(place.mappings, MAPPINGS);
  const domainText = domain.ok ? domain.text : null;
  const mappingsText = mappings?.ok === true ? mappings.text : null;
  const files = new Map([[domainName, { path: place.domain, text: domainText }]]);
  if (place.mappings !== null) files.set(MAPPINGS, { path: place.mappings, text: mappingsText });
  const found = { place, domain: domainText, mappings: mappingsText, files };
  const faults = [domain, mappings].flatMap((file) =>
    file === null || file.ok ? [] : [file.diagnostic],
  );
  if (domainText === null || faults.length > 0) return { ...found, ...refused(faults) };
  const texts = { entryId, domain: domainText, mappings: mappingsText };
  return { ...found, ...(await openTexts(texts, domainName, options)) };
}

/** The texts of the one catalog that a path is, unchecked; else why it is none. */
export type ReadTexts =
  | { readonly ok: true; readonly texts: CatalogTexts }
  | { readonly ok: false; readonly problem: string };

/** Reads the texts of a catalog as it lies, for who opens it elsewhere. Never throws. */
export async function readCatalogTexts(path: string): Promise<ReadTexts> {
  const places = await findCatalogs(path);
  if (places === null) return { ok: false, problem: "it does not exist." };
  const [place] = places;
  if (place === undefined || place.path !== path) {
    return { ok: false, problem: `it is no catalog. ${ACCEPTED}` };
  }
  const form = await formProblem(place);
  if (form !== null) return { ok: false, problem: form.message };
  const domain = await readCatalogFile(place.domain, basename(place.domain));
  if (!domain.ok) return { ok: false, problem: domain.diagnostic.message };
  const { entryId } = place;
  if (place.mappings === null) {
    return { ok: true, texts: { entryId, domain: domain.text, mappings: null } };
  }
  const mappings = await readCatalogFile(place.mappings, MAPPINGS);
  if (!mappings.ok) return { ok: false, problem: mappings.diagnostic.message };
  return { ok: true, texts: { entryId, domain: domain.text, mappings: mappings.text } };
}

/** The text of a catalog's files. */
export interface CatalogTexts {
  readonly entryId: string;
  readonly domain: string;
  /** null where the mappings are part of the domain file */
  readonly mappings: string | null;
}

function openTexts(
  { entryId, domain, mappings }: CatalogTexts,
  file: string,
  options: OpenPlaceOptions,
): Promise<OpenedCatalog> {
  const source = {
    entryId,
    domain: { file, text: domain },
    ...(mappings === null ? {} : { mappings: { file: MAPPINGS, text: mappings } }),
    functions: options.functions ?? [],
  };
  return compile(source, options);
}

/** Checks every requirement on a catalog that comes as texts, as from its directory. Never throws. */
export const openCatalogTexts = (
  texts: CatalogTexts,
  options: OpenPlaceOptions = {},
): Promise<OpenedCatalog> => openTexts(texts, "domain.yaml", options);

/** Opens a catalog, or takes what it was compiled to before. */
async function compile(
  source: Source & { readonly functions: readonly string[] },
  { strict, cache }: OpenPlaceOptions,
): Promise<OpenedCatalog> {
  if (strict === true) return openCatalog(source, { strict });
  if (cache === undefined) return openCatalog(source);
  const { entryId, domain, mappings, functions } = source;
  const files = [domain, mappings].flatMap((each) =>
    each === undefined ? [] : [[each.file, each.text] as const],
  );
  const from = { entryId, files, functions };
  const known = await cache.get(from);
  if (known !== null) return known;
  const opened = openCatalog(source);
  const { catalog, diagnostics, omitted } = opened;
  if (catalog !== null) await cache.put(from, { catalog, diagnostics, omitted });
  return opened;
}

const MOST_BYTES = 50 * 1024 * 1024;

const ALLOWED = `Allowed: a regular file of UTF-8 text, at most ${MOST_BYTES} bytes.`;

/** What is there instead of a file. */
function unreadableKind(found: Stats): string {
  if (found.isDirectory()) return "a directory";
  if (found.isFIFO()) return "a FIFO";
  return found.isSocket() ? "a socket" : "a device";
}

/** The text of a catalog file, or why it is none (CAT-011). */
type FileText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly diagnostic: CatalogDiagnostic };

/** A diagnostic about a file as a whole. */
export function fileDiagnostic(code: string, file: string, message: string): CatalogDiagnostic {
  const place = { line: 1, column: 1, start: 0, end: 0, keyPath: "" };
  return Object.freeze({ code, severity: "error", file, ...place, message });
}

/** The offset of the first byte that is no UTF-8: a replacement character the file does not hold. */
function badByte(bytes: Uint8Array): number {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  for (const character of text) {
    const own = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (character === "\ufffd" && !own) return offset;
    offset += Buffer.byteLength(character);
  }
  return offset;
}

/** Reads a catalog file: a regular file, UTF-8, at most 50 MiB (CAT-011). `name` is for messages. */
async function readCatalogFile(path: string, name: string): Promise<FileText> {
  const fail = (message: string): FileText => ({
    ok: false,
    diagnostic: fileDiagnostic("CAT011", name, message),
  });
  // Asked before opening: opening a FIFO would block for ever.
  const found = await stat(path).catch(() => null);
  if (found === null) return fail(`${name} does not exist. ${ALLOWED}`);
  if (!found.isFile()) return fail(`${name} is ${unreadableKind(found)}. ${ALLOWED}`);
  if (found.size > MOST_BYTES) return fail(`${name} has ${found.size} bytes. ${ALLOWED}`);
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return fail(`${name} cannot be opened: look at its permissions. ${ALLOWED}`);
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const at = badByte(bytes);
    return fail(`${name} is not UTF-8: the byte at offset ${at} begins no character. ${ALLOWED}`);
  }
}
