import { appendWave, orderSeeds, type SeedGroup, type WaveEntry } from "../symbols/waves.ts";
import type { SymbolMap } from "../symbols/symbols.ts";
import { type SentWave, TeachingSession, type TeachingSetup } from "./teaching-session.ts";
import type { WaveText } from "./wave-text.ts";

/** Seeds, and the session that they are exposed to. */
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
  /** whether the tables of the seeds are wanted with every argument, whenever they were exposed (TEACH-46) */
  readonly inFull?: boolean;
}

/** The session with the seeds, and the waves that are new. */
export interface Exposed {
  readonly log: readonly WaveEntry[];
  readonly symbols: SymbolMap;
  /** the new waves only; none if every seed was exposed before */
  readonly waves: readonly WaveText[];
  /** the tables of the seeds with every argument, one a catalog; empty unless they are wanted */
  readonly inFull: readonly string[];
}

/**
 * Exposes seeds wave by wave: one wave per catalog that has new entities, in code-point order
 * (SESS-16), each with its table and the parts of the contract now due (TEACH-27, TEACH-32).
 * Pure: same input, same bytes. Seeds must exist and be no abstract entities (TEACH-7).
 */
export function exposeSeeds(input: ExposeInput): Exposed {
  return exposeIn(new TeachingSession(input), input);
}

/** The same by a session that may have made the first waves of the log already. */
function exposeIn(session: TeachingSession, input: ExposeInput): Exposed {
  const { log: before, sent = [] } = input.exposure ?? { log: [] };
  for (let at = session.length; at < before.length; at += 1) {
    const entry = before[at];
    if (entry !== undefined) session.expose(entry, sent[at] ?? null);
  }
  let log = before;
  const waves: WaveText[] = [];
  for (const group of orderSeeds(input.seeds.flatMap(pairs))) {
    const appended = appendWave(log, input.catalogs, group);
    if (appended.entry === null) continue;
    log = appended.log;
    waves.push(session.expose(appended.entry, null));
  }
  const groups = input.inFull === true ? orderSeeds(input.seeds.flatMap(pairs)) : [];
  const inFull = groups.map((group) => session.inFull(pairs(group)));
  return { log, symbols: session.symbols, waves, inFull };
}

/** How many sessions are remembered, those used last. */
const REMEMBERED = 64;

/**
 * Sessions as they were taught so far, so that a wave costs what it adds and not what was taught before. What
 * is remembered is held against the log of each call, and made anew where it differs.
 */
export class TaughtSessions {
  readonly #known = new Map<string, TeachingSession>();

  /** {@link exposeSeeds}, to the byte; `id` names the session that the log is of. */
  expose(id: string, input: ExposeInput): Exposed {
    const known = this.#known.get(id);
    this.#known.delete(id);
    const { log, sent = [] } = input.exposure ?? { log: [] };
    const goesOn = known?.resume(input, log, sent) === true ? known : null;
    const session = goesOn ?? new TeachingSession(input);
    const exposed = exposeIn(session, input);
    this.#known.set(id, session);
    const oldest = this.#known.keys().next();
    if (this.#known.size > REMEMBERED && !oldest.done) this.#known.delete(oldest.value);
    return exposed;
  }
}

function pairs({ entryId, entities }: SeedGroup): readonly { entryId: string; entity: string }[] {
  return entities.map((entity) => ({ entryId, entity }));
}
