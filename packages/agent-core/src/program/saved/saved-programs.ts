import { type EntityRef, type Plan, canonicalJson } from "@plasm/core";
import {
  compareCodePoints,
  filesOfPlan,
  keptNames,
  programInNames,
  readDefinitions,
  sha256Hex,
} from "@plasm/core/internal";
import { named, refuseNoText } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";
import type { SessionAddress } from "../../session/handles.ts";
import { type ResolvedSession, locate } from "../../session/locate.ts";
import type { SessionView } from "../../session/session-view.ts";
import type { OperationDeps } from "../deps.ts";
import { operationOfRef } from "../operation/begin-operation.ts";
import { knownCommit, placeOf } from "../plan/commits.ts";
import { KeptPlans, compile } from "../plan/compile.ts";
import { effectsOfPlan, entryIdsOf, usedCapabilities } from "../plan/plan-facts.ts";
import { checkArguments } from "../run/run-request.ts";
import {
  callsIn,
  carrying,
  commitIn,
  exposureOf,
  findCalled,
  withCalledPrograms,
} from "./called-programs.ts";
import { type OpenContext, type OpenedProgram, openSaved, sessionFor } from "./open-saved.ts";
import { parametersOf, requireParameters } from "./parameters.ts";
import {
  type SavedProgramRow,
  type SavedProgramView,
  findSaved,
  keep,
  listSaved,
  readSavedText,
  refuseKeeping,
  removeSaved,
  savedView,
} from "./shelf.ts";
import { givenText } from "./taught-programs.ts";

/** What a plan is saved as, before any check (SAV-01). */
interface SaveRequest {
  /** the pcN of a plan of the session */
  readonly planCommitRef?: unknown;
  /** in its place a program, whose plan is saved (SAV-10) */
  readonly program?: unknown;
  readonly name: unknown;
  readonly description?: unknown;
  /** the labels that become parameters; none without it */
  readonly parameters?: unknown;
  /** whether the whole tenant may run it; its owner alone without it */
  readonly shared?: unknown;
}

/** Code points of a description. */
const LONGEST = 500;

const NAME = /^[a-z][a-z0-9_]{1,59}$/u;

/** Saves a plan of a session, in names, if that is the same plan (SAV-01, SAV-02). */
async function savePlan(
  deps: OperationDeps,
  caller: Caller,
  address: SessionAddress,
  request: SaveRequest,
): Promise<SavedProgramView> {
  refuseKeeping(caller, "save a program");
  const head = readHead(request);
  const { planCommitRef, program } = request;
  const { ref } = checkArguments({ planCommitRef });
  if (ref === null && program === undefined)
    throw refuseNoText("plan_commit_ref", undefined, "the pcN of the plan to save");
  const at = await locate(deps, caller, address);
  const { plan, text } =
    ref === null
      ? planOf(await withCalledPrograms(deps, caller, at.view, program), at)
      : await plannedUnder(deps, caller, at, ref);
  const called = await calledBy(deps, caller, at.view, head, readDefinitions(text).written);
  const saved = inNames(at.view, plan, readDefinitions(text).written, called);
  requireParameters(saved.program, head.parameters);
  const record = recordOf(deps, caller, at.view, plan, { ...head, ...saved, called });
  return keep(deps, caller, record);
}

interface Planned {
  readonly plan: Plan;
  readonly text: string;
}

/** What a ref of the session stands for, whether it has run or not. */
async function plannedUnder(
  { store }: OperationDeps,
  caller: Caller,
  at: ResolvedSession,
  ref: string,
): Promise<Planned> {
  const known = await knownCommit(store, caller, at, ref);
  if (known === null) {
    throw fail(
      "plasm-unknown-handle",
      `No plan ${ref} in this session. Plan the program again, and save it by the ref that it gets.`,
    );
  }
  const { scope, id } = operationOfRef(placeOf(caller, at), ref);
  const text = known.program ?? (await store.get("operation", scope, id))?.value.program;
  const compiled = text === undefined ? null : compile(text, at.view);
  if (text === undefined || compiled?.kind !== "plan" || compiled.plan.commit !== known.commit) {
    throw fail(
      "plasm-review-required",
      `not saved: the program of ${ref} is another plan now. Plan it again, and save it by the ref that it gets.`,
    );
  }
  return { plan: compiled.plan, text };
}

/** A program that is sent as such: it is not run, and need not have a ref. */
function planOf(program: unknown, { view }: ResolvedSession): Planned {
  const compiled = compile(program, view);
  if (compiled.kind === "plan") return { plan: compiled.plan, text: compiled.plan.source };
  throw fail("plasm-bad-request", ONLY_PROGRAMS);
}

const ONLY_PROGRAMS = "A handle is of one session: only a program can be saved.";

/** Refuses what a plan names of one session alone: in any other it would be something else, or nothing (SAV-24). */
function refuseOfSession(plan: Plan): void {
  const [kept] = plan.nodes.flatMap(keptNames);
  const file = filesOfPlan(plan).find(({ name }) => name.startsWith("plasm://"));
  if (kept === undefined && file === undefined) return;
  const what =
    kept === undefined
      ? `file(${JSON.stringify(file?.name)}) is a file of one session`
      : `kept(${kept.join(", ")}) is a value of one session`;
  throw fail(
    "plasm-bad-request",
    `not saved: ${what}, and a saved program runs in others. Have it read the value itself.`,
  );
}

type Called = Awaited<ReturnType<typeof findCalled>>;

/** What it calls, as that is saved now: a shared program calls shared ones, and none of them calls it (SAV-14). */
const calledBy = (
  deps: OperationDeps,
  caller: Caller,
  view: SessionView,
  { name, shared }: SavedHead,
  written: string,
): Promise<Called> => findCalled(deps, caller, view, callsIn(written), { shared, path: [name] });

/** The program in names with as few entities as it takes; refused where that is another plan (SAV-02). */
function inNames(
  view: SessionView,
  plan: Plan,
  text: string,
  called: Called,
): { readonly program: string; readonly seeds: readonly EntityRef[] } {
  const all = view.exposure.log.flatMap(({ entryId, entities }) =>
    entities.map((entity) => ({ api: entryId, entity })),
  );
  // What it calls has its entities where the session was taught none of them.
  for (const seed of [...called.values()].flatMap(({ seeds }) => seeds)) {
    if (!all.some(({ api, entity }) => api === seed.api && entity === seed.entity)) all.push(seed);
  }
  const unused = new Set(
    plan.summary.reasons.flatMap(({ code, detail }) => (code === "unused_seed" ? [detail] : [])),
  );
  const used = all.filter(({ api, entity }) => !unused.has(`${api}.${entity}`));
  for (const seeds of [used, all]) {
    const to = exposureOf(view, seeds);
    const program = programInNames(text, view.exposure, to);
    const full = carrying(program, called);
    if (commitIn(full, { ...view, exposure: to }, new KeptPlans()) === plan.commit)
      return { program, seeds };
  }
  throw fail(
    "plasm-bad-request",
    "not saved: in names instead of symbols this program is another plan. Write it with the names of entities, fields and methods, plan it, and save that plan.",
  );
}

interface SavedHead {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly string[];
  readonly shared: boolean;
}

/** Symbols, and what the language or a list of programs has for itself. */
const TAKEN = /^(?:[emp][0-9]+|s[0-9]+|page|wait|cancel|import)$/u;

/** Checks what a program is saved as. Throws plasm-bad-request. */
function readHead({
  name,
  description = "",
  parameters = [],
  shared = false,
}: Omit<SaveRequest, "planCommitRef" | "program">): SavedHead {
  const form = "a name such as weekly_report: 2 to 60 of a-z, 0-9 and _, beginning with a letter";
  if (typeof name !== "string") throw refuseNoText("name", name, form);
  if (!NAME.test(name) || TAKEN.test(name)) {
    throw fail(
      "plasm-bad-request",
      `name is ${named(name)}, and must be ${form}; not a symbol such as p1, page, wait, cancel or import.`,
    );
  }
  if (typeof description !== "string")
    throw refuseNoText("description", description, "one line of text");
  if (/[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(description) || [...description].length > LONGEST) {
    throw fail(
      "plasm-bad-request",
      `description must be one line of at most ${LONGEST} characters.`,
    );
  }
  if (
    !Array.isArray(parameters) ||
    !parameters.every((one): one is string => typeof one === "string")
  ) {
    throw fail(
      "plasm-bad-request",
      "parameters must be a list of labels that the program binds, each as text.",
    );
  }
  if (typeof shared !== "boolean") throw fail("plasm-bad-request", "shared is true or false.");
  return { name, description, parameters: [...new Set(parameters)], shared };
}

function recordOf(
  deps: OperationDeps,
  caller: Caller,
  { exposure }: SessionView,
  plan: Plan,
  saved: SavedHead & {
    readonly program: string;
    readonly seeds: readonly EntityRef[];
    readonly called: Called;
  },
): SavedProgramRecord {
  refuseOfSession(plan);
  const { name, description, parameters, shared, program, seeds, called } = saved;
  const calls = callsIn(program).map((one) => [one, called.get(one)?.version ?? ""] as const);
  const ids = [...new Set([...entryIdsOf(plan), ...seeds.map(({ api }) => api)])].toSorted(
    compareCodePoints,
  );
  const digests = Object.fromEntries(
    ids.map((id) => [id, exposure.catalogs.get(id)?.digest ?? ""]),
  );
  const effects = effectsOfPlan(plan, exposure.catalogs).map(
    ({ entryId, capability }) => `${entryId}/${capability}`,
  );
  const names = parametersOf(program, parameters).map((one) => one.name);
  const callsOf = Object.fromEntries(calls);
  return {
    name,
    owner: principalOf(caller),
    subject: caller.subject,
    shared,
    description,
    program,
    parameters: names,
    seeds,
    digests,
    uses: usedCapabilities(plan, exposure.catalogs),
    effects: [...new Set(effects)],
    ...(calls.length === 0 ? {} : { calls: callsOf }),
    gives: givenText(plan),
    returns: plan.returns.map(({ label }) => label),
    commit: plan.commit,
    // A plan has no labels: what an argument is for, the text alone says.
    version: sha256Hex(canonicalJson([plan.commit, digests, program, names, callsOf])),
    savedAt: deps.store.now(),
  };
}

/** Saves what a file says: it is planned as a call of it would be, in a session of its own (SAV-07). */
async function importText(
  deps: OperationDeps,
  openContext: OpenContext,
  caller: Caller,
  text: unknown,
): Promise<SavedProgramView> {
  refuseKeeping(caller, "save a program");
  if (typeof text !== "string") throw refuseNoText("text", text, "the text of a saved program");
  const { program, seeds, ...said } = readSavedText(text);
  const head = readHead(said);
  const { view } = await sessionFor(deps, openContext, caller, { name: head.name, program, seeds });
  const called = await calledBy(deps, caller, view, head, program);
  const compiled = compile(carrying(program, called), view);
  if (compiled.kind !== "plan") throw fail("plasm-bad-request", ONLY_PROGRAMS);
  requireParameters(program, head.parameters);
  return keep(
    deps,
    caller,
    recordOf(deps, caller, view, compiled.plan, { ...head, program, seeds, called }),
  );
}

/** Programs that are kept by name (SAV-01 to SAV-07). Each throws Failure. */
export interface SavedPrograms {
  save(caller: Caller, address: SessionAddress, request: SaveRequest): Promise<SavedProgramView>;
  /** saves what a file says, as {@link SavedProgramView}'s `text` has it */
  import(caller: Caller, text: unknown): Promise<SavedProgramView>;
  list(caller: Caller): Promise<readonly SavedProgramRow[]>;
  find(caller: Caller, name: string): Promise<SavedProgramView>;
  remove(caller: Caller, name: string): Promise<SavedProgramRow>;
  /** what a call of it is: the program with the arguments, and the session that it is planned and run in */
  open(caller: Caller, name: string, values: unknown): Promise<OpenedProgram>;
}

/** Saved programs on a store. */
export function savedProgramsIn(deps: OperationDeps, openContext: OpenContext): SavedPrograms {
  return {
    save: (caller, address, request) => savePlan(deps, caller, address, request),
    import: (caller, text) => importText(deps, openContext, caller, text),
    list: (caller) => listSaved(deps, caller),
    find: async (caller, name) => savedView(caller, (await findSaved(deps, caller, name)).value),
    remove: (caller, name) => removeSaved(deps, caller, name),
    open: (caller, name, values) => openSaved(deps, openContext, caller, name, values),
  };
}
