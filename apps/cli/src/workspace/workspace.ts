import { join, resolve } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { serverClient, type ServerClient } from "../server/server-client.ts";
import { hasTexts, readJsonFile, writeFileOf, writeJsonFile } from "./json-file.ts";

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

/** Where this client keeps its profile, session and outputs: `.plasm/`, or `$PLASM_WORKSPACE` (SURF-22). */
export function workspaceDirectory({ env, cwd }: Pick<CliContext, "env" | "cwd">): string {
  const chosen = env["PLASM_WORKSPACE"];
  return chosen === undefined || chosen === "" ? join(cwd, ".plasm") : resolve(cwd, chosen);
}

/** Which server to talk to, and as whom. */
export interface Profile {
  /** origin, and path if it has one, without a final slash */
  readonly server: string;
  readonly api_key?: string;
}

/** What `plasm serve` listens on unless told otherwise. */
export const DEFAULT_SERVER = "http://127.0.0.1:3000";

export const profilePath = (workspace: string): string => join(workspace, "profile.json");

const isProfile = (value: unknown): value is Profile =>
  hasTexts(value, ["server"]) && (!("api_key" in value) || typeof value.api_key === "string");

/** The profile, or null if there is none yet. Throws CliError if it is damaged. */
export const readProfile = (workspace: string): Promise<Profile | null> =>
  readJsonFile(profilePath(workspace), isProfile);

/** Keeps a profile. The directory is kept out of git, for the key's sake. */
export async function writeProfile(workspace: string, profile: Profile): Promise<void> {
  await writeFileOf(join(workspace, ".gitignore"), "*\n");
  await writeJsonFile(profilePath(workspace), profile);
}

/** The session that programs run in; the server owns everything in it (SURF-22). */
export interface CurrentSession {
  /** whose session it is */
  readonly server: string;
  readonly intent: string;
  readonly prompt_hash: string;
  readonly session_id: string;
}

const pathOf = (workspace: string): string => join(workspace, "session.json");

const isSession = (value: unknown): value is CurrentSession =>
  hasTexts(value, ["server", "intent", "prompt_hash", "session_id"]);

/** The current session on a server; null if there is none. Throws CliError. */
export async function readSession(
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
  hasTexts(value, ["server", "intent"]) &&
  "options" in value &&
  Array.isArray(value.options) &&
  value.options.every((option: unknown) => hasTexts(option, ["api", "entity"]));

/** The last search on a server; null if there is none. Throws CliError. */
export async function readSearch(workspace: string, server: string): Promise<LastSearch | null> {
  const search = await readJsonFile(searchPath(workspace), isSearch);
  return search?.server === server ? search : null;
}

export const writeSearch = (workspace: string, search: LastSearch): Promise<void> =>
  writeJsonFile(searchPath(workspace), search);
