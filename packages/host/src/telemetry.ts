import { context, propagation, trace } from "@opentelemetry/api";
import { choiceIn, HostStartError, settingIn, type Environment } from "./environment.ts";
import { VERSION } from "./version.ts";

/** Spans on their way to a collector. */
export interface Telemetry {
  /** Sends what is left, and starts no more. */
  close(): Promise<void>;
}

const NONE: Telemetry = Object.freeze({ close: async () => undefined });

/** What goes to a collector; spans go wherever one is named, figures where they are asked for. */
export type Signal = "traces" | "metrics";

/**
 * Returns where spans or figures go, by the variables of the OpenTelemetry specification; null for nowhere. Throws
 * HostStartError.
 */
export function collectorOf(env: Environment, signal: Signal = "traces"): string | null {
  if (settingIn(env, "OTEL_SDK_DISABLED").toLowerCase() === "true") return null;
  const [exporterName, prefix] = [
    `OTEL_${signal.toUpperCase()}_EXPORTER`,
    `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}`,
  ];
  const exporter = settingIn(env, exporterName);
  if (exporter === "none") return null;
  const own = settingIn(env, `${prefix}_ENDPOINT`);
  const shared = settingIn(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (own === "" && (shared === "" || (signal === "metrics" && exporter === ""))) return null;
  if (exporter !== "" && exporter !== "otlp") {
    throw new HostStartError(`${exporterName} must be otlp or none, got "${exporter}".`);
  }
  const protocol =
    settingIn(env, `${prefix}_PROTOCOL`) || settingIn(env, "OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol !== "" && protocol !== "http/json") {
    throw new HostStartError(
      `OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, which collectors accept on port 4318, got "${protocol}".`,
    );
  }
  const url = own === "" ? `${shared.replace(/(?<!\/)\/+$/, "")}/v1/${signal}` : own;
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  const name = own === "" ? "OTEL_EXPORTER_OTLP_ENDPOINT" : `${prefix}_ENDPOINT`;
  throw new HostStartError(`${name} must be an address such as http://127.0.0.1:4318.`);
}

/** Whether requests to APIs carry the trace they belong to: the setting `PLASM_SEND_TRACEPARENT`. Throws HostStartError. */
export const sendsTraceparent = (env: Environment): boolean =>
  choiceIn(env, "PLASM_SEND_TRACEPARENT", ["0", "1"]) === "1";

/**
 * Sends spans to a collector over OTLP, where the standard variables name one; otherwise loads and measures nothing. Throws HostStartError.
 */
export async function openTelemetry(env: Environment): Promise<Telemetry> {
  const url = collectorOf(env);
  if (url === null) return NONE;
  const [sdk, otlp, async, core, resources] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url });
  const service = settingIn(env, "OTEL_SERVICE_NAME") || "plasm";
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      "service.name": service,
      "service.version": VERSION,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  // An application that has set up its own keeps it.
  const own = trace.setGlobalTracerProvider(provider);
  if (own) {
    context.setGlobalContextManager(new async.AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  }
  return {
    close: async () => {
      await provider.shutdown();
      if (!own) return;
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/** The fields of W3C Trace Context; baggage is ignored. */
const FIELDS = ["traceparent", "tracestate"] as const;

/**
 * Does work as part of the caller's trace, if `read` returns `traceparent` and `tracestate` of the message (HTTP
 * headers, or `_meta` of MCP), else as part of the current one.
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
