import type { CatalogSet } from "../src/catalog/federation.ts";
import { ALL_FEATURES, type Features, type Policy } from "../src/policy/policy.ts";
import type { Exposure, Notation } from "../src/symbols/exposure.ts";
import type { WaveEntry } from "../src/symbols/waves.ts";
import { exposeSeeds } from "../src/teaching/expose-seeds.ts";
import type { WaveText } from "../src/teaching/wave-text.ts";

/** Seeds of one call: `["orchard", "Tree", "Plot"]` is a catalog and its entities. */
export type Call = readonly (readonly [entryId: string, ...entities: string[]])[];

export interface TeachOptions {
  readonly notation?: Notation;
  readonly policy?: Policy;
  readonly readOnly?: boolean;
  readonly features?: Features;
}

/** A session after some calls: its waves and its exposure. */
export interface Taught {
  readonly waves: readonly WaveText[];
  readonly exposure: Exposure;
}

/** Exposes seeds call by call, as a session does, each call knowing the log alone. */
export function teach(
  catalogs: CatalogSet,
  calls: readonly Call[],
  options: TeachOptions = {},
): Taught {
  const { notation = "symbols", policy = {}, features = ALL_FEATURES, readOnly = false } = options;
  let log: readonly WaveEntry[] = [];
  let symbols: Exposure["symbols"] = { entities: [], methods: [], names: [] };
  const waves = calls.flatMap((call) => {
    const seeds = call.map(([entryId, ...entities]) => ({ entryId, entities }));
    const setup = { catalogs, notation, policy, readOnly, features };
    const exposed = exposeSeeds({ ...setup, exposure: log.length === 0 ? null : { log }, seeds });
    ({ log, symbols } = exposed);
    return exposed.waves;
  });
  return { waves, exposure: { catalogs, log, symbols, notation, policy, readOnly } };
}

/** The rows of a wave's table as pairs of cells. */
export function rowsOf(
  wave: Pick<WaveText, "text"> | undefined,
): readonly (readonly [string, string])[] {
  const lines = wave?.text.split("\n") ?? [];
  const rows = lines.slice(lines.indexOf("```tsv") + 2, lines.lastIndexOf("```"));
  return rows.map((row) => {
    const [left = "", right = ""] = row.split("\t");
    return [left, right];
  });
}

/** The rows of a wave's table as lines, its cells with two blanks between. */
export function tableLines(wave: Pick<WaveText, "text"> | undefined): readonly string[] {
  return rowsOf(wave).map(([left, right]) => `${left}  ${right}`);
}

/** The heading of a wave: the line above its fence. */
export function headingOf(wave: Pick<WaveText, "text"> | undefined): string {
  const lines = wave?.text.split("\n") ?? [];
  return lines[lines.indexOf("```tsv") - 1] ?? "";
}
