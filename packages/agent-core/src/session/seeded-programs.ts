import type { Catalog } from "@plasm/core";
import type { WaveRecord } from "../records/sessions.ts";

/** A saved program that a call asks to be taught. */
export interface SeededProgram {
  readonly name: string;
  readonly version: string;
  /** the catalogs that it was saved with, by entry id */
  readonly digests: Readonly<Record<string, string>>;
  /** what it is taught as */
  readonly row: string;
  /** the failure of a call where these catalogs are others by now */
  readonly changed: (entryIds: readonly string[]) => Error;
}

/** What the waves of programs follow. */
interface Taught {
  /** what the session has been taught before the call, and by it so far */
  readonly waves: readonly WaveRecord[];
  readonly catalogs: ReadonlyMap<string, Catalog>;
  readonly count: (text: string) => number;
}

type Entry = WaveRecord["entry"];

/**
 * The waves that teach saved programs: one row each, never sent twice, and one more where it was saved again (SAV-12). A wave names one
 * catalog, so that a program of several that the session does not have has one for each, all but the first without text. Throws
 * where a catalog of one is not what it was saved with.
 */
export function programWaves(
  programs: readonly SeededProgram[],
  { waves: before, catalogs, count }: Taught,
): readonly WaveRecord[] {
  const waves = [...before];
  for (const program of programs) {
    const { name, version, digests } = program;
    const changed = Object.keys(digests).filter((id) => catalogs.get(id)?.digest !== digests[id]);
    if (changed.length > 0) throw program.changed(changed);
    const last = waves.findLast(({ entry }) => entry.program?.name === name);
    if (last?.entry.program?.version === version) continue;
    const isFirst = waves.every(({ entry }) => entry.program === undefined);
    const held = new Set(waves.map(({ entry }) => entry.entryId));
    const missing = Object.keys(digests).filter((id) => !held.has(id));
    const ids = missing.length > 0 ? missing : Object.keys(digests).slice(0, 1);
    for (const [at, entryId] of ids.entries()) {
      const entry: Entry = {
        entryId,
        entities: [],
        digest: digests[entryId] ?? "",
        program: { name, version },
      };
      const text = at > 0 ? "" : waveText(program, isFirst, last !== undefined);
      waves.push(waveOf(entry, text, waves.length + 1, count));
    }
  }
  return waves.slice(before.length);
}

function waveText({ name, row }: SeededProgram, isFirst: boolean, isAgain: boolean): string {
  const heading = isAgain ? `Saved again: s.${name}` : `Saved program: s.${name}`;
  const help = isFirst ? ". Arguments may be left out; rows take steps. plasm_run runs it." : "";
  return [heading + help, "```tsv", "plasm_expr\tMeaning", row, "```", ""].join("\n");
}

const waveOf = (
  entry: Entry,
  text: string,
  n: number,
  count: (text: string) => number,
): WaveRecord => ({
  n,
  mode: n === 1 ? "open" : "expand",
  entry,
  text,
  parts: [],
  e: [0, 0],
  m: null,
  p: null,
  tokens: text === "" ? 0 : count(text),
  untaught: [],
});
