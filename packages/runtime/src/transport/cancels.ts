type Cancel = () => void;

/** The requests under way of one caller, which hears of its giving up once for all of them. */
interface Watched {
  readonly requests: Set<Cancel>;
  readonly listener: () => void;
}

/**
 * Who is to be told when a caller gives up. Requests of one caller share a listener: adding and removing one
 * costs more the more signals a signal is made of.
 */
export class Cancels {
  readonly #watched = new WeakMap<AbortSignal, Watched>();

  /** Has a request told of an abort until it is over, which is what the answer says. */
  add(signal: AbortSignal, cancel: Cancel): () => void {
    const { requests } = this.#watched.get(signal) ?? this.#watch(signal);
    requests.add(cancel);
    return () => {
      requests.delete(cancel);
      if (requests.size === 0) this.#leave(signal);
    };
  }

  #watch(signal: AbortSignal): Watched {
    const requests = new Set<Cancel>();
    const listener = (): void => {
      for (const cancel of requests) cancel();
    };
    signal.addEventListener("abort", listener, { once: true });
    const watched = { requests, listener };
    this.#watched.set(signal, watched);
    return watched;
  }

  /** A signal that nobody listens to may be forgotten with those that it is made of. */
  #leave(signal: AbortSignal): void {
    const watched = this.#watched.get(signal);
    if (watched !== undefined) signal.removeEventListener("abort", watched.listener);
    this.#watched.delete(signal);
  }
}
