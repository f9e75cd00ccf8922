import type { Command } from "commander";
import { entryIdOf, isOfCatalog, type OwnerOptions, ownerOf } from "../auth/credential-name.ts";
import { changer, credentialsOf, withFiles } from "../auth/credentials-of.ts";
import { withOwnerOptions } from "../auth/owner-options.ts";
import type { CliContext } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";

interface RemoveOptions extends OwnerOptions {
  readonly data?: string;
}

async function remove(cli: CliContext, name: string, options: RemoveOptions): Promise<void> {
  const entryId = entryIdOf(name);
  const asked = ownerOf(name, "secret", options);
  const stored = await credentialsOf(cli, options.data);
  const removed = await withFiles(stored, async () => {
    // What a catalog has under names of its own goes with it.
    const parts = entryId === null ? [] : stored.files.list();
    const owners = [
      asked,
      ...parts.filter(
        ({ key, tenant, principal }) =>
          key !== asked.key &&
          tenant === asked.tenant &&
          principal === asked.principal &&
          isOfCatalog(key, entryId ?? ""),
      ),
    ];
    const each = await Promise.all(owners.map((owner) => stored.files.remove(owner, changer())));
    return each.includes(true);
  });
  const { dataDir } = stored;
  if (!removed) {
    throw failedError(
      `No credential for ${name} is stored in ${dataDir}. plasm auth list shows them.`,
    );
  }
  cli.out(`The credential for ${name} is removed from ${dataDir}.`);
}

/** `plasm auth remove`: forgets the credential of a catalog. */
export function addAuthRemove(auth: Command, cli: CliContext): void {
  withOwnerOptions(
    auth
      .command("remove")
      .description("Forget the stored credential of a catalog.")
      .argument("<id>", "the catalog's id, or a hosted key plasm:outbound:…"),
  )
    .addHelpText("after", "\nExample:\n  $ plasm auth remove CATALOG")
    .action((name: string, options: RemoveOptions) => remove(cli, name, options));
}
