/**
 * The long part of `pnpm prove`: properties that the test suite tries a hundred times or so are tried 20,000
 * times here, or as often as the first argument says. Writes bench/results/properties.json: of each what it
 * says, how often it was tried, and whether it held. Fails if one did not.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { capture } from "./boot/capture.mjs";
import { root } from "./boot/versions.mjs";

const properties = [
  {
    id: "P27",
    says: "performed effects = reported effects, in what a run of the runtime tells",
    package: "packages/runtime",
    test: "src/execute/effects/performed.property.test.ts",
    paths: ["packages/core/src", "packages/runtime/src"],
  },
  {
    id: "P27",
    says: "performed effects = reported effects, in text and data of the engine's answers",
    package: "e2e",
    test: "src/engine/performed-reported.test.ts",
    paths: ["packages/agent-core/src", "packages/store/src"],
  },
];

const asked = process.argv[2] ?? "20000";
if (!/^[1-9][0-9]{0,8}$/.test(asked)) {
  console.error(`prove-properties: ${asked} is no number of runs`);
  process.exit(2);
}

const prove = async (property) => {
  const started = performance.now();
  const { code, stdout, stderr } = await capture(["pnpm", "exec", "vitest", "run", property.test], {
    cwd: join(root, property.package),
    env: { ...process.env, PLASM_PROPERTY_RUNS: asked },
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  const holds = code === 0;
  console.log(
    `${holds ? "holds" : "FAILS"}  ${property.id}  ${asked} runs  ${seconds} s  ${property.says}`,
  );
  if (!holds) console.log(`${stdout}${stderr}`.trimEnd().slice(-4000));
  return { id: property.id, says: property.says, runs: Number(asked), seconds, holds };
};

const { stdout: head } = await capture(["git", "rev-parse", "HEAD"], { cwd: root });
const results = [];
for (const property of properties) results.push(await prove(property));
const file = {
  name: "properties",
  commit: head.trim(),
  paths: [...new Set(properties.flatMap(({ paths }) => paths))].toSorted(),
  seed: null,
  machine: { node: process.version, cpus: availableParallelism() },
  properties: results,
};
mkdirSync(join(root, "bench/results"), { recursive: true });
writeFileSync(join(root, "bench/results/properties.json"), `${JSON.stringify(file, null, 2)}\n`);
process.exitCode = results.every(({ holds }) => holds) ? 0 : 1;
