import { visible } from "@plasm/core/internal";
import type { Command } from "commander";
import { OPERATOR } from "./typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { clientWithKey, jsonAnswer } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";

/** What is read of an operation that was set aside. */
interface SetAside {
  readonly operation_uuid: string;
  readonly handle?: string;
  readonly state: string;
  readonly reason: string;
  readonly plan_commit_ref: string;
  readonly subject: string | null;
  readonly set_aside_at: string;
  readonly program: string;
  readonly effects_done?: number;
  readonly effects_in_doubt?: number;
}

const TEXTS = [
  "operation_uuid",
  "state",
  "reason",
  "plan_commit_ref",
  "set_aside_at",
  "program",
] as const;

const isSetAside = (value: unknown): value is SetAside => hasTextMembers(value, TEXTS);

const isList = (value: unknown): value is { readonly operations: readonly SetAside[] } => {
  const { operations } = (value ?? {}) as { readonly operations?: unknown };
  return Array.isArray(operations) && operations.every(isSetAside);
};

function effectsText({ effects_done: done = 0, effects_in_doubt: doubt = 0 }: SetAside): string {
  const parts = [
    ...(done > 0 ? [`${done} effects done`] : []),
    ...(doubt > 0 ? [`${doubt} in doubt: it cannot go on`] : []),
  ];
  return parts.length === 0 ? "no effect of it was sent" : parts.join(", ");
}

const shown = (each: SetAside): string =>
  [
    `${each.operation_uuid}${each.handle === undefined ? "" : ` (${each.handle})`} · ${visible(each.subject ?? "anonymous")} · ${each.plan_commit_ref} · ${each.set_aside_at}`,
    `  ${visible(each.reason)}`,
    `  ${effectsText(each)}`,
    ...each.program
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? "" : `  ${visible(line)}`)),
  ].join("\n");

async function list(cli: CliContext): Promise<void> {
  const client = await clientWithKey(cli, OPERATOR);
  const answer = await client.get("/v1/operations/set-aside", "application/json");
  const { operations } = jsonAnswer(client, answer, isList);
  cli.out(
    operations.length === 0 ? "No operation is set aside." : operations.map(shown).join("\n\n"),
  );
}

async function retry(cli: CliContext, uuid: string): Promise<void> {
  const client = await clientWithKey(cli, OPERATOR);
  const path = `/v1/operations/set-aside/${encodeURIComponent(uuid)}/retry`;
  const again = jsonAnswer(client, await client.post(path, {}, "application/json"), isSetAside);
  const { handle, operation_uuid: id, plan_commit_ref: ref } = again;
  const name = handle === undefined ? id : `${handle} of ${visible(again.subject ?? "anonymous")}`;
  cli.out(
    `${ref} goes on as a new operation, ${name}; what was done is not done again. The one that was set aside keeps its answer, and names the new one.`,
  );
}

const HELP = `
An operation that was under way when two processes ended is set aside: no server takes it up by itself, so that it
cannot end a third. Let it go on, as a new operation, when you know why they ended, such as too little memory
(PLASM_ROWS_MEMORY…), and that its caller has not done its work otherwise since.
Who does so shows an operator's key: in PLASM_OPERATOR_KEY, or typed unseen.

Examples:
  $ plasm operations
  $ plasm operations retry 0f5c8a52-6b1e-4d0a-9b0e-2f1f6c1d7a10`;

/** `plasm operations`: what operators do with operations that were set aside. */
export function addOperations(program: Command, cli: CliContext): void {
  const operations = program
    .command("operations")
    .description("List the operations that were set aside; let one go on.")
    .addHelpText("after", HELP)
    .allowExcessArguments()
    .action((_options: unknown, { args: [other] }: Command) => {
      if (other === undefined) return list(cli);
      throw usageError(
        `${other} is not a command of plasm operations: it is retry ID, or nothing, which lists them.`,
      );
    });
  operations
    .command("retry")
    .description("Let an operation go on that was set aside.")
    .argument("<id>", "the id that the list shows")
    .action((uuid: string) => retry(cli, uuid));
}
