/** `node:timers/promises` as an engine in a page uses it (docs/adr/0211). */
interface Waiting {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

/** Resolves with `value` after `ms`; rejects once the signal aborts. */
export const setTimeout = <T>(ms?: number, value?: T, { signal }: Waiting = {}): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = globalThis.setTimeout(() => resolve(value as T), ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });

/** Resolves once the page's loop has gone round. */
export const setImmediate = <T>(value?: T): Promise<T> =>
  new Promise<T>((resolve) => goRound(() => resolve(value as T)));

const { port1, port2 } = new MessageChannel();
const due: (() => void)[] = [];
port1.onmessage = () => due.shift()?.();

/** Calls back in the next round of the loop: timers of pages that nest wait 4 ms each. */
export function goRound(work: () => void): void {
  due.push(work);
  port2.postMessage(null);
}
