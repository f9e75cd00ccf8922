import { visible } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";
import { clipCell } from "./cell.ts";

/** Code points of an identity that a line repeats. */
export const LONGEST_ID = 200;

/** The identity of the one row an effect answered with, such as what it created. */
function refOf({ result }: EffectEntry): string | null {
  if (!Array.isArray(result) || result.length !== 1) return null;
  const [row] = result as readonly { readonly ref?: unknown }[];
  return typeof row?.ref === "string" ? row.ref : null;
}

/** The identity text of what an effect was done to (RUN-046): its target, else the one row it made. */
export const targetOf = (entry: EffectEntry): string | null => entry.target ?? refOf(entry);

/** The id of a row's identity text, as it is: `12` of `Tree:12`. */
export const rawIdOf = (target: string): string => target.slice(target.indexOf(":") + 1);

/** The same as a line shows it. */
export const idOf = (target: string): string => clipCell(visible(rawIdOf(target)), LONGEST_ID);
