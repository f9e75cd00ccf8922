import { join, resolve } from "node:path";
import { StartError } from "../../apps/sample-apis/src/index.ts";

const samples = ["packages/testkit/catalogs/quay", "packages/testkit/catalogs/yard"];

/** Takes the options named out of an argument vector: their values by name, and what is left. */
const takeOptions = (args, names) => {
  const values = Object.fromEntries(names.map((name) => [name, []]));
  const rest = [];
  for (let index = 0; index < args.length; index += 1) {
    const [option, ...inline] = args[index].split("=");
    const name = option.startsWith("--") ? option.slice(2) : "";
    const hasValue = inline.length > 0 || index + 1 < args.length;
    if (!names.includes(name) || !hasValue) rest.push(args[index]);
    else if (inline.length > 0) values[name].push(inline.join("="));
    else values[name].push(args[(index += 1)]);
  }
  return { values, rest };
};

/** `--data=$DIR` with nothing in DIR must not become the caller's directory. */
const refuseEmpty = (name, texts) => {
  if (texts.every((text) => text.trim() !== "")) return;
  throw new StartError(`--${name} is empty. Name a directory.`);
};

/** As elsewhere, the last of several counts. */
const portOf = (name, texts) => {
  const text = texts.at(-1);
  if (text === undefined || (/^\d+$/.test(text) && Number(text) <= 65_535)) {
    return text === undefined ? undefined : Number(text);
  }
  throw new StartError(`--${name} takes a port from 0 to 65535, not ${JSON.stringify(text)}.`);
};

/**
 * What `npm start -- …` asks for. Data is kept in `.data` of the repository unless told otherwise; the
 * sample catalogs are always there, and `catalogs/` unless other directories are named. Relative paths
 * are the caller's, who need not stand in the repository. Throws StartError for a port or a directory that is none.
 */
export const readStartArguments = (args, root, from = process.env.INIT_CWD ?? process.cwd()) => {
  const names = ["data", "catalogs", "quay-port", "yard-port"];
  const { values, rest } = takeOptions(args, names);
  refuseEmpty("data", values.data);
  refuseEmpty("catalogs", values.catalogs);
  const dataDir = resolve(from, values.data.at(-1) ?? join(root, ".data"));
  const chosen = values.catalogs.map((directory) => resolve(from, directory));
  const catalogs = [
    ...samples.map((directory) => join(root, directory)),
    ...(chosen.length > 0 ? chosen : [join(root, "catalogs")]),
  ];
  return {
    dataDir,
    samplePorts: {
      quay: portOf("quay-port", values["quay-port"]),
      yard: portOf("yard-port", values["yard-port"]),
    },
    serve: [`--data=${dataDir}`, ...catalogs.map((path) => `--catalogs=${path}`), ...rest],
  };
};
