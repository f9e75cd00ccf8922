import { resolve } from "node:path";
import type { OpenedKeys } from "@plasm/host";
import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { appended, DATA_OPTION, defaultDataDirectory } from "./options.ts";

interface KeysOptions {
  readonly data?: string;
}

type AddOptions = KeysOptions & KeyOwnerOptions;

/** The keys of a server, and where they are. */
async function withKeys<T>(
  cli: CliContext,
  { data }: KeysOptions,
  work: (keys: OpenedKeys["keys"], place: string) => Promise<T>,
): Promise<T> {
  // Loaded on demand: commands that talk to a server need neither engine nor store.
  const { HostStartError, openKeys, readEnvironment } = await import("@plasm/host");
  const dataDir = resolve(cli.cwd, data ?? defaultDataDirectory(cli.env));
  try {
    const { env } = await readEnvironment(cli.env, dataDir, undefined);
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

async function add(cli: CliContext, { data, ...options }: AddOptions): Promise<void> {
  const { UNNAMED } = await import("@plasm/host");
  const owner = keyOwner(options, UNNAMED);
  await withKeys(cli, data === undefined ? {} : { data }, async (keys, place) => {
    const { key, record } = await keys.add(owner);
    const { role, subject } = owner;
    cli.remark(
      `Key ${record.id} of ${role} ${subject} is kept in ${place}, hashed. It is shown this once:`,
    );
    cli.out(key);
  });
}

const noKey = (id: string, place: string) =>
  failedError(`No key ${JSON.stringify(id)} is in ${place}. plasm keys list shows them.`);

function lineOf({ id, role, subject, tenant, ...more }: KeptKey, now: number): string {
  const { service = false, actAs = [], createdAt, rotatedAt, expiresAt, lastUsedAt } = more;
  return [
    id,
    `${role} ${subject}`,
    `tenant ${tenant}`,
    ...(service ? ["of no user"] : []),
    ...(actAs.length === 0 ? [] : [`acts for ${actAs.join(", ")}`]),
    ...(more.scopes === undefined ? [] : [`scopes ${more.scopes.join(", ")}`]),
    new Date(createdAt).toISOString(),
    ...(rotatedAt === undefined ? [] : [`rotated ${new Date(rotatedAt).toISOString()}`]),
    ...(expiresAt === undefined
      ? []
      : [`${expiresAt <= now ? "expired" : "expires"} ${new Date(expiresAt).toISOString()}`]),
    lastUsedAt === undefined ? "never used" : `used ${new Date(lastUsedAt).toISOString()}`,
  ].join(" · ");
}

const list = (cli: CliContext, options: KeysOptions): Promise<void> =>
  withKeys(cli, options, async (keys, place) => {
    const all = await keys.list();
    if (all.length === 0) {
      cli.out(`No keys in ${place}. plasm keys add --subject NAME makes one.`);
      return;
    }
    cli.out([`Keys in ${place}:`, ...all.map((key) => lineOf(key, Date.now()))].join("\n"));
  });

const remove = (cli: CliContext, id: string, options: KeysOptions): Promise<void> =>
  withKeys(cli, options, async (keys, place) => {
    if (!(await keys.remove(id))) throw noKey(id, place);
    cli.out(`Key ${id} is removed from ${place}; servers on it refuse it at once.`);
  });

const rotate = (cli: CliContext, id: string, options: KeysOptions): Promise<void> =>
  withKeys(cli, options, async (keys, place) => {
    const rotated = await keys.rotate(id);
    if (rotated === null) throw noKey(id, place);
    cli.remark(`Key ${id} in ${place} is another one now; the old one is refused at once:`);
    cli.out(rotated.key);
  });

const ADD_HELP = `
An operator decides on plans that wait, an agent calls tools and runs programs, an admin sets policies.

Examples:
  $ plasm keys add --subject ann > ann-operator-key.txt
  $ plasm keys add --role agent --tenant acme --subject ci > ci-key.txt
  $ plasm keys add --role agent --tenant acme --subject report --scope read --expires 90d
  $ plasm keys add --role agent --tenant acme --subject desk --service --act-as ann --act-as bob`;

/** `plasm keys …`: the keys that a server of this machine knows people by (SURF-23). */
export function addKeys(program: Command, cli: CliContext): void {
  const keys = program
    .command("keys")
    .description("Make, list, rotate and remove API keys, in the store of the server.");
  keys
    .command("add")
    .description("Make a key: printed once, kept hashed.")
    .requiredOption("--subject <name>", "whose it is; what is done with it is told by this name")
    .option("--tenant <name>", "the tenant (default: that of a server without any)")
    .addOption(
      new Option("--role <role>", "what it is for").choices(KEY_ROLES).default(KEY_ROLES[0]),
    )
    .addOption(
      new Option("--act-as <user>", "a user that its bearer may act for; repeatable")
        .argParser((user: string, before: readonly string[]) => appended(user, before))
        .default([], "none"),
    )
    .addOption(new Option("--service", "it stands for no user by itself").default(false))
    .addOption(
      new Option(
        "--scope <scope>",
        "what an agent may do with it: read, or effects as well; repeatable",
      )
        .argParser((scope: string, before: readonly string[]) => appended(scope, before))
        .default([], "both"),
    )
    .option("--expires <when>", "days from now such as 90d, or a date such as 2027-01-31")
    .option(...DATA_OPTION)
    .addHelpText("after", ADD_HELP)
    .action((options: AddOptions) => add(cli, options));
  keys
    .command("list")
    .description("List the keys, without the keys themselves.")
    .option(...DATA_OPTION)
    .action((options: KeysOptions) => list(cli, options));
  keys
    .command("rotate")
    .description("Make a key anew under its id, and refuse the old one from now on.")
    .argument("<id>", "what plasm keys list shows first")
    .option(...DATA_OPTION)
    .action((id: string, options: KeysOptions) => rotate(cli, id, options));
  keys
    .command("remove")
    .description("Refuse a key from now on.")
    .argument("<id>", "what plasm keys list shows first")
    .option(...DATA_OPTION)
    .action((id: string, options: KeysOptions) => remove(cli, id, options));
}

type KeyOwner = Parameters<OpenedKeys["keys"]["add"]>[0];

/** What is told of a key that was made. */
type KeptKey = Awaited<ReturnType<OpenedKeys["keys"]["list"]>>[number];

/** What a key is for, as the command line says it. */
const KEY_ROLES = ["operator", "agent", "admin", "monitor"] as const;

/** What the key of an agent is good for, as the command line says it. */
const KEY_SCOPES = ["read", "effects"] as const;

interface KeyOwnerOptions {
  readonly subject: string;
  readonly tenant?: string;
  readonly role: KeyOwner["role"];
  readonly actAs: readonly string[];
  readonly service: boolean;
  readonly scope: readonly string[];
  readonly expires?: string;
}

/** A name that can stand in answers, logs and lists. */
const NAME = /^[\w.@:+-]{1,100}$/;

/** A tenant of an issuer's tokens, as `GET /v1/whoami` tells it. */
const OF_ISSUER = /^[^|\p{Cc}]{1,200}\|(?:tenant|subject)\|[^|\p{Cc}]{1,255}$/u;

function checkName(option: string, name: string): void {
  if (NAME.test(name)) return;
  throw usageError(
    `${option} is a name of up to 100 letters, digits and . _ - @ : +, found ${JSON.stringify(name)}.`,
  );
}

/** Who calls without any proof, and the tenant of such callers: names that no key is given. */
interface Unnamed {
  readonly tenant: string;
  readonly subject: string | null;
}

/** The tenant of a key: that of callers who prove nothing is an operator's or administrator's without a name. */
function tenantOf({ tenant, subject, role }: KeyOwnerOptions, unnamed: Unnamed): string {
  if (tenant !== undefined) {
    const name = tenant.toLowerCase();
    if (name === unnamed.tenant || name.startsWith(`${unnamed.tenant}|`)) {
      throw usageError(
        `No tenant can be named ${tenant}. Leave --tenant out for a server without any.`,
      );
    }
    if (!OF_ISSUER.test(tenant)) checkName("--tenant", tenant);
    return tenant;
  }
  if (role === "agent") {
    throw usageError("An agent's key is of a tenant: give --tenant, the name of it.");
  }
  if (subject === unnamed.subject) {
    throw usageError(
      `${subject} is the name of every caller that proves nothing: nobody approves plans of their own. Choose another --subject.`,
    );
  }
  return unnamed.tenant;
}

const DAY_MS = 86_400_000;

/** When a key ends, in ms: so many days from now, or when a date begins (UTC). Throws CliError for what is none, or is past. */
function expiryOf(text: string, now: number): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/.test(text);
  const at =
    days === undefined ? (isDate ? Date.parse(text) : Number.NaN) : now + Number(days) * DAY_MS;
  // A day that a month does not have is another one of the next month.
  const isThatDay =
    days !== undefined ||
    (isDate && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10)));
  if (!isThatDay)
    throw usageError(
      `--expires is days such as 90d, or a date such as 2027-01-31, found ${JSON.stringify(text)}.`,
    );
  if (at <= now) throw usageError(`--expires ${text} has passed already.`);
  return at;
}

function scopesOf(given: readonly string[]): KeyOwner["scopes"] {
  const unknown = given.find((scope) => !KEY_SCOPES.some((one) => one === scope));
  if (unknown !== undefined)
    throw usageError(
      `--scope is one of ${KEY_SCOPES.join(", ")}, found ${JSON.stringify(unknown)}.`,
    );
  return given.length === 0 ? undefined : KEY_SCOPES.filter((scope) => given.includes(scope));
}

/** To whom a key is to be given. Throws CliError for what cannot be a name, or does not go together. */
function keyOwner(options: KeyOwnerOptions, unnamed: Unnamed): KeyOwner {
  const { subject, role, actAs, service } = options;
  checkName("--subject", subject);
  for (const user of actAs) checkName("--act-as", user);
  if (role !== "agent" && (service || actAs.length > 0)) {
    throw usageError("--service and --act-as go with --role agent.");
  }
  const scopes = scopesOf(options.scope);
  if (role !== "agent" && scopes !== undefined) throw usageError("--scope goes with --role agent.");
  const { expires } = options;
  return {
    tenant: tenantOf(options, unnamed),
    subject,
    role,
    ...(scopes === undefined ? {} : { scopes }),
    ...(expires === undefined ? {} : { expiresAt: expiryOf(expires, Date.now()) }),
    ...(actAs.length === 0 ? {} : { actAs: [...new Set(actAs)] }),
    ...(service ? { service } : {}),
  };
}
