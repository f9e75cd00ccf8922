import { type CredentialOwner, type StoredCredential, sharedLabel } from "@plasm/runtime";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { EXIT, failedError, usageError } from "../cli-error.ts";
import { addAuthLogin, addAuthRevoke } from "./auth-login.ts";
import { DATA_OPTION, appended, withOwnerOptions } from "./options.ts";
import {
  type OwnerOptions,
  catalogIdOf,
  changer,
  checkKeyName,
  credentialsOf,
  isOfCatalog,
  nameOfKey,
  ownerOf,
  usedUnnamed,
  withFiles,
} from "./stored-credentials.ts";
import { askSecret } from "./typed-key.ts";

interface ShareOptions extends OwnerOptions {
  readonly data?: string;
  readonly with?: readonly string[];
  readonly from?: readonly string[];
}

/** Changes who may use an account, its further keys included: one that is shared already, or else one that is somebody's own. */
async function share(
  cli: CliContext,
  name: string,
  options: ShareOptions,
  isUnshared: boolean,
  change: (users: readonly string[]) => readonly string[],
): Promise<void> {
  const { account, tenant } = options;
  if (catalogIdOf(name) === null || account === undefined || tenant === undefined)
    throw usageError(
      "Name the account and the tenant: plasm auth share ID --account LABEL --tenant TENANT --with USER.",
    );
  const own = ownerOf(name, "secret", options);
  const shared = ownerOf(name, "secret", { account: sharedLabel(account), tenant });
  const stored = await credentialsOf(cli, options.data);
  const done = await withFiles(stored, async () => {
    const all = stored.files.list();
    const isShared = isUnshared || !all.some((one) => isSame(one, own));
    return stored.files.share(isShared ? shared : own, changer(), change);
  });
  if (done === null)
    throw failedError(
      `No credential for ${nameOfKey(own.key)} is stored in ${stored.dataDir}. plasm auth list shows them.`,
    );
  cli.out(sharedText(done));
}

const isSame = (one: CredentialOwner, other: CredentialOwner): boolean =>
  one.key === other.key && one.tenant === other.tenant && one.principal === other.principal;

function sharedText({ key, tenant, shared }: StoredCredential): string {
  const users = shared?.users ?? [];
  return users.length === 0
    ? `${nameOfKey(key)} of tenant ${tenant} is shared with nobody now.`
    : `${nameOfKey(key)} of tenant ${tenant} is shared with ${users.join(", ")}, and used by nobody else.`;
}

const withShareOptions = (command: Command): Command =>
  command
    .argument("<id>", "the catalog's id")
    .requiredOption("--account <label>", "the account that is shared")
    .requiredOption("--tenant <tenant>", "the tenant whose users use it")
    .option(...DATA_OPTION);

/** `plasm auth share` and `unshare`: an account that some users of a tenant use (RUN-184). */
function addAuthShare(auth: Command, cli: CliContext): void {
  withShareOptions(
    auth
      .command("share")
      .description("Share an account with users of its tenant, and nobody else."),
  )
    .option("--principal <user>", "the user whose own account it is so far")
    .requiredOption(
      "--with <user>",
      "a user who may use it; may be given several times",
      appended,
      [],
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ plasm auth share CATALOG --account work --tenant acme --with ann --with bob",
    )
    .action((name: string, options: ShareOptions) =>
      share(cli, name, options, false, (users) => [
        ...users,
        ...(options.principal === undefined ? [] : [options.principal]),
        ...(options.with ?? []),
      ]),
    );
  withShareOptions(
    auth.command("unshare").description("Take users from those who may use a shared account."),
  )
    .requiredOption(
      "--from <user>",
      "a user who may use it no longer; may be given several times",
      appended,
      [],
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ plasm auth unshare CATALOG --account shared/work --tenant acme --from bob",
    )
    .action((name: string, options: ShareOptions) =>
      share(cli, name, options, true, (users) =>
        users.filter((user) => options.from?.includes(user) !== true),
      ),
    );
}

/** `plasm auth …`: the credentials that a server of this machine uses for its catalogs. */
export function addAuth(program: Command, cli: CliContext): void {
  const auth = program
    .command("auth")
    .description("Keep the credentials of catalogs in the data directory of the server.");
  addAuthSet(auth, cli);
  addAuthList(auth, cli);
  addAuthRemove(auth, cli);
  addAuthRotateKey(auth, cli);
  addAuthLogin(auth, cli);
  addAuthRevoke(auth, cli);
  addAuthShare(auth, cli);
}

const whose = ({ tenant, principal, shared }: StoredCredential): string => {
  if (tenant === null) return "all callers";
  if (shared !== undefined) {
    const by = shared.by === null ? "" : ` by ${shared.by}`;
    return `tenant ${tenant}, shared${by} with ${shared.users.join(", ") || "nobody"}`;
  }
  return principal === null ? `tenant ${tenant}` : `${principal} of tenant ${tenant}`;
};

const line = (one: StoredCredential): string =>
  `${nameOfKey(one.key)} · ${whose(one)} · ${new Date(one.changedAt).toISOString()}`;

async function list(cli: CliContext, data: string | undefined): Promise<void> {
  const stored = await credentialsOf(cli, data);
  const all = await withFiles(stored, () => stored.files.list());
  const { dataDir } = stored;
  if (all.length === 0) {
    cli.out(`No credentials in ${dataDir}. plasm auth set ID stores one.`);
    return;
  }
  cli.out([`Credentials in ${dataDir}:`, ...all.map(line)].join("\n"));
  const fault = stored.files.fault();
  if (fault === null) return;
  cli.remark(`${fault.message}.`);
  cli.endWith(EXIT.failed);
}

/** `plasm auth list`: which credentials are stored, whose and since when; never what they are. */
function addAuthList(auth: Command, cli: CliContext): void {
  auth
    .command("list")
    .description("List the credentials that are stored, without their secrets.")
    .option(...DATA_OPTION)
    .addHelpText("after", "\nExample:\n  $ plasm auth list")
    .action(({ data }: { data?: string }) => list(cli, data));
}

interface RemoveOptions extends OwnerOptions {
  readonly data?: string;
}

async function remove(cli: CliContext, name: string, options: RemoveOptions): Promise<void> {
  const entryId = catalogIdOf(name);
  const asked = ownerOf(name, "secret", options);
  const stored = await credentialsOf(cli, options.data);
  const removed = await withFiles(stored, async () => {
    // What a catalog, or an account of it, has under names of its own goes with it; other accounts stay.
    const parts = entryId === null ? [] : stored.files.list();
    const owners = [
      asked,
      ...parts.filter(
        ({ key, tenant, principal }) =>
          key !== asked.key &&
          tenant === asked.tenant &&
          principal === asked.principal &&
          isOfCatalog(key, entryId ?? "", options.account),
      ),
    ];
    const each = await Promise.all(owners.map((owner) => stored.files.remove(owner, changer())));
    const next = entryId === null ? null : usedUnnamed(entryId, asked, stored.files.list());
    return each.includes(true) ? { next } : null;
  });
  const { dataDir } = stored;
  const what = nameOfKey(asked.key);
  if (removed === null) {
    throw failedError(
      `No credential for ${what} is stored in ${dataDir}. plasm auth list shows them.`,
    );
  }
  cli.out(
    [
      `The credential for ${what} is removed from ${dataDir}.`,
      ...(removed.next === null ? [] : [removed.next]),
    ].join("\n"),
  );
}

/** `plasm auth remove`: forgets the credential of a catalog. */
function addAuthRemove(auth: Command, cli: CliContext): void {
  withOwnerOptions(
    auth
      .command("remove")
      .description("Forget the stored credential of a catalog.")
      .argument("<id>", "the catalog's id, or a hosted key plasm:outbound:…"),
  )
    .addHelpText("after", "\nExample:\n  $ plasm auth remove CATALOG")
    .action((name: string, options: RemoveOptions) => remove(cli, name, options));
}

async function rotateKey(cli: CliContext, data: string | undefined): Promise<void> {
  const stored = await credentialsOf(cli, data);
  const { keyId, made, count, place } = await withFiles(stored, () =>
    stored.files.rotateKey(changer()),
  );
  const done = `${count} ${count === 1 ? "credential is" : "credentials are"} encrypted anew in ${stored.dataDir}, with key ${keyId} of ${place}.`;
  const next = made
    ? `Earlier keys stay in ${place} for copies of the data; remove their lines when you need none of those.`
    : `To use another key, put it before the one in ${place}, run this again, and restart servers on the directory.`;
  cli.out(`${done}\n${next}`);
}

/** `plasm auth rotate-key`: encrypts what is stored with a new key (RUN-126). */
function addAuthRotateKey(auth: Command, cli: CliContext): void {
  auth
    .command("rotate-key")
    .description("Encrypt all stored credentials with a new key.")
    .option(...DATA_OPTION)
    .addHelpText("after", "\nExample:\n  $ plasm auth rotate-key")
    .action(({ data }: { data?: string }) => rotateKey(cli, data));
}

interface SetOptions extends OwnerOptions {
  readonly data?: string;
  readonly clientId?: string;
  readonly key?: string;
}

/** The secret from stdin, or from a person who types it unseen; never from the command line. */
async function readSecret(cli: CliContext, name: string): Promise<string> {
  const given = await cli.readStdin();
  const text =
    given === null
      ? await askSecret(`Secret for ${name}: `, { input: process.stdin, output: process.stderr })
      : new TextDecoder().decode(given);
  const secret = text?.trim() ?? "";
  if (secret !== "") return secret;
  throw usageError(
    `No secret was given: type it, or send it on stdin: plasm auth set ${name} < FILE`,
  );
}

async function checkSecret(secret: string, name: string): Promise<void> {
  const { credentialFault } = await import("@plasm/runtime");
  const fault = credentialFault(secret, catalogIdOf(name));
  if (fault !== null) throw usageError(`What was given for ${name} is ${fault}.`);
}

async function set(cli: CliContext, name: string, options: SetOptions): Promise<void> {
  const { clientId, key, account } = options;
  if (clientId !== undefined && catalogIdOf(name) === null) {
    throw usageError("--client-id goes with the id of a catalog, not with a hosted key.");
  }
  if (key !== undefined) {
    if (clientId !== undefined || catalogIdOf(name) === null)
      throw usageError("--key goes with the id of a catalog, and without --client-id.");
    checkKeyName(key);
  }
  const part = key ?? (clientId === undefined ? "secret" : "client_secret");
  const owner = ownerOf(name, part, options);
  const stored = await credentialsOf(cli, options.data);
  const secret = await readSecret(cli, name);
  await checkSecret(secret, name);
  await withFiles(stored, async () => {
    await stored.files.set(owner, secret, "set", changer());
    if (clientId === undefined) return;
    await stored.files.set(ownerOf(name, "client_id", options), clientId, "set", changer());
  });
  cli.out(
    `The ${key ?? "credential"} for ${account === undefined ? name : `${name} account ${account}`} is stored in ${stored.dataDir}; servers on that directory use it at once.`,
  );
}

/** `plasm auth set`: stores the credential of a catalog, which no command line ever holds (RUN-120). */
function addAuthSet(auth: Command, cli: CliContext): void {
  withOwnerOptions(
    auth
      .command("set")
      .description(
        "Store the credential of a catalog; the secret is typed unseen, or read from stdin.",
      )
      .argument("<id>", "the catalog's id, or a hosted key plasm:outbound:…")
      .option("--client-id <id>", "id of an OAuth client, whose secret is given")
      .option("--key <name>", "one of the keys that the catalog names under also"),
  )
    .addHelpText("after", "\nExample:\n  $ plasm auth set CATALOG < token.txt")
    .action((name: string, options: SetOptions) => set(cli, name, options));
}
