import {
  type Catalog,
  type Plan,
  type ProgramError,
  type ReadBudget,
  compileProgram,
} from "@plasm/core";
import { readDefinitions } from "@plasm/core/internal";
import { refuseNoText } from "../../errors/arguments.ts";
import { programProblem } from "../../errors/classify.ts";
import { Failure } from "../../errors/problem.ts";
import { type SessionView, untaughtIn } from "../../session/session-view.ts";
import type { UndoProgram } from "./undo-plan.ts";

/** Plans that are kept, and the characters of their programs: those used last. */
const MOST_PLANS = 500;
const MOST_CHARACTERS = 500_000;

/** A plan, and all that it was made from besides its program. */
interface KeptPlan {
  readonly plan: Plan;
  readonly view: Pick<SessionView, "waves" | "exposure">;
  readonly characters: number;
}

/**
 * Plans as they were compiled, by session and program. One is given again only where the session has the same waves,
 * catalogs and policy: a program is compiled from these alone, without clock or store (PLAN-001), so that it would
 * be the same plan. Dates that are relative to today stay in it as they were written; a run dates them.
 */
export class KeptPlans {
  readonly #most: { readonly plans: number; readonly characters: number };
  readonly #kept = new Map<string, KeptPlan>();
  #characters = 0;

  constructor(most = { plans: MOST_PLANS, characters: MOST_CHARACTERS }) {
    this.#most = most;
  }

  /** The plan of a program in a session as it is now, if it is kept. */
  of(program: string, view: SessionView): Plan | null {
    const key = keyOf(program, view);
    const found = this.#kept.get(key);
    if (found === undefined) return null;
    this.#forget(key, found);
    if (!isSame(found.view, view)) return null;
    this.#remember(key, found);
    return found.plan;
  }

  keep(program: string, view: SessionView, plan: Plan): void {
    const key = keyOf(program, view);
    const known = this.#kept.get(key);
    if (known !== undefined) this.#forget(key, known);
    const { waves, exposure } = view;
    this.#remember(key, { plan, view: { waves, exposure }, characters: program.length });
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= this.#most.plans && this.#characters <= this.#most.characters) break;
      this.#forget(oldest, kept);
    }
  }

  #remember(key: string, kept: KeptPlan): void {
    this.#kept.set(key, kept);
    this.#characters += kept.characters;
  }

  #forget(key: string, { characters }: KeptPlan): void {
    this.#kept.delete(key);
    this.#characters -= characters;
  }
}

const keyOf = (program: string, { session }: SessionView): string =>
  `${session.sessionId} ${program}`;

/** Whether a program means the same in both: what a session has is another object whenever it changes. */
function isSame(a: KeptPlan["view"], b: KeptPlan["view"]): boolean {
  return (
    a.waves === b.waves &&
    hasSameCatalogs(a.exposure.catalogs, b.exposure.catalogs) &&
    isSamePolicy(a.exposure.policy, b.exposure.policy)
  );
}

function hasSameCatalogs(
  a: ReadonlyMap<string, Catalog>,
  b: ReadonlyMap<string, Catalog>,
): boolean {
  return a.size === b.size && [...a].every(([entryId, catalog]) => b.get(entryId) === catalog);
}

/** A stored policy is read anew for each call: what it says counts. */
const isSamePolicy = (a: object, b: object): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** What a program is that has no mistakes. */
export type CompiledProgram =
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      /** what an `undo` does not take back, in words */
      readonly left?: readonly string[];
    }
  | {
      readonly kind: "continuation";
      readonly op: "page" | "wait" | "cancel";
      readonly handle: string;
      readonly limit: number | null;
    };

/**
 * What reads may ask for without review, unless policy says otherwise (PLAN-054): more than nearly all that
 * people ask for in words takes, and less than an API notices (docs/adr/0149).
 */
const UNREVIEWED_READS: ReadBudget = Object.freeze({ requests: 20, rows: 2_000 });

/** Those of this process, of all its engines: ids of sessions are random. */
const keptPlans = new KeptPlans();

/**
 * The one way from program text to plan, for dry and live runs alike (PLAN-001, OPS-4). Throws
 * Failure with every error of the program.
 */
export function compile(
  program: unknown,
  view: SessionView,
  plans = keptPlans,
): CompiledProgram | UndoProgram {
  if (typeof program !== "string") {
    throw refuseNoText("program", program, "one text, statements by line");
  }
  const plan = plans.of(program, view);
  if (plan !== null) return { kind: "plan", plan };
  const compiled = compileProgram(program, view.exposure, {
    untaught: untaughtIn(view),
    unreviewedReads: UNREVIEWED_READS,
  });
  if (compiled.kind === "errors") {
    const errors = compiled.errors.map(withoutDefinitions);
    throw new Failure(programProblem({ ...compiled, errors }));
  }
  if (compiled.kind === "plan") plans.keep(program, view, compiled.plan);
  if (compiled.kind !== "continuation") return compiled;
  const { op, handle, effects = [] } = compiled;
  return op === "undo" ? { kind: "undo", handle, effects } : { ...compiled, op };
}

/** What is suggested, as its author would write it: the definitions of saved programs are none of theirs. */
function withoutDefinitions(error: ProgramError): ProgramError {
  const { suggestedProgram } = error;
  if (suggestedProgram === null) return error;
  const { written, definitions } = readDefinitions(suggestedProgram);
  return definitions.size === 0 ? error : { ...error, suggestedProgram: written };
}
