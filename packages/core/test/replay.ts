import type { ProgramError } from "../src/diagnostics/diagnostic.ts";
import { parse } from "../src/language/grammar/parse.ts";
import { type Compiled, compileProgram, type CompileSettings } from "../src/plan/compile.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { foldWaves } from "../src/symbols/waves.ts";

/** A program that was answered with errors, and the session it was sent to. */
export interface Answered {
  readonly program: string;
  readonly exposure: Exposure;
  readonly settings?: CompileSettings;
}

/** What taking the advice of errors came to (17.14, 17.18). */
export interface Replay {
  /** programs that were suggested */
  readonly suggestions: readonly string[];
  /** statements that corrections show, each with the bindings of the program it was shown for */
  readonly statements: readonly string[];
  /** seeds that corrections name, as `catalog/Entity` */
  readonly seeds: readonly string[];
  /** what led nowhere; none if all is right */
  readonly faults: readonly string[];
}

/** Takes all advice that a program's errors give, as its reader would. */
export function replay(answered: Answered, errors: readonly ProgramError[]): Replay {
  const replays = errors.map((error) => replayOne(answered, error));
  return {
    suggestions: replays.flatMap((each) => each.suggestions),
    statements: replays.flatMap((each) => each.statements),
    seeds: replays.flatMap((each) => each.seeds),
    faults: replays.flatMap((each) => each.faults),
  };
}

function replayOne(answered: Answered, error: ProgramError): Replay {
  const suggestions = error.suggestedProgram === null ? [] : [error.suggestedProgram];
  const statements = statementsIn(error.correction, answered);
  const seeds = seedsIn(error.correction);
  const because = `${JSON.stringify(answered.program)}: ${error.correction}`;
  return {
    suggestions,
    statements,
    seeds: seeds.map(({ entryId, entity }) => `${entryId}/${entity}`),
    faults: [
      ...suggestions
        .filter((program) => !isMended(answered, error, program))
        .map((program) => `${because} → suggests ${JSON.stringify(program)}`),
      ...statements
        .filter((program) => saysMore(answered, program) && !fits(answered, error, program))
        .map((program) => `${because} → shows ${JSON.stringify(program)}`),
      ...seeds
        .filter((seed) => !helps(answered, error, seed))
        .map((seed) => `${because} → seeds ${seed.entity}`),
    ],
  };
}

const compile = (answered: Answered, program: string, exposure = answered.exposure): Compiled =>
  compileProgram(program, exposure, answered.settings);

const codesIn = (compiled: Compiled): readonly string[] =>
  compiled.kind === "errors" ? compiled.errors.map(({ code }) => code) : [];

/** Whether a suggested program has one mistake less, and none that was not there (ERR-008). */
function isMended(answered: Answered, { code }: ProgramError, program: string): boolean {
  const before = compile(answered, answered.program);
  const others = [...codesIn(before)];
  others.splice(others.indexOf(code), 1);
  const after = compile(answered, program);
  const moreBefore = before.kind === "errors" ? before.more : 0;
  const moreAfter = after.kind === "errors" ? after.more : 0;
  // Of many mistakes ten are shown: another one may come into sight.
  if (moreBefore > 0) return moreAfter < moreBefore;
  return codesIn(after).every((each) => {
    const at = others.indexOf(each);
    if (at < 0) return false;
    others.splice(at, 1);
    return true;
  });
}

/** Whether a shown program has a mistake that is not said of the program it was shown for. */
function saysMore(answered: Answered, program: string): boolean {
  const known = new Set(codesIn(compile(answered, answered.program)));
  return codesIn(compile(answered, program)).some((code) => !known.has(code));
}

/** Whether what a correction shows is a value, to be written in the place of the mistake. */
function fits(answered: Answered, error: ProgramError, shown: string): boolean {
  const { program } = answered;
  const { start, end } = error.span;
  const value = shown.split("\n").at(-1) ?? "";
  const [own = ""] = /^\([^()]*\)/.exec(program.slice(end)) ?? [];
  const rest = program.slice(end + own.length);
  return isMended(answered, error, `${program.slice(0, start)}${value}${rest}`);
}

/** Where a correction begins to show code, and where it may end. */
const BEGINS =
  /(?<=^|: |\bwrite |\bas in |\bor |\bcall |\bask |; )(?=[A-Za-z_])|(?<=, )(?=found\w* = )/g;
const ENDS = /; |\. |, | or |: |$/g;

/**
 * The whole statements that a correction shows: those that begin with an entity of the session or a label of
 * the program, or bind one. What has an ellipsis is a form to be filled in.
 */
function statementsIn(correction: string, answered: Answered): readonly string[] {
  const context = bindingsOf(answered);
  return [...correction.matchAll(BEGINS)].flatMap(({ index }) => {
    const rest = correction.slice(index);
    const [, label, head = ""] = /^(?:([a-z]\w*) = )?(\w+)/.exec(rest) ?? [];
    if (
      !isHead(answered, context, head) ||
      !/^(?:\.\w|[({~[]| =>)/.test(rest.slice(rest.indexOf(head) + head.length))
    )
      return [];
    const ends = [...rest.matchAll(ENDS)].map((end) => end.index);
    const shown = ends.map((end) => rest.slice(0, end)).find((text) => isStatement(text));
    if (shown === undefined || shown.includes("…") || isValue(context, shown)) return [];
    return [[...context.values(), shown, ...(label === undefined ? [] : [label])].join("\n")];
  });
}

const isStatement = (text: string): boolean => {
  const result = /^([a-z]\w*) = /.exec(text)?.[1];
  return parse(result === undefined ? text : `${text}\n${result}`).diagnostics.length === 0;
};

/** A label's column stands in for a value, as in `b.name`. */
const isValue = (context: ReadonlyMap<string, string>, text: string): boolean =>
  context.has(/^(\w+)\.\w+$/.exec(text)?.[1] ?? "");

function isHead(
  { exposure }: Answered,
  context: ReadonlyMap<string, string>,
  head: string,
): boolean {
  const symbol = /^e(\d+)$/.exec(head)?.[1];
  if (symbol !== undefined) return Number(symbol) <= exposure.symbols.entities.length;
  return context.has(head) || exposure.symbols.entities.some(({ entity }) => entity === head);
}

/** The bindings of a program that plan by themselves, by their labels. */
function bindingsOf(answered: Answered): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of answered.program.split("\n")) {
    const label = /^([a-z]\w*) = /.exec(line)?.[1];
    if (label === undefined || found.has(label)) continue;
    const text = [...found.values(), line, label].join("\n");
    if (compile(answered, text).kind === "plan") found.set(label, line);
  }
  return found;
}

interface Seed {
  readonly entryId: string;
  readonly entity: string;
}

const seedsIn = (correction: string): readonly Seed[] =>
  [...correction.matchAll(/\{"api": "([^"]+)", "entity": "([^"]+)"\}/g)].map(
    ([, entryId = "", entity = ""]) => ({ entryId, entity }),
  );

/** Whether a session with the seed no longer draws the error. */
function helps(answered: Answered, error: ProgramError, { entryId, entity }: Seed): boolean {
  const { exposure } = answered;
  const catalog = exposure.catalogs.get(entryId);
  if (catalog === undefined || !catalog.cgs.entities.has(entity)) return false;
  const log = [...exposure.log, { entryId, digest: catalog.digest, entities: [entity] }];
  const seeded = { ...exposure, log, symbols: foldWaves(log, exposure.catalogs) };
  const left = compile(answered, answered.program, seeded);
  return (
    left.kind !== "errors" ||
    left.errors.every(({ code, span }) => code !== error.code || span.start !== error.span.start)
  );
}
