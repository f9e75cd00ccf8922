import { context, propagation } from "@opentelemetry/api";

/** What W3C Trace Context is told by; baggage is not heard. */
const FIELDS = ["traceparent", "tracestate"] as const;

/**
 * Does work as a part of its caller's trace, where `read` gives `traceparent` and `tracestate` of its message, as
 * HTTP headers or `_meta` of MCP have them; in the one under way otherwise.
 */
export function withinTrace<T>(read: (field: string) => unknown, work: () => T): T {
  const carrier: Record<string, string> = {};
  for (const field of FIELDS) {
    const value = read(field);
    if (typeof value === "string") carrier[field] = value;
  }
  if (carrier["traceparent"] === undefined) return work();
  return context.with(propagation.extract(context.active(), carrier), work);
}
