import type { ScheduledRunView, ScheduleView } from "@plasm/agent-core";
import { visible } from "@plasm/core/internal";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { followWatch } from "../follow/follow-watch.ts";
import { untilStopped } from "../follow/stopping.ts";
import { jsonAnswer } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { appended } from "./options.ts";
import { programArguments } from "./program-arguments.ts";

const JSON_TYPE = "application/json";
const SCHEDULES = "/v1/schedules";

/** What is read of a schedule; servers of before say nothing of watches. */
type Schedule = Omit<ScheduleView, "version" | "created_at" | "watch"> & {
  readonly watch?: Partial<Pick<NonNullable<ScheduleView["watch"]>, "webhook">> | null;
};

const isSchedule = (value: unknown): value is Schedule =>
  hasTextMembers(value, ["schedule_uuid", "program", "cron", "zone"]) &&
  Array.isArray((value as { readonly runs?: unknown }).runs);

const isScheduleList = (value: unknown): value is { readonly schedules: readonly Schedule[] } => {
  const { schedules } = (value ?? {}) as { readonly schedules?: unknown };
  return Array.isArray(schedules) && schedules.every(isSchedule);
};

function runLine({
  due_at: due,
  late,
  state,
  commit_uuid: asked,
  ...rest
}: ScheduledRunView): string {
  const { operation_uuid: operation, code, message } = rest;
  const why = message === null ? (code === null ? "" : `: ${code}`) : `: ${visible(message)}`;
  const where =
    state === "waiting" && asked !== null
      ? `, decided on by plasm approvals approve ${asked}`
      : operation === null
        ? ""
        : `, operation ${operation}`;
  return `  ${due} ${state}${late ? " (made up for)" : ""}${where}${why}`;
}

/** A line on what it runs and when, and one on each thing there is to say of it. */
function scheduleLines(one: Schedule): string {
  const values = Object.entries(one.arguments).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  const whose = one.own ? "" : ` · of ${visible(one.owner ?? "anonymous")}`;
  const next = one.paused ? "paused" : `next ${one.next_at ?? "never"}`;
  const [last] = one.runs;
  return [
    `${one.schedule_uuid}  ${one.program}(${visible(values.join(", "))}) · ${one.cron} ${one.zone} · ${next}${whose}`,
    ...(one.problem === null ? [] : [`  ${visible(one.problem)}`]),
    ...one.missed.slice(0, 1).map(({ text }) => `  ${text}`),
    ...(one.current === null ? [] : [runLine(one.current)]),
    ...(last === undefined ? [] : [runLine(last)]),
  ].join("\n");
}

const schedulePath = (id: string): string => `${SCHEDULES}/${encodeURIComponent(id)}`;

interface ScheduleOptions {
  readonly key?: readonly string[];
  readonly webhook?: string;
  readonly zone?: string;
  readonly param: readonly string[];
}

async function schedule(
  cli: CliContext,
  name: string,
  cron: string,
  { zone, param, key, webhook }: ScheduleOptions,
  watch = false,
): Promise<void> {
  const { client } = await openWorkspace(cli);
  const body = {
    program: name,
    cron,
    ...(zone === undefined ? {} : { zone }),
    ...(watch ? { watch } : {}),
    ...(key === undefined || key.length === 0 ? {} : { key }),
    ...(webhook === undefined ? {} : { webhook }),
    arguments: programArguments(param.map((one) => `--${one}`)),
  };
  const made = jsonAnswer(client, await client.post(SCHEDULES, body, JSON_TYPE), isSchedule);
  const told = made.watch?.webhook ?? null;
  cli.out(
    told === null
      ? scheduleLines(made)
      : `${scheduleLines(made)}\n  ${told.name} is sent to ${client.url}${told.path}`,
  );
}

async function listSchedules(cli: CliContext, name?: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  const query = name === undefined ? "" : `?program=${encodeURIComponent(name)}`;
  const { schedules } = jsonAnswer(
    client,
    await client.get(`${SCHEDULES}${query}`, JSON_TYPE),
    isScheduleList,
  );
  cli.out(
    schedules.length === 0
      ? "Nothing is scheduled. Schedule a saved program: plasm programs schedule NAME '0 7 * * 1'"
      : schedules.map(scheduleLines).join("\n"),
  );
}

const turn =
  (cli: CliContext, to: "pause" | "resume") =>
  async (id: string): Promise<void> => {
    const { client } = await openWorkspace(cli);
    const answer = await client.post(`${schedulePath(id)}/${to}`, {}, JSON_TYPE);
    cli.out(scheduleLines(jsonAnswer(client, answer, isSchedule)));
  };

interface Events {
  readonly events: readonly { readonly id: string }[];
  readonly forgotten: number;
  readonly next: string | null;
}

const isEvents = (value: unknown): value is Events =>
  Array.isArray((value as { readonly events?: unknown } | null)?.events);

interface EventOptions {
  readonly after?: string;
  readonly follow?: true;
}

/** Prints what a watch has found, and, with `--follow`, what it finds until somebody stops it. */
async function events(cli: CliContext, id: string, options: EventOptions): Promise<void> {
  const { client } = await openWorkspace(cli);
  const path = `${schedulePath(id)}/events`;
  let after = options.after ?? null;
  for (;;) {
    const query = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    const answer = await client.get(`${path}${query}`, JSON_TYPE);
    const found = jsonAnswer(client, answer, isEvents);
    if (found.forgotten > 0) cli.remark(`${found.forgotten} earlier events are kept no longer.`);
    if (found.events.length === 0) break;
    cli.out(found.events.map((one) => visible(JSON.stringify(one))).join("\n"));
    after = found.next;
  }
  if (options.follow !== true) return;
  const told = (): string =>
    after === null ? "plasm: stopped." : `plasm: stopped. What comes after: --after ${after}`;
  await untilStopped(cli, told, async (signal) => {
    for await (const { id: event, line } of followWatch(client, path, { after, signal })) {
      cli.out(visible(line));
      after = event ?? after;
      if (!(await cli.drained())) return;
    }
  });
}

async function unschedule(cli: CliContext, id: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  jsonAnswer(client, await client.delete(schedulePath(id), JSON_TYPE), isSchedule);
  cli.out(`The schedule ${id} is removed.`);
}

const SCHEDULE_HELP = `
CRON is five fields: minute, hour, day of the month, month and day of the week. A time of day that clocks skip is
due when they go on, and one that comes twice is due once. What changes something waits for a person each time,
unless policy lets this version run without review.

Examples:
  $ plasm programs schedule weekly_report '0 7 * * 1' --zone Europe/Berlin --param since=today-7d
  $ plasm programs watch open_issues '*/5 * * * *'
  $ plasm programs events ID --follow
  $ plasm programs schedules
  $ plasm programs pause ID
  $ plasm programs unschedule ID`;

/** `plasm programs schedule` and what else is of schedules and watches (SAV-17, WATCH-01). */
export function addSchedules(programs: Command, cli: CliContext): void {
  programs
    .command("schedule")
    .description("Run a saved program at times.")
    .argument("<name>", "how it is called")
    .argument("<cron>", "when, as five fields")
    .option("--zone <name>", "the time zone in which they are read (default: UTC)")
    .option("--param <name=value>", "a value of a parameter (again for several)", appended, [])
    .addHelpText("after", SCHEDULE_HELP)
    .action((name: string, cron: string, options: ScheduleOptions) =>
      schedule(cli, name, cron, options),
    );
  programs
    .command("watch")
    .description("Compare the rows of a saved program at times: what appeared, changed, vanished.")
    .argument("<name>", "how it is called")
    .argument("<cron>", "when, as five fields")
    .option("--zone <name>", "the time zone in which they are read (default: UTC)")
    .option("--param <name=value>", "a value of a parameter (again for several)", appended, [])
    .option(
      "--key <column>",
      "by which rows are known again (default: their own key)",
      appended,
      [],
    )
    .option("--webhook <name>", "read, too, when this webhook of a catalog tells, as github.events")
    .action((name: string, cron: string, options: ScheduleOptions) =>
      schedule(cli, name, cron, options, true),
    );
  programs
    .command("events")
    .description("Print what a watch has found, a line of JSON each.")
    .argument("<id>")
    .option("--after <event>", "only what came after the event of this id")
    .option("--follow", "go on with what it finds, until you stop it")
    .action((id: string, options: EventOptions) => events(cli, id, options));
  programs
    .command("schedules")
    .description("List schedules, with what they missed, what runs, and how the last run ended.")
    .argument("[name]", "those of one saved program")
    .action((name?: string) => listSchedules(cli, name));
  programs
    .command("pause")
    .description("Have a schedule do nothing until it is resumed.")
    .argument("<id>")
    .action(turn(cli, "pause"));
  programs
    .command("resume")
    .description("Go on with a schedule, with its program as it is saved now.")
    .argument("<id>")
    .action(turn(cli, "resume"));
  programs
    .command("unschedule")
    .description("Remove a schedule.")
    .argument("<id>")
    .action((id: string) => unschedule(cli, id));
}
