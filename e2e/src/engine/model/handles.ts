import type { Caller } from "@plasm/agent-core";
import { principalOf } from "@plasm/agent-core/internal";
import { type Place } from "./place.ts";
import type { Handle } from "./steps.ts";

/** A page handle as a call spells it, and its number if it is one of the place. */
export interface Spelled {
  readonly text: string;
  readonly n: number | null;
}

/** Page handles of a place that are a caller's own, or those that are not. */
export const handlesOf = ({ cursors }: Place, caller: Caller, own: boolean): readonly number[] =>
  [...cursors].flatMap(([n, { principal }]) =>
    (principal === principalOf(caller)) === own ? [n] : [],
  );

/** A number that no session comes to, and a slot that no principal does. */
const NEVER = ["pg999", "s98_pg1"] as const;

/** The drawn handle; one that never was, where there is none such (SESS-6, SESS-38). */
export function spell(place: Place, caller: Caller, ref: string, { whose, at }: Handle): Spelled {
  const known = whose === "nobodys" ? [] : handlesOf(place, caller, whose === "own");
  const n = known[at % Math.max(1, known.length)];
  if (n !== undefined) return { text: `${ref}_pg${n}`, n };
  return { text: NEVER[at % NEVER.length] ?? NEVER[0], n: null };
}
