import type { EntityKey } from "../catalog/federation.ts";
import { sha256Hex } from "../base/canonical-json.ts";
import { cleanText } from "./clean-text.ts";
import type { ContractPart } from "./contract.ts";
import type { CutText } from "./cut-texts.ts";
import type { FurtherRelation } from "./relation-rows.ts";
import type { Scene, Untaught } from "./notation.ts";

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
  /** descriptions of its entities that the table does not show in full (TEACH-13) */
  readonly cut: readonly CutText[];
}

/**
 * The text of a wave: contract parts, heading, table in its fence; it ends with a line end (TEACH-27). `notes`
 * are lines under the heading on what the catalog has or lacks for this tenant (RUN-103), `below` those under the
 * table on what it does not have.
 */
export function joinWaveText(
  contract: readonly string[],
  heading: string,
  rows: readonly string[],
  notes: readonly string[] = [],
  below: readonly string[] = [],
): string {
  const table = ["```tsv", "plasm_expr\tMeaning", ...rows, "```", ...below, ""];
  const above = contract.length === 0 ? [] : [...contract, ""];
  const said = notes.map((note) => cleanText(note, MOST_NOTE));
  return [...above, heading, ...said, ...table].join("\n");
}

/** `orchard: e1 Tree` for the first wave, `Added from orchard: e2 Harvest` later (TEACH-28). */
export function waveHeading(scene: Scene, n: number, added: readonly EntityKey[]): string {
  const entryId = added[0]?.entryId ?? "";
  const entities = introduced(scene, added);
  return n === 1 ? `${entryId}: ${entities}` : `Added from ${entryId}: ${entities}`;
}

/** Entities as a heading names them: `e1 Tree, e2 Harvest`. */
export const introduced = (scene: Scene, keys: readonly EntityKey[]): string =>
  keys.map((key) => scene.spell.introduced(key)).join(", ");

/** Most relations that a wave names of those that lead to entities a session does not have. */
const MOST_FURTHER = 12;

/**
 * The line of a wave that names relations to entities not exposed, `also: variants → Item`, so that a reader
 * knows what else may be seeded; none if there is none.
 */
export function furtherLine(further: readonly FurtherRelation[]): readonly string[] {
  if (further.length === 0) return [];
  const named = further.slice(0, MOST_FURTHER).map(({ name, target }) => `${name} → ${target}`);
  const rest = further.length - named.length;
  const line = `also: ${[...named, ...(rest > 0 ? [`+${rest}`] : [])].join(", ")}`;
  return [cleanText(line, MOST_NOTE)];
}

/** What a table leaves out of an entity: how many fields and arguments, and which methods. */
export interface LeftOut {
  readonly entity: string;
  readonly fields: number;
  readonly args: number;
  /** as programs name them, with their labels */
  readonly methods: readonly string[];
}

/** Most methods of an entity that are named without a row. */
const MOST_METHODS = 24;

/** The line of a wave on what is taught on request alone (TEACH-46, TEACH-57); none if it has all. */
export function inFullLine(rare: readonly LeftOut[]): readonly string[] {
  if (rare.length === 0) return [];
  const each = rare.map(({ entity, fields, args, methods }) => {
    const named = methods.slice(0, MOST_METHODS);
    const rest = methods.length - named.length;
    const also = [
      ...counted(fields, "field"),
      ...counted(args, "argument"),
      ...(named.length === 0 ? [] : [`methods ${named.join(", ")}${rest > 0 ? `, +${rest}` : ""}`]),
    ];
    return `${entity} also has ${also.join(", ")}`;
  });
  return [cleanText(`${each.join("; ")}; detail:true with the seed shows them`, MOST_NOTE)];
}

const counted = (count: number, thing: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${thing}${count === 1 ? "" : "s"}`];

/** All that a session was taught: its stored waves one after the other (TEACH-30). */
export function promptText(waves: readonly Pick<WaveText, "text">[]): string {
  return waves.map(({ text }) => text).join("");
}

/** Lower-case hex SHA-256 of wave 1's text; it never changes (TEACH-30). */
export function promptHash(firstWaveText: string): string {
  return sha256Hex(firstWaveText);
}
