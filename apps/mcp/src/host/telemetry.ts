import { HostStartError } from "./host-start-error.ts";
import { VERSION } from "../version.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Spans on their way to a collector. */
export interface Telemetry {
  /** Sends what is left, and makes no more. */
  close(): Promise<void>;
}

const NONE: Telemetry = Object.freeze({ close: async () => undefined });

const textOf = (env: Env, name: string): string => env[name]?.trim() ?? "";

/** Where spans go, by the variables of the OpenTelemetry specification; null where they go nowhere. */
export function collectorOf(env: Env): string | null {
  if (textOf(env, "OTEL_SDK_DISABLED").toLowerCase() === "true") return null;
  const exporter = textOf(env, "OTEL_TRACES_EXPORTER");
  if (exporter === "none") return null;
  const own = textOf(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const shared = textOf(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (own === "" && shared === "") return null;
  if (exporter !== "" && exporter !== "otlp") {
    throw new HostStartError(`OTEL_TRACES_EXPORTER=${exporter} is not known: otlp and none are.`);
  }
  const protocol =
    textOf(env, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || textOf(env, "OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol !== "" && protocol !== "http/json") {
    throw new HostStartError(
      `OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} is not spoken: http/json is, which collectors take on port 4318.`,
    );
  }
  const url = own === "" ? `${shared.replace(/\/+$/, "")}/v1/traces` : own;
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  const name = own === "" ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
  throw new HostStartError(`${name} is no address: one like http://127.0.0.1:4318 is.`);
}

/** Whether APIs are told whose trace their requests are of: the setting `PLASM_SEND_TRACEPARENT`. */
export function sendsTraceparent(env: Env): boolean {
  const text = textOf(env, "PLASM_SEND_TRACEPARENT");
  if (text === "" || text === "0" || text === "1") return text === "1";
  throw new HostStartError(`PLASM_SEND_TRACEPARENT=${text} is not known: 1 and 0 are.`);
}

/**
 * Sends spans to a collector over OTLP, where the standard variables name one; nothing is loaded and nothing is
 * measured otherwise. Throws HostStartError.
 */
export async function openTelemetry(env: Env): Promise<Telemetry> {
  const url = collectorOf(env);
  if (url === null) return NONE;
  const [{ context, propagation, trace }, sdk, otlp, async, core, resources] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url });
  const service = textOf(env, "OTEL_SERVICE_NAME") || "plasm";
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
