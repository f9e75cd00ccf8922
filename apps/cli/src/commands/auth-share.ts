import type { Command } from "commander";
import { type CredentialOwner, sharedLabel, type StoredCredential } from "@plasm/runtime";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { appended, DATA_OPTION } from "./options.ts";
import {
  catalogIdOf,
  changer,
  credentialsOf,
  nameOfKey,
  ownerOf,
  type OwnerOptions,
  withFiles,
} from "./stored-credentials.ts";

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
export function addAuthShare(auth: Command, cli: CliContext): void {
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
