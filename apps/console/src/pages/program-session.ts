import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiProblem, call, type Mistake } from "../api.ts";
import { asProblem } from "../parts/work.ts";
import type { PlanDocument } from "./plan-view.tsx";

/** What a session is taught: an entity of a catalog, or a saved program of the api `s`. */
export interface TaughtSeed {
  readonly api: string;
  readonly entity: string;
}

/** What somebody writes, and on what. */
export interface ProgramDraft {
  readonly api: string;
  readonly entity: string;
  /** what is taught beside that, of this or another catalog */
  readonly also: readonly TaughtSeed[];
  readonly program: string;
}

/** What was typed is kept in this tab, whatever happens to the page or the sign-in. */
const KEPT = "plasm-program";

export function keptDraft(): ProgramDraft {
  const nothing: ProgramDraft = { api: "", entity: "", also: [], program: "" };
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Partial<ProgramDraft>;
    // An earlier console kept names alone.
    const also = (kept.also ?? []).filter((one) => typeof one === "object");
    return { ...nothing, ...kept, also };
  } catch {
    return nothing;
  }
}

/** Keeps a draft before anything else is done with it; what is too long for the browser to keep stays on the page alone. */
export function keepDraft(draft: ProgramDraft): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(draft));
  } catch {
    sessionStorage.removeItem(KEPT);
  }
}

/** What opens the session that a program runs in. */
export const sessionBody = ({ api, entity, also }: Omit<ProgramDraft, "program">): string =>
  JSON.stringify({
    seeds: [{ api, entity }, ...also],
    notation: "names",
  });

export const isOnSame = (one: ProgramDraft, other: ProgramDraft): boolean =>
  sessionBody(one) === sessionBody(other);

export const isSameDraft = (one: ProgramDraft, other: ProgramDraft): boolean =>
  isOnSame(one, other) && one.program === other.program;

/** A session, what it was opened on, and what it teaches. */
interface Opened {
  readonly of: ProgramDraft;
  readonly at: string;
  readonly prompt: string;
}

/** Opens a session on what was chosen. Throws ApiProblem. */
async function openOn(of: ProgramDraft): Promise<Opened> {
  const {
    prompt_hash: hash,
    session,
    prompt,
  } = await call<{
    readonly prompt_hash: string;
    readonly session: string;
    readonly prompt: string;
  }>("/execute", {
    method: "POST",
    body: JSON.parse(sessionBody(of)) as object,
    isHarmless: true,
  });
  const at = `/execute/${encodeURIComponent(hash)}/${encodeURIComponent(session)}`;
  return { of, at, prompt };
}

const GONE: ReadonlySet<string> = new Set(["plasm-session-lost", "plasm-unknown-session"]);

export interface ProgramSession {
  /** what the session teaches; empty until it is open */
  readonly prompt: string;
  /** Calls the session of a draft. Where it has ended the call fails, and the next one has a new session. */
  use<T>(draft: ProgramDraft, job: (at: string) => Promise<T>): Promise<T>;
}

/** The session that programs on what is chosen run in. */
export function useProgramSession(draft: ProgramDraft): ProgramSession {
  const [opened, setOpened] = useState<Opened | null>(null);
  const known = useRef<{ readonly of: string; readonly session: Promise<Opened> } | null>(null);
  const sessionOf = (of: ProgramDraft): Promise<Opened> => {
    const key = sessionBody(of);
    if (known.current?.of === key) return known.current.session;
    const session = openOn(of);
    known.current = { of: key, session };
    const forget = () => {
      if (known.current?.session === session) known.current = null;
    };
    // Whoever chose something else meanwhile is not shown what that was to be.
    session.then((one) => {
      if (known.current?.session === session) setOpened(one);
    }, forget);
    return session;
  };
  useEffect(() => {
    // What goes wrong here is told by the first call that needs it.
    if (draft.entity !== "") sessionOf(draft).catch(() => undefined);
  }, [sessionBody(draft)]);
  return {
    prompt: opened !== null && isOnSame(opened.of, draft) ? opened.prompt : "",
    use: async (of, job) => {
      try {
        return await job((await sessionOf(of)).at);
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (GONE.has(problem.code)) known.current = null;
        throw problem;
      }
    },
  };
}

export interface CheckAnswer {
  readonly text: string;
  readonly _meta: {
    readonly plasm: { readonly plan_commit_ref?: string; readonly plan?: PlanDocument };
  };
}

/** What is said of a draft without running it. */
export interface Checked {
  readonly of: ProgramDraft;
  readonly mistakes: readonly Mistake[];
  /** Asks the server what would be right; null where it has been asked. */
  readonly askMore: (() => void) | null;
  readonly plan: { readonly document: PlanDocument; readonly text: string } | null;
  /** why it could not be checked */
  readonly problem: ApiProblem | null;
}

/** What is wrong with a call of a saved program, as the server says it of the whole: which one, and what would add what it needs. */
const OF_PROGRAM = /^(?:No saved program |s\.)([A-Za-z_]\w*)/;
const MEANT = /Did you mean ([A-Za-z_]\w*)\?/;
const SEED = /: (plasm_context with the seed \{[^{}]*\}) adds it\.$/;

/** The same as a mistake where the call stands; null where the problem is of something else. */
export function mistakenCall({ message }: ApiProblem, program: string): Mistake | null {
  const [, name] = OF_PROGRAM.exec(message) ?? [];
  if (name === undefined) return null;
  const start = program.search(new RegExp(`\\bs\\.${name}\\b`));
  if (start < 0) return null;
  const end = start + 2 + name.length;
  const [, seed = ""] = SEED.exec(message) ?? [];
  const [, meant] = MEANT.exec(message) ?? [];
  return {
    message: seed === "" ? message : message.replace(SEED, "."),
    correction: seed,
    line: program.slice(0, start).split("\n").length,
    start,
    end,
    fix: meant === undefined ? null : `${program.slice(0, start)}s.${meant}${program.slice(end)}`,
  };
}

/** ms without a keystroke until a draft is checked */
const PAUSE_MS = 400;

/** What is wrong with a text whatever it is on, as core in the page reads it; nothing where core has not come. */
export async function mistakesOfText(program: string): Promise<readonly Mistake[]> {
  try {
    const { textMistakes } = await import("../parts/program-text.ts");
    return textMistakes(program);
  } catch {
    return [];
  }
}

/**
 * Checks what is written whenever its writer pauses, and what could not be checked again once the browser is online.
 * A text that cannot be read is not sent: the server would count a call for each word that is half typed. Nothing is
 * run by it, and nobody is asked for anything.
 */
export function useChecked(draft: ProgramDraft, { use }: ProgramSession): Checked | null {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [turn, setTurn] = useState(0);
  const { entity, program } = draft;
  useEffect(() => {
    const again = () => setTurn((n) => n + 1);
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, []);
  useEffect(() => {
    if (entity === "" || program.trim() === "") {
      setChecked(null);
      return undefined;
    }
    const gone = new AbortController();
    const { signal } = gone;
    const done = (more: Partial<Checked>) => {
      const nothing = { of: draft, mistakes: [], askMore: null, plan: null, problem: null };
      if (!signal.aborted) setChecked({ ...nothing, ...more });
    };
    const sent = { method: "POST", body: { program }, isHarmless: true, signal } as const;
    const ask = () => use(draft, (at) => call<CheckAnswer>(`${at}?mode=plan`, sent));
    const plan = async () => {
      try {
        const { text, _meta: meta } = await ask().catch((thrown: unknown) => {
          if (GONE.has(asProblem(thrown).code)) return ask();
          throw thrown;
        });
        const { plan: document } = meta.plasm;
        done({ plan: document === undefined ? null : { document, text } });
      } catch (thrown) {
        const problem = asProblem(thrown);
        const call = mistakenCall(problem, program);
        const mistakes = call === null ? problem.mistakes : [call];
        done(mistakes.length > 0 ? { mistakes } : { problem });
      }
    };
    const check = async () => {
      const mistakes = await mistakesOfText(program);
      if (signal.aborted) return;
      if (mistakes.length > 0) done({ mistakes, askMore: () => void plan() });
      else await plan();
    };
    const timer = setTimeout(() => void check(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [sessionBody(draft), program, turn]);
  return checked !== null && isSameDraft(checked.of, draft) ? checked : null;
}
