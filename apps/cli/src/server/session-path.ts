import { failedError } from "../cli-error.ts";
import type { CurrentSession } from "../workspace/current-session.ts";
import type { ServerAnswer, ServerClient } from "./server-client.ts";

/** What names a session on its server. */
export type SessionPair = Pick<CurrentSession, "prompt_hash" | "session_id">;

/** The address of a session's routes (SURF-16). */
export const sessionPath = ({ prompt_hash: hash, session_id: id }: SessionPair): string =>
  `/execute/${encodeURIComponent(hash)}/${encodeURIComponent(id)}`;

/** The session that an open led to. Throws CliError if the answer names none. */
export function openedSession({ url }: ServerClient, { headers }: ServerAnswer): SessionPair {
  const location = headers.get("location") ?? "";
  const [, hash, id] = /\/execute\/([^/?#]+)\/([^/?#]+)$/.exec(location) ?? [];
  if (hash === undefined || id === undefined) {
    throw failedError(`${url} opened no session. Is it a Plasm server? plasm doctor says more.`);
  }
  return { prompt_hash: decodeURIComponent(hash), session_id: decodeURIComponent(id) };
}
