import { startSampleApis } from "@plasm/sample-apis";
import { stepClock } from "./step-clock.ts";

/** The sample APIs as a process of their own: `api-main.ts DATA_DIRECTORY STEP_MS`, spoken to by its parent. */
const [dataDir = "", stepMs = ""] = process.argv.slice(2);
const clock = stepClock(Number(stepMs));
const { onRequest } = clock;
const ports = { quay: 0, yard: 0 };
const apis = await startSampleApis({ dataDir, ports, keepRequests: 0, onRequest });

process.on("message", () => process.send?.(clock.times()));
process.on("disconnect", () => process.exit());
process.send?.(apis.quay.url);
