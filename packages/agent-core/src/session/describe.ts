import type { Json, JsonObject, Notation } from "@plasm/core";
import { shownSymbols } from "@plasm/core/internal";
import type { ExecuteSession } from "../records/sessions.ts";
import { type SessionView, untaughtIn } from "./session-view.ts";

/** All waves of a session as one text (TEACH-30: the concatenation of stored waves). */
export const sessionPrompt = ({ waves }: SessionView): string =>
  waves.map((wave) => wave.text).join("");

/** A session with its tables as they stand. */
export type SessionDescription = {
  readonly prompt_hash: string;
  readonly session: string;
  readonly prompt: string;
  readonly entry_id: string;
  readonly entities: readonly string[];
  readonly domain_revision: number;
};

/** Symbols by letter, with what each stands for. */
export type SymbolTable = {
  readonly notation: Notation;
  readonly domain_revision: number;
  readonly e: JsonObject;
  readonly m: JsonObject;
  readonly p: JsonObject;
};

/** Whether a session lives, and until when. */
export type SessionStatus = { readonly alive: boolean; readonly expires_at: string };

/** What `GET /execute/{prompt_hash}/{session_id}` answers (SURF-16). */
export function describeSession(view: SessionView): SessionDescription {
  const { session, waves } = view;
  return {
    prompt_hash: session.promptHash,
    session: session.sessionId,
    prompt: sessionPrompt(view),
    entry_id: session.primary,
    entities: waves.flatMap((wave) => [...wave.entry.entities]),
    domain_revision: waves.length,
  };
}

/**
 * Symbols with what each stands for, by letter: `e1`, `m1`, `p1` are the first of their kind (TEACH-1). What
 * nobody may be told of keeps its number and is left out.
 */
const numbered = (letter: string, all: readonly Json[]): JsonObject =>
  Object.fromEntries(
    all.flatMap((one, index) => (one === null ? [] : [[`${letter}${index + 1}`, one]])),
  );

/** The symbol map as data: what `GET …/symbols` answers (SURF-16), but for what policy hides (SURF-26). */
export function describeSymbols(view: SessionView): SymbolTable {
  const { session, waves, exposure } = view;
  const { entities, methods, names } = shownSymbols(exposure, untaughtIn(view));
  return {
    notation: session.notation,
    domain_revision: waves.length,
    e: numbered(
      "e",
      entities.map(({ entryId, entity }) => ({ entry_id: entryId, entity })),
    ),
    m: numbered(
      "m",
      methods.map((key) =>
        key === null ? null : { entry_id: key.entryId, entity: key.entity, label: key.label },
      ),
    ),
    p: numbered("p", names),
  };
}

/** Whether a session lives, and until when: what `GET …/status` answers (SURF-16). */
export const describeStatus = ({ expiresAt }: ExecuteSession, now: number): SessionStatus => ({
  alive: expiresAt > now,
  expires_at: new Date(expiresAt).toISOString(),
});
