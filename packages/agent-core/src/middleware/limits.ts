import type { EngineCalls } from "../engine-calls.ts";
import type { EngineContext } from "../engine-context.ts";
import { fail, Failure, type Problem } from "../errors/problem.ts";
import { type Caller, principalOf } from "../identity/caller.ts";
import type { SessionAddress } from "../session/handles.ts";
import { tokenCounter } from "../answer/tokens.ts";
import type { RunArguments } from "../program/run/run-request.ts";
import type { Quotas } from "@plasm/core";
import { whoUses } from "../quotas/ledger.ts";

/** Failures in a row after which the same program is not run again for a while. */
const MOST_FAILURES = 5;
const PAUSE_MS = 60_000;
/** The same where the API said that a retry may help. */
const SHORT_PAUSE_MS = 10_000;
/** Callers whose last failure is remembered. */
const MOST_CALLERS = 10_000;

/** Ends of runs that the same program comes to again; what a person, an operator or a wait changes is none. */
const REPEATED: ReadonlySet<string> = new Set([
  "plasm-run-failed",
  "plasm-upstream-error",
  "plasm-upstream-timeout",
]);
/** Ends that are no fault of a program. */
const STOPPED: ReadonlySet<string> = new Set(["cancelled", "interrupted", "set_aside"]);

const pauseOf = ({ retryable }: Problem): number => (retryable ? SHORT_PAUSE_MS : PAUSE_MS);

const isRepeatable = ({ code, errors }: Problem): boolean =>
  REPEATED.has(code) && errors.length > 0 && !errors.some((one) => STOPPED.has(one.code));

interface Streak {
  readonly key: string;
  readonly count: number;
  readonly problem: Problem;
  /** ms */
  readonly last: number;
}

/** Answers a caller that sends one failing program again and again with what was said before, and sends nothing (OPS-53). */
class RepeatedFailures {
  readonly #most: number;
  readonly #now: () => number;
  readonly #streaks = new Map<string, Streak>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  async run<T>(
    caller: Caller,
    to: SessionAddress,
    { program, planCommitRef, force }: RunArguments,
    work: () => Promise<T>,
  ): Promise<T> {
    const principal = principalOf(caller);
    const key = JSON.stringify([to, program, planCommitRef, force]);
    const before = this.#streaks.get(principal);
    const isAgain = before?.key === key;
    if (
      isAgain &&
      before.count >= this.#most &&
      this.#now() < before.last + pauseOf(before.problem)
    ) {
      throw this.#said(before);
    }
    try {
      const answer = await work();
      this.#streaks.delete(principal);
      return answer;
    } catch (thrown) {
      this.#streaks.delete(principal);
      if (thrown instanceof Failure && isRepeatable(thrown.problem)) {
        const count = isAgain ? before.count + 1 : 1;
        this.#keep(principal, { key, count, problem: thrown.problem, last: this.#now() });
      }
      throw thrown;
    }
  }

  #keep(principal: string, streak: Streak): void {
    const [oldest] = this.#streaks.keys();
    if (this.#streaks.size >= MOST_CALLERS && oldest !== undefined) this.#streaks.delete(oldest);
    this.#streaks.set(principal, streak);
  }

  #said({ count, problem, last }: Streak): Failure {
    const again = last + pauseOf(problem);
    const retryAfter = Math.max(1, Math.ceil((again - this.#now()) / 1_000));
    const { text, errors, meta, results } = problem;
    const note = [
      `not run again: this program failed ${count} times in a row, and this is what it said. Nothing was sent now.`,
      `fix: change the program by what the failure says, or ask the user; the same one is run again after ${new Date(again).toISOString()}, in ${retryAfter} s`,
    ].join("\n");
    return fail(problem.code, `${text}\n\n${note}`, {
      errors,
      meta: { ...meta, note },
      results,
      retryable: false,
      retryAfter,
    });
  }
}

/** How long a process goes by quotas of tokens that it has read, in ms: calls are spared a read each. */
const QUOTAS_KNOWN_MS = 1_000;

interface KnownQuotas {
  readonly quotas: Quotas | undefined;
  readonly until: number;
}

const countsTokens = ({ caller, tenant }: Quotas): boolean =>
  caller?.tokens !== undefined || tenant?.tokens !== undefined;

/** Counts tokens that are answered against the quotas of who calls (OPS-52). */
class ServedTokens {
  readonly #deps: EngineContext;
  readonly #known = new Map<string, KnownQuotas>();

  constructor(deps: EngineContext) {
    this.#deps = deps;
  }

  async count<T extends { readonly text: string }>(
    caller: Caller,
    work: () => Promise<T>,
  ): Promise<T> {
    const quotas = await this.#quotasOf(caller.scope);
    if (quotas === undefined || !countsTokens(quotas)) return work();
    const who = whoUses(caller);
    const { quotas: ledger } = this.#deps;
    await ledger.admit(who, tokensAlone(quotas), [], {});
    const served = async (text: string): Promise<void> => {
      const count = await tokenCounter();
      ledger.note(who, quotas, null, { tokens: count(text) });
    };
    try {
      const answer = await work();
      await served(answer.text);
      return answer;
    } catch (thrown) {
      if (thrown instanceof Failure) await served(thrown.problem.text);
      throw thrown;
    }
  }

  async #quotasOf(scope: string): Promise<Quotas | undefined> {
    const now = performance.now();
    const known = this.#known.get(scope);
    if (known !== undefined && known.until > now) return known.quotas;
    const { quotas } = await this.#deps.policies.policyOf(scope);
    if (this.#known.size >= MOST_CALLERS) this.#known.clear();
    this.#known.set(scope, { quotas, until: now + QUOTAS_KNOWN_MS });
    return quotas;
  }
}

/** What is asked before every call that is answered with text; runs ask for the rest. */
function tokensAlone({ caller, tenant }: Quotas): Quotas {
  const [own, all] = [caller?.tokens, tenant?.tokens];
  return {
    ...(own === undefined ? {} : { caller: { tokens: own } }),
    ...(all === undefined ? {} : { tenant: { tokens: all } }),
  };
}

/**
 * Calls within the quotas of tokens, of which none runs a failing program for ever. Each call is named here: one that is forgotten does
 * not compile.
 */
export function withLimits(
  engine: EngineCalls,
  deps: EngineContext,
  mostFailures = MOST_FAILURES,
): EngineCalls {
  const tokens = new ServedTokens(deps);
  const failures = new RepeatedFailures(mostFailures, () => deps.store.now());
  return {
    context: (caller, request) => tokens.count(caller, () => engine.context(caller, request)),
    plan: (caller, to, program) => tokens.count(caller, () => engine.plan(caller, to, program)),
    explain: (caller, to, request) =>
      tokens.count(caller, () => engine.explain(caller, to, request)),
    run: (caller, to, request) =>
      tokens.count(caller, () =>
        failures.run(caller, to, request, () => engine.run(caller, to, request)),
      ),
    discover: (caller, request) => tokens.count(caller, () => engine.discover(caller, request)),
    registry: engine.registry,
    registryEntry: engine.registryEntry,
    describe: engine.describe,
    status: engine.status,
    symbols: engine.symbols,
    runs: engine.runs,
    artifact: engine.artifact,
    fetchGraft: (caller, request) => tokens.count(caller, () => engine.fetchGraft(caller, request)),
    attachGrafts: engine.attachGrafts,
    grafts: engine.grafts,
    graft: engine.graft,
    operation: engine.operation,
    watchOperation: engine.watchOperation,
    onOperation: engine.onOperation,
    tasks: engine.tasks,
    programs: engine.programs,
    schedules: engine.schedules,
    beginCall: engine.beginCall,
    cancelCall: engine.cancelCall,
    readResource: engine.readResource,
    operations: engine.operations,
    operationOf: engine.operationOf,
    cancelOperation: engine.cancelOperation,
    traces: engine.traces,
    trace: engine.trace,
    watchTrace: engine.watchTrace,
  };
}
