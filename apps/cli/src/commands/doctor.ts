import { stat } from "node:fs/promises";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { openWorkspace, readCurrentSession, type Workspace } from "../workspace/workspace.ts";
import {
  type CurrentSession,
  DEFAULT_SERVER,
  type Profile,
  profilePath,
  readProfile,
} from "../workspace/profile.ts";
import { jsonAnswer, type ServerClient, sessionRoute } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";

async function serverFindings({ directory, client }: Workspace): Promise<readonly Finding[]> {
  try {
    const found = await lookAtServer(client);
    return [...found, await lookAtSession(client, await readCurrentSession(directory, client.url))];
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

const OTHERS = 0o077;

/** Whether there is a profile, and whether its key is for its owner alone (SURF-22). */
async function lookAtWorkspace(directory: string, profile: Profile | null): Promise<Finding> {
  if (profile === null) {
    return note(`no profile in ${directory}; ${DEFAULT_SERVER} is used. plasm init makes one.`);
  }
  const path = profilePath(directory);
  const { mode } = await stat(path);
  if (profile.api_key !== undefined && (mode & OTHERS) !== 0) {
    return wrong(`the API key in ${path} can be read by others: chmod 600 ${path}`);
  }
  return ok(`profile ${path}${profile.api_key === undefined ? "" : ", with an API key"}`);
}

interface CatalogRow {
  readonly entry_id: string;
  readonly credentials?: boolean;
  readonly credentials_needed?: string;
  readonly not_loaded?: readonly NotLoaded[];
}

/** A part of a catalog that has faults, or needs such a part. */
interface NotLoaded {
  readonly part: string;
  readonly why: string;
}

const isRegistry = (value: unknown): value is readonly CatalogRow[] =>
  Array.isArray(value) && value.every((row: unknown) => hasTextMembers(row, ["entry_id"]));

/** How full the server's store is, in bytes; servers of before say nothing of it. */
interface Held {
  readonly used: number;
  readonly limit: number;
  /** rows of runs under way, beside the store */
  readonly spilled?: number;
}

interface Health {
  readonly status: string;
  readonly store?: Held;
  readonly set_aside?: number;
}

const isHealth = (value: unknown): value is Health => {
  const { store } = (value ?? {}) as { readonly store?: Partial<Held> };
  const { used, limit, spilled = 0 } = store ?? { used: 0, limit: 0 };
  const told = [used, limit, spilled].every((figure) => typeof figure === "number");
  return hasTextMembers(value, ["status"]) && told;
};

const MB = 1024 * 1024;

/** From so much of its limit on, a store is close to losing what is oldest. */
const NEARLY_FULL = 0.9;

function storeFinding({ used, limit, spilled = 0 }: Held): Finding {
  const rows = spilled === 0 ? "" : `, and ${Math.ceil(spilled / MB)} MB of rows of runs`;
  const text = `store ${Math.ceil(used / MB)} MB of ${Math.floor(limit / MB)} MB${rows}`;
  if (used + spilled <= limit * NEARLY_FULL) return ok(text);
  return note(
    `${text}: over the limit the oldest snapshots go first. Raise PLASM_DATA_LIMIT, or keep them for fewer days with PLASM_RETENTION_SNAPSHOTS`,
  );
}

/** The server says what it needs (RUN-183). */
const withoutCredential = ({ entry_id: id, credentials_needed: needed }: CatalogRow): string =>
  `${id} has no credential${typeof needed === "string" ? `: ${needed}` : ""}`;

/** What the server could not load of a catalog (RUN-180). */
const lostFindings = ({ entry_id: id, not_loaded: lost }: CatalogRow): readonly Finding[] =>
  Array.isArray(lost)
    ? lost
        .filter((one: unknown) => hasTextMembers(one, ["part", "why"]))
        .map(({ part, why }: NotLoaded) => wrong(`${id}: ${part} is not loaded: ${why}`))
    : [];

function catalogFindings(rows: readonly CatalogRow[]): readonly Finding[] {
  if (rows.length === 0) return [note("no catalogs: plasm serve --catalogs DIR offers some")];
  const without = rows.filter((row) => row.credentials === false);
  return [
    ok(`catalogs ${rows.map((row) => row.entry_id).join(", ")}`),
    ...rows.flatMap((row) => lostFindings(row)),
    ...without.map((row) => note(withoutCredential(row))),
  ];
}

/** Operations that no server takes up by itself any more. */
const setAsideFindings = ({ set_aside: count = 0 }: Health): readonly Finding[] =>
  count === 0
    ? []
    : [
        wrong(
          `${count} ${count === 1 ? "operation is" : "operations are"} set aside: under way when two processes ended; plasm operations lists them`,
        ),
      ];

/** Whether the server answers, and what it offers to this caller. Throws CliError if it does not. */
export async function lookAtServer(client: ServerClient): Promise<readonly Finding[]> {
  const json = "application/json";
  const health = jsonAnswer(client, await client.get("/v1/health", json), isHealth);
  const rows = jsonAnswer(client, await client.get("/v1/registry", json), isRegistry);
  const full = health.store === undefined ? [] : [storeFinding(health.store)];
  const others = [...setAsideFindings(health), ...catalogFindings(rows)];
  return [ok(`server ${client.url}`), ...full, ...others];
}

/** Whether the current session still stands. */
async function lookAtSession(
  client: ServerClient,
  session: CurrentSession | null,
): Promise<Finding> {
  if (session === null) return note("no session: plasm context opens one");
  const named = `session ${JSON.stringify(session.intent)}`;
  try {
    await client.get(sessionRoute(session), "application/json");
    return ok(named);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    return thrown.exitCode === EXIT.lost
      ? note(`${named} is gone: plasm context opens it again`)
      : wrong(thrown.message);
  }
}

/** What one look of the doctor found. */
interface Finding {
  readonly state: "ok" | "note" | "wrong";
  readonly text: string;
}

const ok = (text: string): Finding => ({ state: "ok", text });
const note = (text: string): Finding => ({ state: "note", text });
const wrong = (text: string): Finding => ({ state: "wrong", text });

/** `ok     server …`, further lines set in. */
const findingText = ({ state, text }: Finding): string =>
  `${state.padEnd(6)} ${text.replaceAll("\n", "\n       ")}`;
