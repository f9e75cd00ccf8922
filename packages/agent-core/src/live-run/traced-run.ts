import type { RunObserver } from "@plasm/runtime";
import type { TraceSink } from "../ports.ts";
import type { TracePlace } from "../records/trace-record.ts";

const NONE = Object.freeze([]);

/** Tells a trace of the nodes and requests of a run (SURF-29). */
export const tracedRun = (trace: TraceSink, place: TracePlace, run: string): RunObserver => ({
  node: ({ id, kind, entryId }) => {
    const began = performance.now();
    return ({ status, rows }) =>
      trace.note(place, {
        type: "node",
        run,
        node: id,
        kind,
        entry_id: entryId,
        status,
        rows,
        ms: Math.round(performance.now() - began),
      });
  },
  request: ({ node, entryId, method, origin, pathTemplate, attempt }) => ({
    headers: NONE,
    ended: (status, ms) =>
      trace.note(place, {
        type: "request",
        run,
        node,
        entry_id: entryId,
        method,
        origin,
        path: pathTemplate,
        attempt,
        status,
        ms,
      }),
  }),
});
