import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { addAuthList } from "./auth-list.ts";
import { addAuthRemove } from "./auth-remove.ts";
import { addAuthSet } from "./auth-set.ts";

/** `plasm auth …`: the credentials that a server of this machine uses for its catalogs. */
export function addAuth(program: Command, cli: CliContext): void {
  const auth = program
    .command("auth")
    .description("Keep the credentials of catalogs in the data directory of the server.");
  addAuthSet(auth, cli);
  addAuthList(auth, cli);
  addAuthRemove(auth, cli);
}
