import { Bench } from "tinybench";

/** A piece of work that is measured. */
export interface Work {
  readonly what: string;
  readonly run: () => unknown;
  /** what is done before each time, and is not measured */
  readonly before?: () => void;
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
    for (const [side, { run, before, after }] of Object.entries({ ours, base })) {
      bench.add(`${name} · ${side}`, run, {
        ...(before === undefined ? {} : { beforeEach: before }),
        ...(after === undefined ? {} : { afterEach: after }),
      });
    }
  }
  await bench.run();
  return pairs.map(({ name, ours, base }) => {
    const ours_ms = medianOf(bench, `${name} · ours`);
    const base_ms = medianOf(bench, `${name} · base`);
    return { name, ours: ours.what, base: base.what, ours_ms, base_ms, ratio: ours_ms / base_ms };
  });
}
