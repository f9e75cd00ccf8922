/**
 * Builds every package in dependency order; turbo skips what has not changed. Silent unless something
 * fails. Extra arguments go to turbo (`node scripts/build.mjs --filter @plasm/core`).
 */
import { capture } from "./boot/capture.mjs";
import { root } from "./boot/versions.mjs";

const { code, stdout, stderr } = await capture(
  [
    "node_modules/.bin/turbo",
    "run",
    "build",
    "--output-logs=errors-only",
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    note: "building (a minute at most the first time)",
  },
);
if (code !== 0) console.error(`${stdout}\n${stderr}`);
process.exitCode = code;
