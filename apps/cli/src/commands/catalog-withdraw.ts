import type { Command } from "commander";
import { ADMINISTRATOR } from "../auth/typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { clientWithKey } from "../server/client-with-key.ts";
import { jsonAnswer } from "../server/read-answer.ts";
import { hasTexts, isObject } from "../workspace/json-file.ts";

interface Withdrawn {
  readonly entry_id: string;
  readonly digest: string;
  readonly version: number;
  readonly sessions: string;
  readonly on_offer: { readonly version: number; readonly digest: string } | null;
}

function isWithdrawn(value: unknown): value is Withdrawn {
  const remains = isObject(value) ? value["on_offer"] : undefined;
  return (
    hasTexts(value, ["entry_id", "digest", "sessions"]) &&
    (remains === null || hasTexts(remains, ["digest"]))
  );
}

async function withdraw(cli: CliContext, id: string, keepSessions: boolean): Promise<void> {
  const client = await clientWithKey(cli, ADMINISTRATOR);
  const query = keepSessions ? "?sessions=keep" : "";
  const path = `/v1/admin/catalogs/${encodeURIComponent(id)}${query}`;
  const answer = await client.delete(path, "application/json");
  const { version, digest, sessions, on_offer: remains } = jsonAnswer(client, answer, isWithdrawn);
  const now =
    remains === null
      ? "New sessions have no catalog of that id."
      : `New sessions have version ${remains.version} of a directory.`;
  cli.out(
    `${id} · version ${version} · ${digest} is withdrawn on ${client.url}\n` +
      `Sessions that have it are ${sessions}. ${now}`,
  );
}

const HELP = `
It is for what plasm catalog import put on offer, each version of it; a catalog of a directory is withdrawn by starting
the server without it. Sessions that have it are lost, and say so at their next call; --keep-sessions lets them go
on. Who withdraws shows an administrator's key: in PLASM_ADMIN_KEY, or typed unseen.

Example:
  $ plasm catalog withdraw CATALOG --keep-sessions`;

/** `plasm catalog withdraw`: takes an imported catalog off offer (SESS-12). */
export function addCatalogWithdraw(catalog: Command, cli: CliContext): void {
  catalog
    .command("withdraw")
    .description("Take an imported catalog off offer, on all replicas of the server.")
    .argument("<id>", "the id of the catalog")
    .option("--keep-sessions", "let sessions that have it go on", false)
    .addHelpText("after", HELP)
    .action((id: string, options: { readonly keepSessions: boolean }) =>
      withdraw(cli, id, options.keepSessions),
    );
}
