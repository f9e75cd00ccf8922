import { sha256Hex } from "../../hash/sha256-hex.ts";

const GRAFT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a text is the id of a graft (GRAFT-3). */
export const isGraftId = (text: string): boolean => GRAFT_ID.test(text);

/** Where a graft comes from, cleaned: what an id is made of. */
export interface GraftOrigin {
  readonly source: string;
  readonly path: string;
}

const SHORTEST = 6;
const LONGEST = 63;

/**
 * The id of a graft that came without one (GRAFT-3): `g` and the first six hex digits of SHA-256 over JSON
 * [source, path], lengthened while `holder` says that another origin has it, as far as ids go. The same origin
 * keeps its id.
 */
export function derivedGraftId(
  { source, path }: GraftOrigin,
  holder: (id: string) => GraftOrigin | undefined,
): string {
  const digits = sha256Hex(JSON.stringify([source, path]));
  for (let length = SHORTEST; ; length += 1) {
    const id = `g${digits.slice(0, length)}`;
    const held = holder(id);
    if (held === undefined || (held.source === source && held.path === path)) return id;
    if (length === LONGEST) return id;
  }
}
