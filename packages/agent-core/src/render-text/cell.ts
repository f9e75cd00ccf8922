import { type Json, visible } from "@plasm/core";

const ATTACHMENT = "__plasm_attachment";

function bytesOf(attachment: { readonly [key: string]: Json }): number | null {
  const encoded = attachment["bytes_base64"];
  if (typeof encoded !== "string") return null;
  const padding = encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0;
  return (encoded.length / 4) * 3 - padding;
}

function blobText(attachment: Json | undefined): string {
  if (attachment === null || typeof attachment !== "object" || Array.isArray(attachment)) {
    return "<blob>";
  }
  const blob = attachment as { readonly [key: string]: Json };
  const mime = blob["mime_type"] ?? blob["media_type"];
  const bytes = bytesOf(blob);
  const size = bytes === null ? "" : ` ${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `<${typeof mime === "string" ? visible(mime) : "blob"}${size}>`;
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
    if (!Array.isArray(value) && ATTACHMENT in value) {
      return blobText((value as { readonly [key: string]: Json })[ATTACHMENT]);
    }
    return compact(value);
  }
  return String(value);
}

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
