import { visible } from "@plasm/core/internal";
import type { Command } from "commander";
import { OPERATOR } from "./typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { clientWithKey, jsonAnswer } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";

/** What is read of a plan that was put before operators. */
interface Asked {
  readonly commit_uuid: string;
  readonly state: string;
  readonly commit: string;
  readonly plan_commit_ref: string;
  readonly subject: string | null;
  readonly acting_for?: string | null;
  readonly intent: string | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly plan: string;
  readonly program: string;
}

const TEXTS = [
  "commit_uuid",
  "state",
  "commit",
  "plan_commit_ref",
  "requested_at",
  "expires_at",
  "plan",
  "program",
] as const;

const isAsked = (value: unknown): value is Asked => hasTextMembers(value, TEXTS);

/** A page of them; servers of before send all at once. */
interface Page {
  readonly approvals: readonly Asked[];
  readonly total?: number;
  readonly next?: string | null;
  readonly callers?: readonly { readonly subject: string | null; readonly waiting: number }[];
}

const isList = (value: unknown): value is Page => {
  const { approvals } = (value ?? {}) as { readonly approvals?: unknown };
  return Array.isArray(approvals) && approvals.every(isAsked);
};

/** What an agent wrote, for the eyes of who decides on it: no character acts, or hides another. */
const indented = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${visible(line)}`));

/** Who asks, and for whom. */
function asker({ subject, acting_for: user }: Asked): string {
  const caller = visible(subject ?? "anonymous");
  return typeof user === "string" ? `${caller} for ${visible(user)}` : caller;
}

function shown(asked: Asked): string {
  const { intent } = asked;
  const { commit_uuid: uuid, requested_at: since, expires_at: until } = asked;
  return [
    `${uuid} · ${asker(asked)} · since ${since} · until ${until}`,
    ...(intent === null ? [] : [`  for: ${visible(JSON.stringify(intent))}`]),
    `  ${asked.commit}`,
    ...indented(asked.plan),
    "",
    "  as the agent wrote it, values in full:",
    ...indented(asked.program),
  ].join("\n");
}

/** Which page, and whose plans. */
interface ListOptions {
  readonly after?: string;
  readonly caller?: string;
}

/** What is on other pages, and whose it is. */
function rest({ approvals, total = approvals.length, next = null, callers = [] }: Page): string {
  if (next === null) return "";
  const whose = callers
    .slice(0, 5)
    .map(({ subject, waiting }) => `${visible(subject ?? "anonymous")} ${waiting}`);
  return `\n\n${approvals.length} of ${total} plans (${whose.join(", ")}). More: plasm approvals --after ${next}; of one caller: --caller NAME`;
}

async function list(cli: CliContext, options: ListOptions): Promise<void> {
  const client = await clientWithKey(cli, OPERATOR);
  const query = new URLSearchParams({ ...options }).toString();
  const path = query === "" ? "/v1/approvals" : `/v1/approvals?${query}`;
  const page = jsonAnswer(client, await client.get(path, "application/json"), isList);
  const { approvals } = page;
  cli.out(
    approvals.length === 0 ? "No plan waits." : approvals.map(shown).join("\n\n") + rest(page),
  );
}

async function decide(cli: CliContext, action: "approve" | "reject", uuid: string): Promise<void> {
  const client = await clientWithKey(cli, OPERATOR);
  const path = `/v1/approvals/${encodeURIComponent(uuid)}/${action}`;
  const asked = jsonAnswer(client, await client.post(path, {}, "application/json"), isAsked);
  const { plan_commit_ref: ref, state, commit, expires_at: until } = asked;
  const then =
    action === "approve"
      ? `Its agent may run it once, with plan_commit_ref=${ref}, until ${until}.`
      : "That is final: the same plan is refused in that session.";
  cli.out(`${ref} is ${state} (${commit}). ${then}`);
}

const HELP = `
Who decides shows an operator's key (plasm keys add makes one): in PLASM_OPERATOR_KEY, or typed unseen. It is
never kept, and the key of .plasm/ is never sent in its place. An approval binds to the hash of the plan shown:
it lets exactly that plan run, once, within ten minutes.

Examples:
  $ plasm approvals
  $ plasm approvals approve 0f5c8a52-6b1e-4d0a-9b0e-2f1f6c1d7a10`;

/** `plasm approvals`: what operators do with plans that wait for one (SURF-20, OPS-36). */
export function addApprovals(program: Command, cli: CliContext): void {
  const approvals = program
    .command("approvals")
    .description("List the plans that wait for an operator; approve or reject one.")
    .addHelpText("after", HELP)
    .option("--after <id>", "the page after this plan, which the page before ends with")
    .option("--caller <name>", "the plans of this caller alone")
    .allowExcessArguments()
    .action((options: ListOptions, { args: [other] }: Command) => {
      if (other === undefined) return list(cli, options);
      throw usageError(
        `${other} is no command of plasm approvals: it is approve ID, reject ID, or nothing, which lists them.`,
      );
    });
  const words = { approve: "Let a plan run, once.", reject: "Refuse a plan, for good." } as const;
  for (const action of ["approve", "reject"] as const) {
    approvals
      .command(action)
      .description(words[action])
      .argument("<id>", "the id that the list and the answer of plasm run show")
      .action((uuid: string) => decide(cli, action, uuid));
  }
}
