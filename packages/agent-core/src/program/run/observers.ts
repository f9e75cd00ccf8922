import {
  context,
  type Context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { Policy } from "@plasm/core";
import type { RunObserver, StartedNode, StartedRequest } from "@plasm/runtime";
import type { TraceSink } from "../../ports.ts";
import type { Caller } from "../../identity/caller.ts";
import { type QuotaLedger, whoUses } from "../../quotas/ledger.ts";
import type { TraceKey } from "../../records/traces.ts";

/** Asked for anew by each run, since one that is kept stays with the SDK of its first span. */
const tracer = () => trace.getTracer("@plasm/agent-core");

const NONE: readonly (readonly [string, string])[] = Object.freeze([]);

/** The first status of HTTP that is a failure. */
const FAILED_STATUS = 400;

function end(span: Span, failed: boolean): void {
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const nodeSpan = (
  spans: Tracer,
  run: string,
  { id, kind, entryId }: StartedNode,
  around: Context,
): Span =>
  spans.startSpan(
    `node ${kind}`,
    {
      attributes: {
        "plasm.run": run,
        "plasm.node": id,
        "plasm.node.kind": kind,
        ...(entryId === null ? {} : { "plasm.catalog": entryId }),
      },
    },
    around,
  );

const requestSpan = (spans: Tracer, run: string, sent: StartedRequest, around: Context): Span =>
  spans.startSpan(
    `${sent.method} ${sent.pathTemplate}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        "plasm.run": run,
        "plasm.node": sent.node,
        "plasm.catalog": sent.entryId,
        "plasm.attempt": sent.attempt,
        "http.request.method": sent.method,
        "server.address": sent.origin,
        "url.template": sent.pathTemplate,
      },
    },
    around,
  );

function headersOf(within: Context): readonly (readonly [string, string])[] {
  const carrier: Record<string, string> = {};
  propagation.inject(within, carrier);
  return Object.entries(carrier);
}

/**
 * A span for each node and each request of a run, under the call that is under way; nothing where no SDK is set
 * up. `propagate` has APIs told of it by `traceparent`. No attribute holds an argument, a row or a secret (SURF-27).
 */
export function spannedRun(run: string, propagate: boolean): RunObserver {
  const around = context.active();
  const spans = tracer();
  const nodes = new Map<string, Context>();
  return {
    node: (node) => {
      const span = nodeSpan(spans, run, node, around);
      nodes.set(node.id, trace.setSpan(around, span));
      return ({ status, rows }) => {
        span.setAttributes({ "plasm.node.status": status, "plasm.rows": rows });
        end(span, status === "failed");
      };
    },
    request: (sent) => {
      const parent = nodes.get(sent.node) ?? around;
      const span = requestSpan(spans, run, sent, parent);
      return {
        headers: propagate ? headersOf(trace.setSpan(parent, span)) : NONE,
        ended: (status) => {
          if (status !== null) span.setAttribute("http.response.status_code", status);
          end(span, status === null || status >= FAILED_STATUS);
        },
      };
    },
  };
}

/** Tells a trace of the nodes and requests of a run (SURF-29). */
export const tracedRun = (trace: TraceSink, place: TraceKey, run: string): RunObserver => ({
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

/** Counts requests and rows of a run against its tenant's quotas, where there are any (OPS-52). */
export function countedRun(
  ledger: QuotaLedger,
  caller: Caller,
  { quotas }: Policy,
  observer: RunObserver,
): RunObserver {
  if (quotas === undefined) return observer;
  const who = whoUses(caller);
  return observeBoth(observer, {
    node:
      ({ entryId }) =>
      ({ rows }) => {
        if (entryId !== null) ledger.note(who, quotas, entryId, { rows });
      },
    request: ({ entryId }) => {
      ledger.note(who, quotas, entryId, { requests: 1 });
      return { headers: NONE, ended: () => undefined };
    },
  });
}

/** One run watched by two. */
export const observeBoth = (a: RunObserver, b: RunObserver): RunObserver => ({
  node: (node) => {
    const [endA, endB] = [a.node(node), b.node(node)];
    return (how) => {
      endA(how);
      endB(how);
    };
  },
  request: (sent) => {
    const [ofA, ofB] = [a.request(sent), b.request(sent)];
    return {
      headers: ofB.headers.length === 0 ? ofA.headers : [...ofA.headers, ...ofB.headers],
      ended: (status, ms) => {
        ofA.ended(status, ms);
        ofB.ended(status, ms);
      },
    };
  },
});
