/** The part of `node:buffer` that an engine in a page uses (docs/adr/0211). */
export { Buffer } from "buffer/";

/** Whether bytes are text of UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
