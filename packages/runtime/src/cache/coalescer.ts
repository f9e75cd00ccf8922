/**
 * Sends equal reads once (RUN-023): the first caller sends, the others share its answer, until the
 * catalog's answers are discarded because an effect was sent (RUN-062).
 */
export interface Coalescer<T> {
  once(entryId: string, key: string, send: () => Promise<T>): Promise<T>;
  discard(entryId: string): void;
}

/** A coalescer for one run. */
export function createCoalescer<T>(): Coalescer<T> {
  const answers = new Map<string, Map<string, Promise<T>>>();
  return {
    once(entryId, key, send) {
      const own = answers.get(entryId) ?? new Map<string, Promise<T>>();
      answers.set(entryId, own);
      const known = own.get(key);
      if (known !== undefined) return known;
      const answer = send();
      own.set(key, answer);
      return answer;
    },
    discard(entryId) {
      answers.delete(entryId);
    },
  };
}
