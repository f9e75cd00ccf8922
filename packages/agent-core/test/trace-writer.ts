import type { Store } from "../src/store-port.ts";
import type { TraceFact } from "../src/records/traces.ts";
import { LOCAL } from "../src/identity/caller.ts";
import { TraceHub } from "../src/trace/trace-hub.ts";

/** Writes traces as an engine does, without one: for tests of stores that several processes share (P12). */
export interface TraceWriter {
  /** Notes a fact in the trace of an execute session of local callers. */
  note(owner: string, fact: TraceFact): void;
  /** Resolves when what was noted is written. */
  flush(): Promise<void>;
  /** Writes what there is, and nothing that comes later. */
  stop(): Promise<void>;
}

/** A writer that fails where the store refuses what it writes. */
export function traceWriter(store: Store): TraceWriter {
  const hub = new TraceHub({
    store,
    announce: () => undefined,
    count: () => undefined,
    warn: (_what, cause) => {
      throw cause;
    },
  });
  const { scope } = LOCAL;
  return {
    note: (owner, fact) => hub.note({ scope, owner, kind: "execute", subject: null }, fact),
    flush: () => hub.flush(),
    stop: () => hub.stop(),
  };
}
