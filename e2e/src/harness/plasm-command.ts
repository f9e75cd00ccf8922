import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const inPackage = (path: string): string =>
  join(dirname(require.resolve("@plasm/cli/package.json")), path);

/** Whether what is built is of these sources. */
const BUILT = process.env["PLASM_TEST_BUILT"] === "yes";

/** Has Node read packages from their sources where what is built may be of others; that starts half as fast. */
export const CONDITIONS: readonly string[] = BUILT ? [] : ["--conditions=@plasm/source"];

/** From its sources, or as published. */
const CLI = [...CONDITIONS, inPackage(BUILT ? "dist/plasm.mjs" : "src/main.ts")];

/** Sources are compiled once for all servers of all test files, which halves their start. */
export const COMPILE_CACHE = join(
  import.meta.dirname,
  "../../node_modules/.cache/compiled-sources",
);

export interface PlasmOptions {
  readonly dataDir: string;
  /** directories with catalogs */
  readonly catalogs: readonly string[];
  /** backends and credentials, by environment variable */
  readonly env: Readonly<Record<string, string>>;
  /** further arguments of `serve` */
  readonly args?: readonly string[];
}

export interface PlasmCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The `plasm` of this checkout, with nothing of this process's settings but where keys are: tests store secrets for it. */
export function plasmCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): PlasmCommand {
  return {
    command: process.execPath,
    args: [...CLI, ...args],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: tmpdir(),
      XDG_CONFIG_HOME: process.env["XDG_CONFIG_HOME"] ?? tmpdir(),
      PLASM_LOG: "warn",
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
  };
}

/** Its `serve`, on the data, catalogs and backends given. */
export function plasmServe(options: PlasmOptions, args: readonly string[]): PlasmCommand {
  const catalogs = options.catalogs.flatMap((directory) => ["--catalogs", directory]);
  const more = [...(options.args ?? []), ...args];
  return plasmCommand(["serve", "--data", options.dataDir, ...catalogs, ...more], options.env);
}
