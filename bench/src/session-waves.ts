import {
  type Catalog,
  CURRENT_FEATURES,
  exposeSeeds,
  type Exposed,
  TaughtSessions,
} from "@plasm/core";
import { wideCatalog } from "./wide.ts";

/** TEACH-42's session grows to a hundred waves of three entities each. */
export const WAVE_COUNTS: readonly number[] = [5, 10, 25, 50, 100];
const PER_WAVE = 3;
/** Waves that are measured before the session begins again where it was. */
const AHEAD = 20;

type Waves = Pick<Exposed, "log" | "waves">;

/** A session that is taught the things of a catalog in order, some with each wave. */
function sessionOn(catalog: Catalog) {
  const { entryId } = catalog;
  const names = [...catalog.cgs.entities.keys()];
  const catalogs = new Map([[entryId, catalog]]);
  const setup = { catalogs, notation: "symbols" as const, policy: {}, features: CURRENT_FEATURES };
  const inputAfter = ({ log, waves }: Waves) => ({
    ...setup,
    exposure: log.length === 0 ? null : { log, sent: waves },
    seeds: [{ entryId, entities: names.slice(log.length * PER_WAVE).slice(0, PER_WAVE) }],
  });
  const after = (before: Waves, { log, waves }: Exposed): Waves => ({
    log,
    waves: [...before.waves, ...waves],
  });
  return { inputAfter, after };
}

/** The next wave of a session of `count` waves, as the process that taught it makes it (TEACH-30). */
export function nextWave(count: number): () => unknown {
  const { inputAfter, after } = sessionOn(wideCatalog((count + AHEAD) * PER_WAVE));
  let start: Waves = { log: [], waves: [] };
  const taught = new TaughtSessions();
  const next = (before: Waves): Waves => after(before, taught.expose("s", inputAfter(before)));
  while (start.log.length < count) start = next(start);
  let now = start;
  return () => {
    // One of so many makes all waves anew, as after a restart; the median is of the others.
    if (now.log.length === count + AHEAD) now = start;
    now = next(now);
    return now;
  };
}

/** The same by a process that knows nothing of the session, as after a restart. */
export function nextWaveAnew(count: number): () => unknown {
  const { inputAfter, after } = sessionOn(wideCatalog((count + 1) * PER_WAVE));
  let start: Waves = { log: [], waves: [] };
  const taught = new TaughtSessions();
  while (start.log.length < count) start = after(start, taught.expose("s", inputAfter(start)));
  return () => exposeSeeds(inputAfter(start));
}
