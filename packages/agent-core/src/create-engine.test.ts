import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metrics, type MeterProvider } from "@opentelemetry/api";
import { openSpillPlace } from "@plasm/runtime";
import { afterEach, expect, test } from "vitest";
import { boatsApi } from "../test/boats-api.ts";
import { agentOn, engineOn } from "../test/engine-on.ts";
import { testStore } from "../test/test-store.ts";

type Observe = (result: { observe(value: number): void }) => Promise<void>;

/** What an application that has set up metrics reads: each gauge by its name. */
function readMetrics(): () => Promise<Readonly<Record<string, number>>> {
  const gauges = new Map<string, Set<Observe>>();
  const createObservableGauge = (name: string) => {
    const all = gauges.get(name) ?? new Set<Observe>();
    gauges.set(name, all);
    return {
      addCallback: (observe: Observe) => all.add(observe),
      removeCallback: (observe: Observe) => all.delete(observe),
    };
  };
  const count = () => ({ add: () => undefined, record: () => undefined });
  const provider = {
    getMeter: () => ({ createObservableGauge, createCounter: count, createHistogram: count }),
  };
  metrics.setGlobalMeterProvider(provider as unknown as MeterProvider);
  return async () => {
    const read: Record<string, number> = {};
    for (const [name, all] of gauges) {
      for (const observe of all) await observe({ observe: (value) => void (read[name] = value) });
    }
    return read;
  };
}

afterEach(() => metrics.disable());

const ROWS = 8_000;
const note = "n".repeat(2_000);
const items = Array.from({ length: ROWS }, (_none, at) => ({
  id: `b${at}`,
  name: `Boat ${at}`,
  note: `${note}${at}`,
}));

test("18.6 a gauge says how many bytes of rows are on the disk while a run is under way", async () => {
  const read = readMetrics();
  const directory = mkdtempSync(join(tmpdir(), "plasm-gauge-"));
  const spill = openSpillPlace(directory, 64 * 1024 * 1024);
  const api = boatsApi(1);
  let reading = 0;
  api.before = async ({ path }) => {
    if (path.split("?")[0] !== "/boats") return null;
    reading = Math.max(reading, (await read())["plasm.rows.spilled"] ?? 0);
    const page = path.includes("page=2") ? 2 : 1;
    const half = page === 1 ? items.slice(0, ROWS / 2) : items.slice(ROWS / 2);
    return { status: 200, json: { items: half, page, total: ROWS } };
  };
  const engine = engineOn({ store: testStore(), api, ...(spill === null ? {} : { spill }) });
  const agent = await agentOn(engine, "boats");
  expect((await read())["plasm.rows.spilled"]).toBe(0);
  const { text } = await agent.run("Boat.sort(name).limit(1)[id]", { force: true, wait: true });
  expect(text).toContain("b0");
  expect(reading).toBeGreaterThan(1024 * 1024);
  expect(await engine.storage()).toMatchObject({ spilled: 0 });
  await engine.close();
  expect(await read()).toEqual({});
  rmSync(directory, { recursive: true, force: true });
});
