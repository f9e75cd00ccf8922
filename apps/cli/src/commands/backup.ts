import { resolve } from "node:path";
import type * as plasmHost from "@plasm/host";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";
import { DATA_OPTION, defaultDataDirectory } from "./options.ts";

interface BackupOptions {
  readonly data?: string;
  readonly replace?: boolean;
}

type Host = typeof plasmHost;
type BackedUp = plasmHost.BackedUp;

/** Does work on the store of a server of this machine, or of the database that its environment names. */
async function onStore(
  cli: CliContext,
  { data }: BackupOptions,
  work: (host: Host, dataDir: string, env: CliContext["env"]) => Promise<BackedUp>,
): Promise<BackedUp> {
  const host = await import("@plasm/host");
  const dataDir = resolve(cli.cwd, data ?? defaultDataDirectory(cli.env));
  try {
    const { env } = await host.readEnvironment(cli.env, dataDir, undefined);
    const done = await work(host, dataDir, env);
    for (const remark of done.remarks) cli.remark(`plasm: ${remark}`);
    return done;
  } catch (thrown) {
    if (!(thrown instanceof host.HostStartError)) throw thrown;
    throw failedError(thrown.message, thrown);
  }
}

const counts = ({ rows, credentials }: BackedUp): string =>
  `${rows} rows, ${credentials} ${credentials === 1 ? "credential" : "credentials"}`;

async function makeBackup(cli: CliContext, file: string, options: BackupOptions): Promise<void> {
  const path = resolve(cli.cwd, file);
  const done = await onStore(cli, options, (host, dataDir, env) => host.backUp(dataDir, env, path));
  cli.out(`${path}: ${counts(done)}, as of one moment.`);
  cli.remark(
    "It is as secret as the store. The key of stored credentials, settings and policies are not in it: keep them elsewhere.",
  );
}

async function restoreBackup(cli: CliContext, file: string, options: BackupOptions): Promise<void> {
  const path = resolve(cli.cwd, file);
  const replace = options.replace === true;
  const done = await onStore(cli, options, (host, dataDir, env) =>
    host.restore(dataDir, env, path, { replace }),
  );
  cli.out(`Restored ${counts(done)}.`);
}

/** `plasm backup` and `plasm restore`: the store of a server as a file (OPS-54, OPS-55). */
export function addBackup(program: Command, cli: CliContext): void {
  program
    .command("backup")
    .description("Write the store of a server into a file, while it runs.")
    .argument("<file>", "a new file, such as plasm-2026-01-05.backup")
    .option(...DATA_OPTION)
    .addHelpText(
      "after",
      "\nWith PLASM_DATABASE_URL it is the store of that database. Credentials stay encrypted; their key is not in it.",
    )
    .action((file: string, options: BackupOptions) => makeBackup(cli, file, options));
  program
    .command("restore")
    .description("Fill the store of a server from such a file. Stop the server first.")
    .argument("<file>", "a file of plasm backup, of either kind of store")
    .option(...DATA_OPTION)
    .option("--replace", "remove all that the store has now")
    .action((file: string, options: BackupOptions) => restoreBackup(cli, file, options));
}
