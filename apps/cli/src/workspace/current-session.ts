import { join } from "node:path";
import { hasTexts, readJsonFile, writeJsonFile } from "./json-file.ts";

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
