import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Bench } from "tinybench";

/** A piece of work that is measured. */
export interface Work {
  readonly what: string;
  readonly run: () => unknown;
  /** what is to be over before the next time, and is not measured */
  readonly after?: () => Promise<void>;
}

/** Two pieces of work measured in one run: ours, and what it is compared with. */
export interface Pair {
  readonly name: string;
  readonly ours: Work;
  readonly base: Work;
}

export interface PairResult {
  readonly name: string;
  readonly ours: string;
  readonly base: string;
  /** medians, in milliseconds */
  readonly ours_ms: number;
  readonly base_ms: number;
  /** ours / base */
  readonly ratio: number;
}

export interface MeasureOptions {
  /** time spent on each side, in milliseconds */
  readonly time: number;
  /** of each side at least; fewer for what takes long */
  readonly iterations?: number;
}

function medianOf(bench: Bench, name: string): number {
  const result = bench.getTask(name)?.result;
  if (result === undefined || !("latency" in result)) {
    const why = result !== undefined && "error" in result ? String(result.error) : "no result";
    throw new Error(`${name} was not measured: ${why}`);
  }
  return result.latency.p50;
}

/** Measures both sides of each pair one after the other, so that the machine's state is shared. */
export async function measurePairs(
  pairs: readonly Pair[],
  options: MeasureOptions,
): Promise<readonly PairResult[]> {
  const { time, iterations } = options;
  const least = iterations === undefined ? {} : { iterations, warmupIterations: 1 };
  const bench = new Bench({ time, warmupTime: time / 4, ...least });
  for (const { name, ours, base } of pairs) {
    for (const [side, { run, after }] of Object.entries({ ours, base })) {
      bench.add(`${name} · ${side}`, run, after === undefined ? {} : { afterEach: after });
    }
  }
  await bench.run();
  return pairs.map((pair) => {
    const { name } = pair;
    return resultOf(pair, medianOf(bench, `${name} · ours`), medianOf(bench, `${name} · base`));
  });
}

const resultOf = ({ name, ours, base }: Pair, ours_ms: number, base_ms: number): PairResult => ({
  name,
  ours: ours.what,
  base: base.what,
  ours_ms,
  base_ms,
  ratio: ours_ms / base_ms,
});

/**
 * Measures both sides of each pair in turn, so many times, each after the collector has been: for steps that make so much that
 * what is collected, and what V8 learns of a side that is alone, would decide.
 */
export function measureInTurn(pairs: readonly Pair[], times: number): readonly PairResult[] {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const timed = ({ run }: Work): number => {
    collectGarbage();
    const began = performance.now();
    run();
    return performance.now() - began;
  };
  return pairs.map((pair) => {
    const { ours, base } = pair;
    // The first time of each compiles it.
    const taken = Array.from({ length: times + 1 }, () => [timed(ours), timed(base)] as const);
    const middle = (side: 0 | 1): number => {
      const sorted = taken
        .slice(1)
        .map((both) => both[side])
        .toSorted((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)] ?? 0;
    };
    return resultOf(pair, middle(0), middle(1));
  });
}
