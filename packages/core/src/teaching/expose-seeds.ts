import { appendWave, orderSeeds, type SeedGroup } from "../symbols/append-wave.ts";
import type { SymbolMap } from "../symbols/symbol-map.ts";
import type { WaveEntry } from "../symbols/wave-entry.ts";
import { TeachingSession, type SentWave, type TeachingSetup } from "./teaching-session.ts";
import type { WaveText } from "./wave-text.ts";

export interface ExposeInput extends TeachingSetup {
  /**
   * The log of the session, null before it has one. `sent` are its stored waves in order: with them
   * a policy that changed since does not change what counts as taught.
   */
  readonly exposure: {
    readonly log: readonly WaveEntry[];
    readonly sent?: readonly SentWave[];
  } | null;
  readonly seeds: readonly SeedGroup[];
}

export interface Exposed {
  readonly log: readonly WaveEntry[];
  readonly symbols: SymbolMap;
  /** the new waves only; none if every seed was exposed before */
  readonly waves: readonly WaveText[];
}

/**
 * Exposes seeds wave by wave: one wave per catalog that has new entities, in code-point order
 * (SESS-16), each with its table and the parts of the contract now due (TEACH-27, TEACH-32).
 * Pure: same input, same bytes. Seeds must exist and be no abstract entities (TEACH-7).
 */
export function exposeSeeds(input: ExposeInput): Exposed {
  const session = new TeachingSession(input);
  const { log: before, sent = [] } = input.exposure ?? { log: [] };
  for (const [at, entry] of before.entries()) session.expose(entry, sent[at] ?? null);
  let log = before;
  const waves: WaveText[] = [];
  for (const group of orderSeeds(input.seeds.flatMap(pairs))) {
    const appended = appendWave(log, input.catalogs, group);
    if (appended.entry === null) continue;
    log = appended.log;
    waves.push(session.expose(appended.entry, null));
  }
  return { log, symbols: session.symbols, waves };
}

function pairs({ entryId, entities }: SeedGroup): readonly { entryId: string; entity: string }[] {
  return entities.map((entity) => ({ entryId, entity }));
}
