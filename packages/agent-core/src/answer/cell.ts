import type { Json } from "@plasm/core";
import { visible } from "@plasm/core/internal";

const ATTACHMENT = "__plasm_attachment";

/** Code points of a media type, of an address and of a name that a reference repeats. */
const LONGEST_MEDIA = 100;
const LONGEST_URI = 300;
const LONGEST_NAME = 100;

const shownMedia = (media: string): string => clipCell(visible(media), LONGEST_MEDIA);

function bytesOf(attachment: { readonly [key: string]: Json }): number | null {
  const { bytes_base64: encoded, size } = attachment;
  if (typeof size === "number" && Number.isSafeInteger(size) && size >= 0) return size;
  if (typeof encoded !== "string") return null;
  const padding = encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0;
  return (encoded.length / 4) * 3 - padding;
}

const hasBytes = (attachment: Json): boolean =>
  attachment !== null && typeof attachment === "object" && "bytes_base64" in attachment;

/** A size in kB as SURF-13 writes it: what is there has at least one. */
const kilobytes = (bytes: number): string => ` ${Math.max(1, Math.round(bytes / 1000))} kB`;

/**
 * `<image/png 12 kB a.png>`; a file of the session goes by the address that it is read at, which ends in its SHA-256
 * (RUN-038, VAL-04).
 */
function blobText(attachment: Json | undefined, media: string): string {
  if (attachment === null || typeof attachment !== "object" || Array.isArray(attachment)) {
    return `<${shownMedia(media)}>`;
  }
  const blob = attachment as { readonly [key: string]: Json };
  const mime = blob["mime_type"] ?? blob["media_type"];
  const bytes = bytesOf(blob);
  const uri = blob["uri"];
  const address = typeof uri === "string" ? ` ${clipCell(visible(uri), LONGEST_URI)}` : "";
  const name = blob["file_name"];
  const called = typeof name === "string" ? ` ${clipCell(visible(name), LONGEST_NAME)}` : "";
  const what = shownMedia(typeof mime === "string" ? mime : media);
  const at = typeof blob["bytes_base64"] === "string" ? "" : address;
  return `<${what}${bytes === null ? "" : kilobytes(bytes)}${called}${at}>`;
}

/** An attachment is nothing else: an API that says so beside other members hides none of them. */
function attachmentOf(value: Json): Json | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  if (Object.keys(value).length !== 1 || !Object.hasOwn(value, ATTACHMENT)) return undefined;
  return (value as { readonly [key: string]: Json })[ATTACHMENT];
}

/** Whether a value is a file of a session, which goes by its address (VAL-04). */
export function isFile(value: Json | undefined): boolean {
  const file = value === undefined ? undefined : attachmentOf(value);
  if (file === null || typeof file !== "object" || hasBytes(file)) return false;
  const { uri } = file as { readonly [key: string]: Json };
  return typeof uri === "string" && uri.startsWith("plasm://");
}

/** What stands for a value, and whether it is all there is of it: a file of the session is read at its address. */
export interface ReferenceCell {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * What stands for a value that is shown by reference: `<media size>`; nothing where there is no value
 * (RUN-038). A text counts as its UTF-8 bytes.
 */
export function referenceCell(value: Json | undefined, media: string): ReferenceCell {
  if (value === null || value === undefined || value === "") {
    return { text: cellText(value), whole: true };
  }
  const attachment = attachmentOf(value);
  if (attachment !== undefined) {
    const text = blobText(attachment, media);
    return { text, whole: !hasBytes(attachment) };
  }
  const bytes = Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
  return { text: `<${shownMedia(media)}${kilobytes(bytes)}>`, whole: false };
}

/** Compact JSON with members as they came; canonical text would reorder what the API sent. */
const compact = (value: Json): string => visible(JSON.stringify(value));

/** One cell of a result table: no TAB, no line end, no sign that acts, nothing lost (SURF-13, P16). */
export function cellText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") {
    if (value === "") return '""';
    return visible(value);
  }
  if (typeof value === "object") {
    const attachment = attachmentOf(value);
    return attachment === undefined ? compact(value) : blobText(attachment, "blob");
  }
  return String(value);
}

/** The name of a column as a header has it: keys of derived rows may be any text (LANG-063). */
export const columnText = (name: string): string => (name === "" ? '""' : visible(name));

/** The index behind the first `limit` code points, and how many there are in all; no copy is made. */
function measure(text: string, limit: number): { readonly end: number; readonly points: number } {
  let points = 0;
  let end = text.length;
  for (let at = 0; at < text.length; points += 1) {
    if (points === limit) end = at;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return { end, points };
}

/** Cuts a cell at `limit` code points and says how many are missing (SURF-12). */
export function clipCell(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const { end, points } = measure(text, limit);
  return points <= limit ? text : `${text.slice(0, end)}… (+${points - limit})`;
}
