import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { findingText, wrong, type Finding } from "../doctor/finding.ts";
import { lookAtServer, lookAtSession } from "../doctor/look-at-server.ts";
import { lookAtWorkspace } from "../doctor/look-at-workspace.ts";
import { EXIT } from "../exit-codes.ts";
import { readSession } from "../workspace/current-session.ts";
import { openWorkspace, type Workspace } from "../workspace/open-workspace.ts";
import { readProfile } from "../workspace/profile.ts";

async function serverFindings({ directory, client }: Workspace): Promise<readonly Finding[]> {
  try {
    const found = await lookAtServer(client);
    return [...found, await lookAtSession(client, await readSession(directory, client.url))];
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    return [wrong(thrown.message)];
  }
}

async function doctor(cli: CliContext): Promise<void> {
  const workspace = await openWorkspace(cli);
  const { directory } = workspace;
  const findings = [
    await lookAtWorkspace(directory, await readProfile(directory)),
    ...(await serverFindings(workspace)),
  ];
  cli.out(findings.map(findingText).join("\n"));
  if (findings.some(({ state }) => state === "wrong")) cli.endWith(EXIT.failed);
}

/** `plasm doctor`: says what works and what to do about the rest (SURF-20). */
export function addDoctor(program: Command, cli: CliContext): void {
  program
    .command("doctor")
    .description("Look at profile, server, catalogs and session; say what to do about faults.")
    .addHelpText("after", "\nExample:\n  $ plasm doctor")
    .action(() => doctor(cli));
}
