import type { EntityKey } from "../federation/entity-key.ts";
import { sha256Hex } from "../hash/sha256-hex.ts";
import { cleanText } from "./clean-text.ts";
import type { ContractPart } from "./contract.ts";
import type { Scene, Untaught } from "./scene.ts";

/** Longest note of a wave, in code points. */
const MOST_NOTE = 2_000;

export type WaveMode = "open" | "expand" | "federate";
export type SymbolSpan = readonly [first: number, last: number];

/** One wave as sent and stored (TEACH-30), with what its meta says (SURF-7). */
export interface WaveText {
  /** number of the wave in its session, from 1 */
  readonly n: number;
  readonly mode: WaveMode;
  readonly entryId: string;
  readonly digest: string;
  readonly entities: readonly string[];
  readonly e: SymbolSpan;
  /** null if the wave added no symbol of the family */
  readonly m: SymbolSpan | null;
  readonly p: SymbolSpan | null;
  readonly parts: readonly ContractPart[];
  readonly text: string;
  readonly untaught: readonly Untaught[];
}

/**
 * The text of a wave: contract parts, heading, table in its fence; it ends with a line end (TEACH-27). `notes`
 * are lines under the heading on what the catalog has or lacks for this tenant (RUN-103).
 */
export function joinWaveText(
  contract: readonly string[],
  heading: string,
  rows: readonly string[],
  notes: readonly string[] = [],
): string {
  const table = ["```tsv", "plasm_expr\tMeaning", ...rows, "```", ""];
  const above = contract.length === 0 ? [] : [...contract, ""];
  return [...above, heading, ...notes.map((note) => cleanText(note, MOST_NOTE)), ...table].join(
    "\n",
  );
}

/** `orchard: e1 Tree` for the first wave, `Added from orchard: e2 Harvest` later (TEACH-28). */
export function waveHeading(scene: Scene, n: number, added: readonly EntityKey[]): string {
  const entryId = added[0]?.entryId ?? "";
  const entities = added.map((key) => scene.spell.introduced(key)).join(", ");
  return n === 1 ? `${entryId}: ${entities}` : `Added from ${entryId}: ${entities}`;
}

/** All that a session was taught: its stored waves one after the other (TEACH-30). */
export function promptText(waves: readonly Pick<WaveText, "text">[]): string {
  return waves.map(({ text }) => text).join("");
}

/** Lower-case hex SHA-256 of wave 1's text; it never changes (TEACH-30). */
export function promptHash(firstWaveText: string): string {
  return sha256Hex(firstWaveText);
}
