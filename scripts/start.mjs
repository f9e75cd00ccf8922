/**
 * What `npm start` runs once everything is installed and built: the sample APIs in this process, and
 * `plasm serve` beside them on the same data directory. Arguments after `--` go to `plasm serve`; those of
 * the sample APIs are taken out. When either cannot start, neither stays.
 */
import { join } from "node:path";
import { StartError, startSampleApis } from "../apps/sample-apis/src/index.ts";
import { forward } from "./boot/forward.mjs";
import { root } from "./boot/versions.mjs";
import { prepareDataDirectory } from "./start/data-directory.mjs";
import { readStartArguments } from "./start/read-arguments.mjs";

const cli = join(root, "apps/cli/dist/plasm.mjs");

const main = async (args) => {
  const { dataDir, samplePorts, serve } = readStartArguments(args, root);
  prepareDataDirectory(dataDir);
  const apis = await startSampleApis({
    dataDir: join(dataDir, "sample-apis"),
    ports: samplePorts,
    keepRequests: 0,
  });
  try {
    console.error(`Sample APIs: quay ${apis.quay.url} · yard ${apis.yard.url}`);
    const backends = { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_BACKEND_YARD: apis.yard.url };
    const env = { ...backends, ...process.env };
    return await forward([process.execPath, cli, "serve", ...serve], env, process.cwd());
  } finally {
    await apis.close();
  }
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`plasm: ${error.message}`);
  process.exitCode = 1;
}
