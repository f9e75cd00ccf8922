import fc from "fast-check";
import type { Property } from "./property.ts";

/** What trying a property came to. */
export interface Checked {
  readonly seed: number;
  readonly runs: number;
  readonly ms: number;
  /** the smallest input found of which it does not hold, and why; null if it held of all */
  readonly failure: string | null;
}

/** The smallest input, and why the property does not hold of it. */
function failureOf(details: fc.RunDetails<unknown>): string | null {
  if (!details.failed) return null;
  const thrown = details.errorInstance;
  const why = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return `${fc.defaultReportMessage(details) ?? ""}\n${why}`;
}

/** Tries a property `runs` times with inputs drawn from `seed`. */
export async function checkProperty(
  property: Property,
  runs: number,
  seed: number,
): Promise<Checked> {
  if (property.tryMany !== undefined) {
    const started = performance.now();
    const tried = await property.tryMany(runs, seed);
    return { seed, ms: Math.round(performance.now() - started), ...tried };
  }
  const { holds, close } = await property.open();
  try {
    const started = performance.now();
    const details = await fc.check(holds, { numRuns: runs, seed });
    const ms = Math.round(performance.now() - started);
    return { seed, runs: details.numRuns, ms, failure: failureOf(details) };
  } finally {
    await close();
  }
}

/** Tries a property as often as its test does; throws with an input of which it does not hold. */
export async function assertProperty(property: Property): Promise<void> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { failure } = await checkProperty(property, property.runs, seed);
  if (failure !== null) throw new Error(`${property.says}\n${failure}`);
}
