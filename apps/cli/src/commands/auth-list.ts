import type { StoredCredential } from "@plasm/runtime";
import type { Command } from "commander";
import { nameOfKey } from "../auth/credential-name.ts";
import { credentialsOf, withFiles } from "../auth/credentials-of.ts";
import type { CliContext } from "../cli-context.ts";
import { DATA_OPTION } from "../serve/data-option.ts";

const whose = ({ tenant, principal }: StoredCredential): string => {
  if (tenant === null) return "all callers";
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
}

/** `plasm auth list`: which credentials are stored, whose and since when; never what they are. */
export function addAuthList(auth: Command, cli: CliContext): void {
  auth
    .command("list")
    .description("List the credentials that are stored, without their secrets.")
    .option(...DATA_OPTION)
    .addHelpText("after", "\nExample:\n  $ plasm auth list")
    .action(({ data }: { data?: string }) => list(cli, data));
}
