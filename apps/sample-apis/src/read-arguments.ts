import { parseArgs } from "node:util";
import { StartError } from "./start-error.ts";
import { defaultPorts } from "./start-sample-apis.ts";

const usage = "usage: main.ts [--data DIR] [--quay-port PORT] [--yard-port PORT]";

export interface Arguments {
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
export const readArguments = (args: readonly string[]): Arguments => {
  const values = parse(args);
  return {
    dataDir: values.data,
    ports: {
      quay: readPort("quay-port", values["quay-port"], defaultPorts.quay),
      yard: readPort("yard-port", values["yard-port"], defaultPorts.yard),
    },
  };
};
