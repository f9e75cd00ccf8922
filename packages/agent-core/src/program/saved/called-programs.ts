import { type Exposure, type WaveEntry, foldWaves } from "@plasm/core";
import {
  type ProgramDefinition,
  calledPrograms,
  compareCodePoints,
  definitionsText,
  entitiesNamed,
  parseProgram,
  readDefinitions,
  visible,
} from "@plasm/core/internal";
import { Failure, fail } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";
import type { SessionView } from "../../session/session-view.ts";
import { KeptPlans, compile } from "../plan/compile.ts";
import { type ShelfDeps, shelfOf } from "./shelf.ts";

/** So many saved programs a program carries at most, and so deep they call each other. */
const MOST = 16;
const MOST_CHARACTERS = 131_072;
const MOST_DEPTH = 8;

/** Where calls are found: what may be called, and by which programs on the way. */
interface CallPlace {
  /** a program that is shared calls shared ones, whatever its caller has saved under their names */
  readonly shared: boolean;
  readonly path: readonly string[];
}

type Carried = ReadonlyMap<string, ProgramDefinition>;

/** A text with the definitions of the programs that it calls. */
export const carrying = (program: string, carried: Carried): string =>
  carried.size === 0 ? program : `${program}\n${definitionsText(carried.values())}`;

/** The saved programs that a text calls by itself, not through others. */
export const callsIn = (program: string): readonly string[] =>
  /\bs\s*\./u.test(program) ? calledPrograms(parseProgram(program).program) : [];

/** What a new session with these entities exposes, in names. */
export function exposureOf(
  { exposure }: Pick<SessionView, "exposure">,
  seeds: SavedProgramRecord["seeds"],
): Exposure {
  const { catalogs, policy } = exposure;
  const log = [...new Set(seeds.map(({ api }) => api))]
    .toSorted(compareCodePoints)
    .flatMap((entryId): readonly WaveEntry[] => {
      const entities = seeds.filter(({ api }) => api === entryId).map(({ entity }) => entity);
      const digest = catalogs.get(entryId)?.digest;
      return digest === undefined
        ? []
        : [{ entryId, entities: entities.toSorted(compareCodePoints), digest }];
    });
  return { catalogs, log, symbols: foldWaves(log, catalogs), notation: "names", policy };
}

/** `plans` are those of the session; a program that is read against something else keeps none in it. */
export function commitIn(program: string, view: SessionView, plans?: KeptPlans): string | null {
  try {
    const compiled = compile(program, view, plans);
    return compiled.kind === "plan" ? compiled.plan.commit : null;
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}

/**
 * A program with what it calls of saved programs, each as it is saved now, before it is planned: from then on the text alone says what runs
 * (SAV-13, SAV-15). A text that carries them already stays as it is. Throws Failure.
 */
export async function withCalledPrograms(
  deps: ShelfDeps,
  caller: Caller,
  view: SessionView,
  program: unknown,
): Promise<unknown> {
  if (typeof program !== "string") return program;
  const names = callsIn(program);
  if (names.length === 0 || entitiesNamed(view.exposure, "s").length > 0) return program;
  if (readDefinitions(program).definitions.size > 0) return program;
  const place = { shared: false, path: [] };
  return carrying(program, await findCalled(deps, caller, view, names, place));
}

/** The programs of some names and all that they call, none of which has changed since it was saved. Throws Failure. */
export async function findCalled(
  deps: ShelfDeps,
  caller: Caller,
  view: SessionView,
  names: readonly string[],
  from: CallPlace,
): Promise<Carried> {
  const carried = new Map<string, ProgramDefinition>();
  const ids = new Map<string, string>();
  const found: SavedProgramRecord[] = [];
  const shelf = shelfOf(deps, caller);
  let characters = 0;
  const visit = async (name: string, { shared, path }: CallPlace): Promise<string> => {
    const chain = [...path, name];
    if (path.includes(name)) throw callsItself(chain);
    const look = shared ? shelf.findShared(name) : shelf.find(name);
    const { id, value } = await look.catch((thrown: unknown) => {
      throw notFound(thrown, path);
    });
    const known = ids.get(name);
    if (known === id) return value.version;
    if (known !== undefined) throw twoOfOneName(name);
    ids.set(name, id);
    characters += value.program.length;
    if (path.length >= MOST_DEPTH || ids.size > MOST || characters > MOST_CHARACTERS)
      throw tooMany(chain);
    for (const inner of callsIn(value.program)) {
      const version = await visit(inner, { shared: value.shared, path: chain });
      if (value.calls?.[inner] !== version) throw calleeChanged(name, inner);
    }
    refuseStale(view, value);
    found.push(value);
    const { version, parameters, seeds, program } = value;
    carried.set(name, { name, version, parameters, seeds, program });
    return version;
  };
  for (const name of names) await visit(name, from);
  // The hash of a plan covers what it calls: the others are planned to name the one that has changed.
  const isSame = (one: SavedProgramRecord): boolean => planned(view, one, carried) === one.commit;
  if (found.some((one) => names.includes(one.name) && !isSame(one))) {
    const changed = found.find((one) => !isSame(one));
    if (changed !== undefined) throw programChanged(changed, view);
  }
  return carried;
}

/** A program is called in a session that has its catalogs, and was not taught another version of it (SAV-15). */
function refuseStale(view: SessionView, { name, digests, version }: SavedProgramRecord): void {
  const taught = view.waves.findLast(({ entry }) => entry.program?.name === name);
  if (taught !== undefined && taught.entry.program?.version !== version) {
    const text = `s.${name} was saved again since this session was taught it. Look at it anew: ${seedFor(name)}.`;
    throw fail("plasm-program-changed", text);
  }
  const { catalogs } = view.exposure;
  const missing = Object.keys(digests).filter((id) => !catalogs.has(id));
  if (missing.length > 0) {
    const text = `s.${name} uses ${missing.map(visible).join(", ")}, which this session does not have: ${seedFor(name)} adds it.`;
    throw fail("plasm-bad-request", text);
  }
}

/** The hash of its plan with its defaults, in a session of its own with these catalogs; null where it has mistakes. */
function planned(
  view: SessionView,
  { seeds, program }: SavedProgramRecord,
  carried: Carried,
): string | null {
  const exposure = exposureOf(view, seeds);
  return commitIn(carrying(program, carried), { ...view, exposure }, new KeptPlans());
}

const seedFor = (name: string): string =>
  `plasm_context with the seed {"api": "s", "entity": "${name}"}`;

const callsItself = (chain: readonly string[]): Failure =>
  fail(
    "plasm-bad-request",
    `${chain.map((name) => `s.${name}`).join(" → ")}: a saved program cannot call itself. Save one of them without that call.`,
  );

const tooMany = (chain: readonly string[]): Failure =>
  fail(
    "plasm-bad-request",
    `${chain.map((name) => `s.${name}`).join(" → ")}: at most ${MOST} saved programs may be called by one, of ${MOST_CHARACTERS} characters together, and ${MOST_DEPTH} within each other.`,
  );

const twoOfOneName = (name: string): Failure =>
  fail(
    "plasm-bad-request",
    `s.${name} would be two programs here: your own, and the shared one that a shared program calls. Save yours under another name.`,
  );

/** What a saved program calls is another than it was saved with (SAV-15). */
export const calleeChanged = (name: string, inner: string): Failure =>
  fail(
    "plasm-program-changed",
    `s.${name} was not run: it calls s.${inner}, which was saved again since. ${SAVE_AGAIN}`,
  );

function notFound(thrown: unknown, path: readonly string[]): unknown {
  const outer = path.at(-1);
  if (!(thrown instanceof Failure) || outer === undefined) return thrown;
  const { code, text } = thrown.problem;
  return fail(code, `s.${outer} cannot call what it calls: ${text}`);
}

export const SAVE_AGAIN =
  "Look at what it is now, and save it again: import its own text, or plan it in a session and save that plan under the same name.";

/** It would be another plan than the one that was saved (SAV-06). */
export function programChanged(
  { name, digests }: SavedProgramRecord,
  { exposure }: SessionView,
): Failure {
  const changed = Object.entries(digests).flatMap(([id, digest]) =>
    exposure.catalogs.get(id)?.digest === digest ? [] : [visible(id)],
  );
  const why =
    changed.length === 0
      ? "policy has it call something else now"
      : `changed since: ${changed.join(", ")}`;
  return fail(
    "plasm-program-changed",
    `${name} was not run: it is another plan than the one that was saved (${why}). ${SAVE_AGAIN}`,
    { meta: { error: { code: "plasm-program-changed" } } },
  );
}
