import { readArguments } from "./read-arguments.ts";
import { StartError } from "./start-error.ts";
import { startSampleApis } from "./start-sample-apis.ts";

const main = async (): Promise<void> => {
  const options = readArguments(process.argv.slice(2));
  const apis = await startSampleApis({ ...options, keepRequests: 0 });
  console.log(`quay ${apis.quay.url}\nyard ${apis.yard.url}\ndata ${options.dataDir}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void apis.close());
  }
};

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
