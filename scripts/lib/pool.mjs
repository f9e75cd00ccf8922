import { availableParallelism } from "node:os";

/** Runs `work` on each item, at most `width` at once, and resolves to the results in the items' order. */
export const pool = async (items, work, width = availableParallelism()) => {
  const results = Array.from({ length: items.length });
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
};
