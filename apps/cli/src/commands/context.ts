import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { type NamedSeed, readSeedArguments } from "./read-input.ts";
import {
  openedSession,
  type ServerClient,
  type SessionPair,
  sessionRoute,
} from "../server/server-client.ts";
import {
  type LastSearch,
  openWorkspace,
  readSearch,
  readCurrentSession,
  writeSession,
} from "../workspace/workspace.ts";
import type { CurrentSession } from "../workspace/profile.ts";
import { giveOutput } from "../workspace/outputs.ts";

interface ContextOptions {
  readonly intent?: string;
  readonly new: boolean;
  readonly replay: boolean;
  readonly detail: boolean;
  readonly symbols: boolean;
  readonly readOnly: boolean;
}

/** What is asked of the server, however it was said. */
interface Asked {
  readonly intent: string;
  readonly seeds: readonly NamedSeed[];
  readonly symbols: boolean;
  readonly readOnly: boolean;
  readonly detail: boolean;
}

/** The given intent, the text of the last search, or that of the current session (SURF-21). */
function intentOf(
  options: ContextOptions,
  current: CurrentSession | null,
  search: LastSearch | null,
): string {
  if (options.intent !== undefined) return options.intent;
  const known = options.new ? search : current;
  if (known !== null) return known.intent;
  throw usageError(
    options.new
      ? "--new takes the text of the last search, and there is none: plasm search INTENT first, or -i INTENT."
      : "There is no current intent: say it with -i INTENT, or take that of the last search with --new.",
  );
}

const switches = ({ readOnly, detail }: Asked) => ({
  ...(readOnly ? { read_only: true } : {}),
  ...(detail ? { detail: true } : {}),
});

/** Without seeds the goal chooses. */
const seedsIn = ({ seeds }: Asked) => (seeds.length === 0 ? {} : { seeds });

function open(client: ServerClient, asked: Asked, accept: "text" | "json") {
  const { intent, symbols } = asked;
  const body = {
    intent,
    ...seedsIn(asked),
    ...(symbols ? { notation: "symbols" } : {}),
    ...switches(asked),
  };
  return client.post("/execute", body, accept === "text" ? "text/plain" : "application/json");
}

interface Opened {
  readonly pair: SessionPair;
  readonly text: string;
}

async function opened(client: ServerClient, asked: Asked): Promise<Opened> {
  const answer = await open(client, asked, "text");
  return { pair: openedSession(client, answer), text: answer.text };
}

/** All tables again: of the session this workspace has for the intent, else of the one opened now. */
async function replayed(
  client: ServerClient,
  asked: Asked,
  current: CurrentSession | null,
): Promise<Opened> {
  const known = current?.intent === asked.intent ? current : null;
  const pair = known ?? openedSession(client, await open(client, asked, "json"));
  const body = { ...seedsIn(asked), replay: true, ...switches(asked) };
  const { text } = await client.post(`${sessionRoute(pair)}/context`, body, "text/plain");
  return { pair, text };
}

async function context(
  cli: CliContext,
  names: readonly string[],
  options: ContextOptions,
): Promise<void> {
  const { directory, client } = await openWorkspace(cli);
  const current = await readCurrentSession(directory, client.url);
  const search = await readSearch(directory, client.url);
  const intent = intentOf(options, current, search);
  const { symbols, readOnly, detail } = options;
  const seeds = readSeedArguments(names, search);
  const asked = { intent, seeds, symbols, readOnly, detail };
  const { pair, text } = await (options.replay
    ? replayed(client, asked, current)
    : opened(client, asked));
  await giveOutput(cli, directory, "context.txt", text);
  const { prompt_hash, session_id } = pair;
  await writeSession(directory, { server: client.url, intent, prompt_hash, session_id });
}

/** `plasm context`: opens or extends a session and prints what it teaches (SURF-20, SURF-21). */
export function addContext(program: Command, cli: CliContext): void {
  program
    .command("context")
    .description("Open or extend a session: prints the table of what programs may use.")
    .argument(
      "[API:ENTITY...]",
      "ENTITY alone suffices where one catalog has it; without any the goal chooses",
    )
    .addOption(
      new Option("-i, --intent <text>", "the goal; one intent is one session").conflicts("new"),
    )
    .addOption(new Option("--new", "take the text of the last search as the intent").default(false))
    .addOption(new Option("--replay", "print all tables again").default(false))
    .addOption(new Option("--detail", "print what tables leave out, too").default(false))
    .addOption(new Option("--symbols", "teach e1, m1, p1 in place of names").default(false))
    .addOption(new Option("--names", "what a session teaches anyway").hideHelp())
    .addOption(new Option("--read-only", "open a session that cannot change data").default(false))
    .addHelpText(
      "after",
      '\nExample:\n  $ plasm context -i "GOAL" API:ENTITY\n\nWithout -i and --new the current session is extended.\nNext: plasm run -e PROGRAM',
    )
    .action((names: readonly string[], options: ContextOptions) => context(cli, names, options));
}
