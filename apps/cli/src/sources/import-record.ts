import { createHash } from "node:crypto";
import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { MadeCatalog } from "@plasm/importers";
import { hasTextMembers, isJsonObject, writeAtomically } from "../workspace/json-file.ts";
import type { ImportOptions } from "./make-catalog.ts";
import type { ImportedFiles } from "./catalog-editing.ts";
import { digestOf } from "./read-source.ts";

/**
 * What a catalog was made of, kept beside it: so that a newer document can be merged into what people wrote since,
 * and so that a server without network knows what it has.
 */
export interface ImportRecord {
  /** a file, from the catalog's directory; an address; `-` */
  readonly source: string;
  readonly digest: string;
  /** when the document was read, as in `2026-11-23T16:50:00.000Z` */
  readonly read: string;
  /** the release of plasm that made it */
  readonly plasm: string;
  readonly server?: string;
  readonly only: readonly string[];
  /** a file, from the catalog's directory, and its digest */
  readonly overlay?: { readonly file: string; readonly digest: string };
  readonly operations: number;
  readonly reached: number;
  readonly left: readonly string[];
  /** what was generated, whatever stands in the files now */
  readonly generated: ImportedFiles;
}

export const RECORD = "import.json";

const packed = (text: string): string => gzipSync(text, { level: 9 }).toString("base64");
const unpacked = (text: string): string =>
  gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: 200_000_000 }).toString("utf8");

/** The hash of the files that a catalog has. */
export const filesHash = ({ domain, mappings }: ImportedFiles): string =>
  createHash("sha256")
    .update(JSON.stringify([domain, mappings]))
    .digest("hex");

export function recordText({ generated, ...record }: ImportRecord): string {
  const kept = { domain: packed(generated.domain), mappings: packed(generated.mappings) };
  const note =
    "What plasm made this catalog of, and the files as it made them: plasm catalog refresh reads it. Keep it beside them.";
  return `${JSON.stringify({ note, version: 1, ...record, generated: kept }, null, 2)}\n`;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

function recordOf(value: Readonly<Record<string, unknown>>): ImportRecord | null {
  if (!hasTextMembers(value, ["source", "digest", "read", "plasm"]) || value["version"] !== 1)
    return null;
  const { server, only, overlay, operations, reached, left, generated } = value;
  if (!isTexts(only) || !isTexts(left) || !hasTextMembers(generated, ["domain", "mappings"]))
    return null;
  if (typeof operations !== "number" || typeof reached !== "number") return null;
  const { source, digest, read, plasm } = value;
  return {
    source,
    digest,
    read,
    plasm,
    only,
    operations,
    reached,
    left,
    ...(typeof server === "string" ? { server } : {}),
    ...(hasTextMembers(overlay, ["file", "digest"])
      ? { overlay: { file: overlay.file, digest: overlay.digest } }
      : {}),
    generated: { domain: unpacked(generated.domain), mappings: unpacked(generated.mappings) },
  };
}

/** The record beside a catalog; null where there is none, or none that can be read. */
export async function readRecord(directory: string): Promise<ImportRecord | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, RECORD), "utf8"));
    return isJsonObject(value) ? recordOf(value) : null;
  } catch {
    return null;
  }
}

/** The files of a catalog as they are; null where one is missing. */
export async function readFiles(directory: string): Promise<ImportedFiles | null> {
  try {
    const [domain, mappings] = await Promise.all(
      ["domain.yaml", "mappings.yaml"].map((name) => readFile(join(directory, name), "utf8")),
    );
    return domain === undefined || mappings === undefined ? null : { domain, mappings };
  } catch {
    return null;
  }
}

/** The same options, with the overlay named from where the record is. */
export const overlayAt = (options: ImportOptions, name: (file: string) => string): ImportOptions =>
  options.overlay === undefined
    ? options
    : { ...options, overlay: { ...options.overlay, name: name(options.overlay.name) } };

/** What there is to keep of an import. */
export const recordFor = (
  source: string,
  digest: string,
  made: MadeCatalog,
  { server, only, overlay }: ImportOptions,
  plasm: string,
): ImportRecord => ({
  source,
  digest,
  read: new Date().toISOString(),
  plasm,
  only,
  ...(server === undefined ? {} : { server }),
  ...(overlay === undefined
    ? {}
    : { overlay: { file: overlay.name, digest: digestOf(Buffer.from(overlay.text)) } }),
  operations: made.operations,
  reached: made.reached,
  left: made.left,
  generated: { domain: made.domain, mappings: made.mappings },
});

/** Writes both files and the record, each whole; the record last. */
export async function writeImport(
  directory: string,
  files: ImportedFiles,
  record: ImportRecord,
): Promise<void> {
  const texts = [
    ["domain.yaml", files.domain],
    ["mappings.yaml", files.mappings],
    [RECORD, recordText(record)],
  ] as const;
  for (const [name, text] of texts) {
    const path = join(directory, name);
    const mode = (await stat(path).catch(() => null))?.mode;
    await writeAtomically(path, text);
    if (mode !== undefined) await chmod(path, mode);
  }
}
