import { parseArgs } from "node:util";
import { defaultPorts, startSampleApis } from "./start-sample-apis.ts";
import { StartError } from "./start-error.ts";

const main = async (): Promise<void> => {
  const options = readArguments(process.argv.slice(2));
  const apis = await startSampleApis({ ...options, keepRequests: 0 });
  console.log(`quay ${apis.quay.url}\nyard ${apis.yard.url}\ndata ${options.dataDir}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void apis.close());
  }
};

const usage = "usage: main.ts [--data DIR] [--quay-port PORT] [--yard-port PORT]";

interface Arguments {
  readonly dataDir: string;
  readonly ports: { readonly quay: number; readonly yard: number };
}

const defaultData = ".data/sample-apis";

const readPort = (option: string, text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new StartError(`--${option} takes a port from 0 to 65535, not ${JSON.stringify(text)}.`);
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        data: { type: "string", default: defaultData },
        "quay-port": { type: "string" },
        "yard-port": { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
};

/** Reads the command line; throws StartError naming the argument that is wrong. */
const readArguments = (args: readonly string[]): Arguments => {
  const values = parse(args);
  return {
    dataDir: values.data,
    ports: {
      quay: readPort("quay-port", values["quay-port"], defaultPorts.quay),
      yard: readPort("yard-port", values["yard-port"], defaultPorts.yard),
    },
  };
};

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
