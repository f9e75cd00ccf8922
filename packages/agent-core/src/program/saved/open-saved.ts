import { canonicalJson } from "@plasm/core";
import { sha256Hex } from "@plasm/core/internal";
import { fail, Failure } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { ContextOutcome } from "../../outcome.ts";
import type { CatalogRegistry } from "../../ports.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";
import type { SessionKey } from "../../records/sessions.ts";
import type { ContextRequest } from "../../session/context-request.ts";
import { locate } from "../../session/locate.ts";
import type { SessionView } from "../../session/session-view.ts";
import type { OperationDeps } from "../deps.ts";
import { compile } from "../plan/compile.ts";
import {
  calleeChanged,
  callsIn,
  carrying,
  commitIn,
  findCalled,
  programChanged,
  SAVE_AGAIN,
} from "./called-programs.ts";
import { fillParameters } from "./parameters.ts";
import { findSaved } from "./shelf.ts";

/** A saved program that is about to be planned or run: an ordinary program of a session of the caller's. */
export interface OpenedProgram {
  readonly session: SessionKey;
  /** names the session in calls of tools */
  readonly ref: string;
  readonly program: string;
}

/** What opens the sessions that saved programs run in. */
export type OpenContext = (caller: Caller, request: ContextRequest) => Promise<ContextOutcome>;

type Runnable = Pick<SavedProgramRecord, "name" | "program" | "seeds">;

/**
 * The session that a saved program runs in: the same for all calls of one principal, as long as text and catalogs are the same. A session keeps
 * the catalogs that it opened with, and a call is planned against those of now (SAV-06).
 */
export async function sessionFor(
  deps: OperationDeps,
  openContext: OpenContext,
  caller: Caller,
  { name, program, seeds }: Runnable,
): Promise<{ readonly key: SessionKey; readonly ref: string; readonly view: SessionView }> {
  const digests = seeds.map(({ api }) => deps.registry.get(api)?.catalog.digest ?? null);
  const mark = sha256Hex(canonicalJson([program, seeds, digests])).slice(0, 12);
  const intent = `saved program ${name} ${mark}`;
  const { meta } = await openContext(caller, { intent, seeds, notation: "names", silent: true });
  const { prompt_hash: promptHash, session_id: sessionId } = meta.execute_binding;
  const { logical_session_ref: ref } = meta;
  if (ref === null) throw new Error("a session with an intent has a ref");
  const key = { promptHash, sessionId };
  const { view } = await locate(deps, caller, { kind: "pair", ...key });
  return { key, ref, view };
}

/** The catalogs that a program was saved with and that nobody is offered any more. */
export const catalogsGone = (
  registry: CatalogRegistry,
  { digests }: Pick<SavedProgramRecord, "digests">,
): readonly string[] => Object.keys(digests).filter((id) => registry.get(id) === undefined);

/** A call of a saved program (SAV-04, SAV-06). */
export async function openSaved(
  deps: OperationDeps,
  openContext: OpenContext,
  caller: Caller,
  name: string,
  values: unknown,
): Promise<OpenedProgram> {
  const { value: saved } = await findSaved(deps, caller, name);
  const given = readValues(name, values);
  const { key, ref, view } = await sessionFor(deps, openContext, caller, saved).catch(
    (thrown: unknown) => {
      throw changedSince(saved, thrown);
    },
  );
  const called = await carriedBy(deps, caller, view, saved);
  const full = (program: string): string => carrying(program, called);
  if (commitIn(full(saved.program), view) !== saved.commit) throw programChanged(saved, view);
  const filled = fillParameters(saved, given, deps.store.now());
  nameArguments(saved, given, deps.store.now(), (program) => compile(full(program), view));
  return { session: key, ref, program: full(filled.program) };
}

/** What a saved program calls, in the versions that it was saved with (SAV-15). */
async function carriedBy(
  deps: OperationDeps,
  caller: Caller,
  view: SessionView,
  { name, program, shared, calls = {} }: SavedProgramRecord,
) {
  const place = { shared, path: [name] };
  const called = await findCalled(deps, caller, view, callsIn(program), place);
  const changed = Object.keys(calls).find((one) => called.get(one)?.version !== calls[one]);
  if (changed !== undefined) throw calleeChanged(name, changed);
  return called;
}

function readValues(name: string, values: unknown): Readonly<Record<string, unknown>> {
  if (values === undefined) return {};
  if (typeof values === "object" && values !== null && !Array.isArray(values)) return { ...values };
  throw fail(
    "plasm-bad-request",
    `arguments must be an object: for each parameter of ${name} that is not to have its default, its value.`,
  );
}

/** What is planned with its defaults is refused for what was given: says for which, one by one. */
function nameArguments(
  saved: SavedProgramRecord,
  given: Readonly<Record<string, unknown>>,
  now: number,
  plan: (program: string) => unknown,
): void {
  for (const [name, value] of Object.entries(given)) {
    const { program, given: shown } = fillParameters(saved, { [name]: value }, now);
    try {
      plan(program);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      const { problem } = thrown;
      const { code, text, errors, meta } = problem;
      throw fail(code, `${saved.name} does not take ${shown.join(", ")}:\n${text}`, {
        errors,
        meta,
      });
    }
  }
}

/** Its catalogs, or entities of them, are not on offer any more: anything else is as it was thrown (SAV-06). */
function changedSince({ name }: SavedProgramRecord, thrown: unknown): unknown {
  if (!(thrown instanceof Failure)) return thrown;
  const { code, text } = thrown.problem;
  if (code !== "plasm-unknown-catalog" && code !== "plasm-unknown-entity") return thrown;
  return fail(
    "plasm-program-changed",
    `${name} was not run: what it was saved with is not on offer any more.\n${text}\n${SAVE_AGAIN}`,
  );
}
