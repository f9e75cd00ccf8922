import { resolve } from "node:path";
import type { OpenedKeys } from "@plasm/mcp";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { defaultDataDirectory } from "../serve/data-directory.ts";
import { directory } from "../serve/directory-option.ts";
import { readEnvironment } from "../serve/read-environment.ts";

interface KeysOptions {
  readonly data?: string;
}

interface AddOptions extends KeysOptions {
  readonly subject: string;
  readonly tenant?: string;
}

/** The keys of a server, and where they are. */
async function withKeys<T>(
  cli: CliContext,
  { data }: KeysOptions,
  work: (keys: OpenedKeys["keys"], place: string) => Promise<T>,
): Promise<T> {
  // Loaded on demand: commands that talk to a server need neither engine nor store.
  const { HostStartError, openKeys } = await import("@plasm/mcp");
  const dataDir = resolve(cli.cwd, data ?? defaultDataDirectory(cli.env));
  const { env } = await readEnvironment(cli.env, dataDir, undefined);
  try {
    const { keys, place, close } = await openKeys(dataDir, env);
    try {
      return await work(keys, place);
    } finally {
      await close();
    }
  } catch (thrown) {
    if (!(thrown instanceof HostStartError)) throw thrown;
    throw failedError(thrown.message, thrown);
  }
}

/** A name that can stand in answers, logs and lists. */
const NAME = /^[\w.@:+-]{1,100}$/;

function checkName(option: string, name: string): void {
  if (NAME.test(name)) return;
  throw usageError(
    `${option} is a name of up to 100 letters, digits and . _ - @ : +, found ${JSON.stringify(name)}.`,
  );
}

/** The tenant of a key: without a name that of callers who prove nothing, whose name cannot be given. */
async function tenantOf(tenant: string | undefined, subject: string): Promise<string> {
  const { UNNAMED } = await import("@plasm/mcp");
  if (tenant === UNNAMED.tenant) {
    throw usageError(
      `No tenant can be named ${tenant}. Leave --tenant out for a server without any.`,
    );
  }
  if (tenant === undefined && subject === UNNAMED.subject) {
    throw usageError(
      `${subject} is the name of every caller that proves nothing: nobody approves plans of their own. Choose another --subject.`,
    );
  }
  return tenant ?? UNNAMED.tenant;
}

async function add(cli: CliContext, { subject, tenant, ...where }: AddOptions): Promise<void> {
  checkName("--subject", subject);
  if (tenant !== undefined) checkName("--tenant", tenant);
  const owner = { tenant: await tenantOf(tenant, subject), subject, role: "operator" } as const;
  await withKeys(cli, where, async (keys, place) => {
    const { key, record } = await keys.add(owner);
    cli.remark(
      `Key ${record.id} of operator ${subject} is kept in ${place}, hashed. It is shown this once:`,
    );
    cli.out(key);
  });
}

const list = (cli: CliContext, options: KeysOptions): Promise<void> =>
  withKeys(cli, options, async (keys, place) => {
    const all = await keys.list();
    if (all.length === 0) {
      cli.out(`No keys in ${place}. plasm keys add --subject NAME makes one.`);
      return;
    }
    const lines = all.map(
      ({ id, role, subject, tenant, createdAt }) =>
        `${id} · ${role} ${subject} · tenant ${tenant} · ${new Date(createdAt).toISOString()}`,
    );
    cli.out([`Keys in ${place}:`, ...lines].join("\n"));
  });

const remove = (cli: CliContext, id: string, options: KeysOptions): Promise<void> =>
  withKeys(cli, options, async (keys, place) => {
    if (!(await keys.remove(id))) {
      throw failedError(`No key ${JSON.stringify(id)} is in ${place}. plasm keys list shows them.`);
    }
    cli.out(`Key ${id} is removed from ${place}; servers on it refuse it at once.`);
  });

/** `plasm keys …`: the keys that a server of this machine knows people by (SURF-23). */
export function addKeys(program: Command, cli: CliContext): void {
  const keys = program
    .command("keys")
    .description("Make, list and remove the keys of operators, in the store of the server.");
  const data = ["--data <directory>", "data directory of the server", directory] as const;
  keys
    .command("add")
    .description("Make the key of an operator: printed once, kept hashed.")
    .requiredOption("--subject <name>", "who the operator is; decisions are recorded by this name")
    .option("--tenant <name>", "the operator's tenant (default: that of a server without any)")
    .option(...data)
    .addHelpText("after", "\nExample:\n  $ plasm keys add --subject ann > ann-operator-key.txt")
    .action((options: AddOptions) => add(cli, options));
  keys
    .command("list")
    .description("List the keys, without the keys themselves.")
    .option(...data)
    .action((options: KeysOptions) => list(cli, options));
  keys
    .command("remove")
    .description("Refuse a key from now on.")
    .argument("<id>", "what plasm keys list shows first")
    .option(...data)
    .action((id: string, options: KeysOptions) => remove(cli, id, options));
}
