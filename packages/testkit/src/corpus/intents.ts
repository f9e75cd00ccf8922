import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Lists of intents over all published catalogs and the sample APIs: one to tune discovery on, and one by
 * writers who saw neither catalogs nor code, which only measures.
 */
export const intentLists = ["tuned", "held-out"] as const;
export type IntentList = (typeof intentLists)[number];

export type IntentKind = "plain" | "synonym" | "verb" | "several_apis" | "misspelling" | "no_match";

/** A goal in one sentence, and what it needs. */
export interface DiscoveryIntent {
  readonly intent: string;
  readonly kind: IntentKind;
  /** every `api.Entity` that it needs, `a.B|c.D` where either will do; none if nothing matches */
  readonly expect: readonly string[];
}

/** All intents of a list, in the order of the file. */
export function discoveryIntents(list: IntentList): readonly DiscoveryIntent[] {
  const path = fileURLToPath(new URL(`../../corpus/intents/${list}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, "utf8")) as readonly DiscoveryIntent[];
}

/** Whether rows, `api.Entity` each, hold all that an intent needs; where nothing matches, no row does. */
export function isHit({ expect }: DiscoveryIntent, rows: readonly string[]): boolean {
  if (expect.length === 0) return rows.length === 0;
  return expect.every((need) => need.split("|").some((either) => rows.includes(either)));
}
