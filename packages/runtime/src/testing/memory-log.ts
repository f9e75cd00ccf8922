import type { EffectEntry, EffectLog } from "../effects/effect-log.ts";

/** An effect log in memory that keeps every write in order. */
export interface MemoryLog extends EffectLog {
  readonly writes: readonly EffectEntry[];
}

/** A log; `before` runs ahead of each write and may reject it. */
export function memoryLog(
  before: (entry: EffectEntry) => Promise<void> = () => Promise.resolve(),
): MemoryLog {
  const writes: EffectEntry[] = [];
  const write = async (entry: EffectEntry): Promise<void> => {
    await before(entry);
    writes.push(entry);
  };
  return { writes, started: write, ended: write };
}
