import { join, resolve } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { hasTextMembers, readJsonFile } from "./json-file.ts";

export const profilePath = (workspace: string): string => join(workspace, "profile.json");

const isProfile = (value: unknown): value is Profile =>
  hasTextMembers(value, ["server"]) && (!("api_key" in value) || typeof value.api_key === "string");

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

/** The profile, or null if there is none yet. Throws CliError if it is damaged. */
export const readProfile = (workspace: string): Promise<Profile | null> =>
  readJsonFile(profilePath(workspace), isProfile);

/** The session that programs run in; the server owns everything in it (SURF-22). */
export interface CurrentSession {
  /** whose session it is */
  readonly server: string;
  readonly intent: string;
  readonly prompt_hash: string;
  readonly session_id: string;
}
