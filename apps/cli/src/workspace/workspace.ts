import { join } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { serverClient, type ServerClient } from "../server/server-client.ts";
import { hasTextMembers, readJsonFile, writeFileOf, writeJsonFile } from "./json-file.ts";
import {
  type CurrentSession,
  DEFAULT_SERVER,
  type Profile,
  profilePath,
  readProfile,
  workspaceDirectory,
} from "./profile.ts";

/** What a command that talks to the server works with. */
export interface Workspace {
  readonly directory: string;
  readonly client: ServerClient;
}

/** The workspace and the server of its profile; without a profile, the local default. Throws CliError. */
export async function openWorkspace(cli: CliContext): Promise<Workspace> {
  const directory = workspaceDirectory(cli);
  const profile = (await readProfile(directory)) ?? { server: DEFAULT_SERVER };
  return { directory, client: serverClient(profile) };
}

/** Keeps a profile. The directory is kept out of git, for the key's sake. */
export async function writeProfile(workspace: string, profile: Profile): Promise<void> {
  await writeFileOf(join(workspace, ".gitignore"), "*\n");
  await writeJsonFile(profilePath(workspace), profile);
}

const pathOf = (workspace: string): string => join(workspace, "session.json");

const isSession = (value: unknown): value is CurrentSession =>
  hasTextMembers(value, ["server", "intent", "prompt_hash", "session_id"]);

/** The current session on a server; null if there is none. Throws CliError. */
export async function readCurrentSession(
  workspace: string,
  server: string,
): Promise<CurrentSession | null> {
  const session = await readJsonFile(pathOf(workspace), isSession);
  return session?.server === server ? session : null;
}

export const writeSession = (workspace: string, session: CurrentSession): Promise<void> =>
  writeJsonFile(pathOf(workspace), session);

/** An entity that a search found. */
interface FoundEntity {
  readonly api: string;
  readonly entity: string;
}

/** What was searched for last, and what was found (SURF-21). */
export interface LastSearch {
  readonly server: string;
  readonly intent: string;
  readonly options: readonly FoundEntity[];
}

const searchPath = (workspace: string): string => join(workspace, "search.json");

const isSearch = (value: unknown): value is LastSearch =>
  hasTextMembers(value, ["server", "intent"]) &&
  "options" in value &&
  Array.isArray(value.options) &&
  value.options.every((option: unknown) => hasTextMembers(option, ["api", "entity"]));

/** The last search on a server; null if there is none. Throws CliError. */
export async function readSearch(workspace: string, server: string): Promise<LastSearch | null> {
  const search = await readJsonFile(searchPath(workspace), isSearch);
  return search?.server === server ? search : null;
}

export const writeSearch = (workspace: string, search: LastSearch): Promise<void> =>
  writeJsonFile(searchPath(workspace), search);
