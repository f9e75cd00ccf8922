import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Endings } from "../endings.ts";
import { freePort } from "../free-port.ts";
import { requireCommand } from "../require-command.ts";
import { startServerProcess } from "../server-process.ts";
import { configuration, RULES } from "./configuration.ts";
import { type PrometheusApi, prometheusApi } from "./prometheus-api.ts";
import { startSampleProgram } from "./sample-program.ts";

export interface Prometheus {
  /** origin without a final slash, on 127.0.0.1 */
  readonly url: string;
  readonly api: PrometheusApi;
}

/** Nobody listens on the discard port, and nobody without root could. */
const NOBODY = "127.0.0.1:9";
const SETTLE_TIMEOUT_MS = 30_000;
const POLL_MS = 200;

interface AlertRecord {
  readonly labels: { readonly alertname: string };
  readonly state: string;
}

/** Jobs scraped twice, ratios recorded and alerts by state once it has settled: all stay as they are. */
const SETTLED = "3 scraped, 2 recorded, InstanceDown firing, ManyErrors pending";

async function state(api: PrometheusApi): Promise<string> {
  const scraped = await api.vector("count_over_time(up[1m]) > 1");
  const recorded = await api.vector("service:errors:ratio");
  const { alerts } = await api.data<{ readonly alerts: readonly AlertRecord[] }>("alerts");
  const states = alerts.map(({ labels, state }) => `${labels.alertname} ${state}`).toSorted();
  return [`${scraped.length} scraped`, `${recorded.length} recorded`, ...states].join(", ");
}

/**
 * Starts a private Prometheus that watches itself, a sample program and one target that is down, and waits
 * until its first scrapes and rules are in. Throws if it is not installed.
 */
export async function startPrometheus(endings: Endings): Promise<Prometheus> {
  const command = requireCommand("/usr/bin/prometheus");
  const dir = await endings.directory("prometheus");
  const shop = await startSampleProgram();
  endings.add(() => shop.close());
  const self = `127.0.0.1:${await freePort()}`;
  await mkdir(join(dir, "data"));
  await writeFile(
    join(dir, "prometheus.yml"),
    configuration({ self, shop: shop.address, nobody: NOBODY }),
  );
  await writeFile(join(dir, "rules.yml"), RULES);
  const { url, close } = await startServerProcess({
    name: "Prometheus",
    command,
    args: [
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=data",
      `--web.listen-address=${self}`,
    ],
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir },
    address: () => `http://${self}`,
    probe: "/-/ready",
  });
  endings.add(close);
  const api = prometheusApi(url);
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (let now = await state(api); now !== SETTLED; now = await state(api)) {
    if (Date.now() > deadline) throw new Error(`Prometheus has not settled: ${now}`);
    await sleep(POLL_MS);
  }
  return { url, api };
}
