import { metrics, type ObservableResult } from "@opentelemetry/api";
import type { Storage } from "../ports.ts";

/** Figures that an application which has set up OpenTelemetry's metrics collects, in bytes. */
const FIGURES = {
  "plasm.store.used": "used",
  "plasm.store.on_disk": "onDisk",
  "plasm.store.limit": "limit",
  "plasm.rows.spilled": "spilled",
} as const satisfies Readonly<Record<string, keyof Storage>>;

/** Has metrics say how full a store is, and what rows take of the disk beside it; gives what ends it. */
export function meterStore(storage: () => Promise<Storage | null>): () => void {
  const meter = metrics.getMeter("plasm");
  const ends = Object.entries(FIGURES).map(([name, figure]) => {
    const gauge = meter.createObservableGauge(name, { unit: "By" });
    const observe = async (result: ObservableResult): Promise<void> => {
      const found = await storage();
      if (found !== null) result.observe(found[figure]);
    };
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });
  return () => {
    for (const end of ends) end();
  };
}
