import type { Command } from "commander";
import { askSecret } from "../auth/ask-secret.ts";
import { checkKeyName, entryIdOf, type OwnerOptions, ownerOf } from "../auth/credential-name.ts";
import { changer, credentialsOf, withFiles } from "../auth/credentials-of.ts";
import { withOwnerOptions } from "../auth/owner-options.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";

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
  const fault = credentialFault(secret, entryIdOf(name));
  if (fault !== null) throw usageError(`What was given for ${name} is ${fault}.`);
}

async function set(cli: CliContext, name: string, options: SetOptions): Promise<void> {
  const { clientId, key } = options;
  if (clientId !== undefined && entryIdOf(name) === null) {
    throw usageError("--client-id goes with the id of a catalog, not with a hosted key.");
  }
  if (key !== undefined) {
    if (clientId !== undefined || entryIdOf(name) === null)
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
    `The ${key ?? "credential"} for ${name} is stored in ${stored.dataDir}; servers on that directory use it at once.`,
  );
}

/** `plasm auth set`: stores the credential of a catalog, which no command line ever holds (RUN-120). */
export function addAuthSet(auth: Command, cli: CliContext): void {
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
