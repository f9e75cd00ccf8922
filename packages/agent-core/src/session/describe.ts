import type { JsonObject } from "@plasm/core";
import type { Located } from "./locate.ts";

/** All waves of a session as one text (TEACH-30: the concatenation of stored waves). */
export const promptText = (at: Located): string => at.view.waves.map((wave) => wave.text).join("");

/** What `GET /execute/{prompt_hash}/{session_id}` answers (SURF-16). */
export function describeSession(at: Located): JsonObject {
  const { session, waves } = at.view;
  return {
    prompt_hash: session.promptHash,
    session: session.sessionId,
    prompt: promptText(at),
    entry_id: session.primary,
    entities: waves.flatMap((wave) => [...wave.entry.entities]),
    domain_revision: waves.length,
  };
}
