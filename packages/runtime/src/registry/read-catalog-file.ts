import { Buffer } from "node:buffer";
import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { CatalogDiagnostic } from "@plasm/core";

const MOST_BYTES = 50 * 1024 * 1024;

const ALLOWED = `Allowed: a regular file of UTF-8 text, at most ${MOST_BYTES} bytes.`;

/** What is there instead of a file. */
function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a directory";
  if (found.isFIFO()) return "a FIFO";
  return found.isSocket() ? "a socket" : "a device";
}

/** The text of a catalog file, or why it is none (CAT-011). */
export type FileText =
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
export async function readCatalogFile(path: string, name: string): Promise<FileText> {
  const fail = (message: string): FileText => ({
    ok: false,
    diagnostic: fileDiagnostic("CAT011", name, message),
  });
  // Asked before opening: opening a FIFO would block for ever.
  const found = await stat(path).catch(() => null);
  if (found === null) return fail(`${name} does not exist. ${ALLOWED}`);
  if (!found.isFile()) return fail(`${name} is ${kindOf(found)}. ${ALLOWED}`);
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
