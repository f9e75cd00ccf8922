import { metrics } from "@opentelemetry/api";
import { choiceIn, type Environment, settingIn } from "./environment.ts";
import { collectorOf } from "./telemetry.ts";
import { VERSION } from "./version.ts";

/** The figures of a process. */
export interface Metrics {
  /** They as Prometheus reads them; null where they are not read here. */
  readonly text: (() => Promise<string>) | null;
  /** Sends what is left, and counts no more. */
  close(): Promise<void>;
}

/** What `text` is, as its content type. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const NONE: Metrics = Object.freeze({ text: null, close: async () => undefined });

/** Whether the figures of this process can be read at /metrics: the setting `PLASM_METRICS`. Throws HostStartError. */
const areRead = (env: Environment): boolean => choiceIn(env, "PLASM_METRICS", ["0", "1"]) === "1";

/**
 * Counts what this process does where `PLASM_METRICS` or the variables of OpenTelemetry ask for it; otherwise loads and
 * counts nothing (OPS-44). To be called before the engine is made: instruments that stand before count nothing. Throws HostStartError.
 */
export async function openMetrics(env: Environment): Promise<Metrics> {
  const [isRead, url] = [areRead(env), collectorOf(env, "metrics")];
  if (!isRead && url === null) return NONE;
  const [sdk, prometheus, resources] = await Promise.all([
    import("@opentelemetry/sdk-metrics"),
    import("@opentelemetry/exporter-prometheus"),
    import("@opentelemetry/resources"),
  ]);
  const reader = new prometheus.PrometheusExporter({ preventServerStart: true });
  const readers = [reader, ...(url === null ? [] : [await sender(url)])];
  const provider = new sdk.MeterProvider({
    resource: resources.resourceFromAttributes({
      "service.name": settingIn(env, "OTEL_SERVICE_NAME") || "plasm",
      "service.version": VERSION,
    }),
    readers,
  });
  // An application that has set up its own keeps it.
  const own = metrics.setGlobalMeterProvider(provider);
  const serializer = new prometheus.PrometheusSerializer("", false, undefined, true, true);
  const text = async (): Promise<string> => {
    const { resourceMetrics, errors } = await reader.collect();
    if (errors.length > 0) throw new AggregateError(errors, "Figures could not be read");
    return serializer.serialize(resourceMetrics);
  };
  return {
    text: isRead && own ? text : null,
    close: async () => {
      await provider.shutdown();
      if (own) metrics.disable();
    },
  };
}

/** Sends figures to a collector once a minute. */
async function sender(url: string) {
  const [sdk, otlp] = await Promise.all([
    import("@opentelemetry/sdk-metrics"),
    import("@opentelemetry/exporter-metrics-otlp-http"),
  ]);
  return new sdk.PeriodicExportingMetricReader({ exporter: new otlp.OTLPMetricExporter({ url }) });
}
