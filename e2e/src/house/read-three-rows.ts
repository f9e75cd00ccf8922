/**
 * Runs one read of three rows in this process and prints which product files and how many functions it entered.
 * The engine, its session and the plan's table are there before; the call alone is counted.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPlasm } from "@plasm/agent-core";
import { startSampleApis } from "@plasm/sample-apis";
import { openSqliteStore } from "@plasm/store";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const PRODUCT = /^(packages|apps|plugins)\/(?!testkit|sample-apis)[^/]+\/src\//;

const dataDir = await mkdtemp(join(tmpdir(), "plasm-walk-"));
const apis = await startSampleApis({
  dataDir: join(dataDir, "apis"),
  ports: { quay: 0, yard: 0 },
});
const plasm = await openPlasm({
  catalogs: [join(root, "packages/testkit/catalogs/quay")],
  store: await openSqliteStore({ dataDir: join(dataDir, "plasm") }),
  backends: { quay: apis.quay.url },
});
const session = plasm.session();
await session.context({ intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] });

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await inspector.post("Profiler.takePreciseCoverage");
const { results } = await session.run("Boat.limit(3)[id, name]");
const { result } = await inspector.post("Profiler.takePreciseCoverage");
inspector.disconnect();

const entered = result
  .filter(({ url }) => url.startsWith("file:"))
  .map(({ url, functions }) => ({
    path: fileURLToPath(url).slice(root.length),
    functions: functions.filter(
      ({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0,
    ).length,
  }))
  .filter(({ path, functions }) => PRODUCT.test(path) && functions > 0);

await plasm.close();
await apis.close();
await rm(dataDir, { recursive: true, force: true });
console.log(
  JSON.stringify({
    rows: results[0]?.rows.length ?? 0,
    files: entered.length,
    functions: entered.reduce((sum, { functions }) => sum + functions, 0),
    paths: entered.map(({ path }) => path).toSorted(),
  }),
);
