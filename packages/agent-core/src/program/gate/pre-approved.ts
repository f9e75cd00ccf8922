import type { Json, Plan, ProgramApproval } from "@plasm/core";
import { canonicalJson } from "@plasm/core";
import { definitionsText, filesOfPlan, parseProgram, readDefinitions } from "@plasm/core/internal";
import { Failure } from "../../errors/problem.ts";
import type { Caller } from "../../identity/caller.ts";
import type { SavedProgramRecord } from "../../records/saved-programs.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import { callsIn, findCalled } from "../saved/called-programs.ts";
import { callArguments, fillParameters, parametersOf, slotValues } from "../saved/parameters.ts";
import { findSaved, type ShelfDeps } from "../saved/shelf.ts";

/** What policy lets a plan do that is one call of a saved program (SAV-16). */
export interface PreApproval {
  readonly name: string;
  /** most effects of the run */
  readonly effects: number;
  /** most effects of each of its nodes, so that all together are no more */
  readonly perNode: number;
}

/** The same in words. */
export const preApprovedText = ({ name, effects }: PreApproval): string =>
  `policy lets s.${name} run without review, with at most ${effects} effects`;

type Values = Readonly<Record<string, Json>>;

/**
 * Whether policy lets a plan run without review: it is one call of a saved program that policy names, of exactly the version that it
 * names, and nothing else, and its arguments, effects and their number are within what policy says (SAV-16). Null for anything else, which
 * is reviewed as ever.
 */
export async function preApprovalOf(
  deps: ShelfDeps,
  caller: Caller,
  at: ResolvedSession,
  plan: Plan,
): Promise<PreApproval | null> {
  const { programs = {} } = at.view.exposure.policy;
  // What a file holds is not in its program: it is reviewed each time (VAL-08).
  if (plan.summary.effects.length === 0 || filesOfPlan(plan).length > 0) return null;
  for (const [name, approval] of Object.entries(programs)) {
    const perNode = effectsWithin(plan, approval);
    if (perNode === null) continue;
    const record = await recordOf(deps, caller, name);
    if (record === null || record.version !== approval.version) continue;
    const values = await valuesOf(deps, caller, at, plan, record);
    if (values === null || !areWithin(record, values, approval)) continue;
    return { name, effects: approval.effects, perNode };
  }
  return null;
}

async function recordOf(
  deps: ShelfDeps,
  caller: Caller,
  name: string,
): Promise<SavedProgramRecord | null> {
  try {
    return (await findSaved(deps, caller, name)).value;
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}

/** How many effects each node may have; null where the plan has others than policy names, or is certain to have more. */
function effectsWithin(
  { summary }: Plan,
  { effects, capabilities }: ProgramApproval,
): number | null {
  const isNamed = (effect: (typeof summary.effects)[number]): boolean =>
    capabilities?.includes(`${effect.catalog}/${effect.capability}`) ?? true;
  if (!summary.effects.every(isNamed)) return null;
  const billed = summary.bill.effects;
  if ("exact" in billed && billed.exact > effects) return null;
  const repeated = summary.effects.filter((one) => one.for_each !== null).length;
  const left = effects - (summary.effects.length - repeated);
  if (left < 0) return null;
  if (repeated === 0) return 1;
  const perNode = Math.floor(left / repeated);
  return perNode < 1 ? null : perNode;
}

/**
 * The arguments that a plan's text gives a saved program, where that text is what this server makes of such a call itself, to the letter:
 * `s.NAME(…)` with what it calls as that is saved now, or the program with values in the place of defaults. Null for anything else.
 */
async function valuesOf(
  deps: ShelfDeps,
  caller: Caller,
  { view }: ResolvedSession,
  { source }: Plan,
  record: SavedProgramRecord,
): Promise<Values | null> {
  const { written, definitions } = readDefinitions(source);
  const isCall = callsIn(written).includes(record.name);
  const place = { shared: isCall ? false : record.shared, path: isCall ? [] : [record.name] };
  const names = isCall ? [record.name] : callsIn(record.program);
  try {
    if (isCall) {
      const values = callArguments(parseProgram(written).program, written, record.name);
      if (values === null) return null;
      const called = await findCalled(deps, caller, view, names, place);
      return areSame(called, definitions) ? values : null;
    }
    const values = slotValues(written, record);
    const { program } = fillParameters(record, values, deps.store.now());
    if (program !== written) return null;
    const called = await findCalled(deps, caller, view, names, place);
    return areSame(called, definitions) ? values : null;
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}

type Carried = Awaited<ReturnType<typeof findCalled>>;

/** Whether definitions that stand behind a text are those that are saved, to the letter: anybody may write some. */
const areSame = (saved: Carried, found: Carried): boolean =>
  definitionsText(saved.values()) === definitionsText(found.values());

/** Whether arguments are within policy's bounds: what it says nothing of keeps its default. */
function areWithin(
  { program, parameters }: SavedProgramRecord,
  values: Values,
  { parameters: bounds = {} }: ProgramApproval,
): boolean {
  const known = new Map(parametersOf(program, parameters).map((one) => [one.name, one.default]));
  return Object.entries(values).every(([name, value]) => {
    const byDefault = known.get(name);
    if (byDefault === undefined) return false;
    if (canonicalJson(byDefault) === canonicalJson(value)) return true;
    const bound = Object.hasOwn(bounds, name) ? bounds[name] : undefined;
    if (bound === undefined) return false;
    const { any = false, one_of: words, least, most } = bound;
    if (any) return true;
    if (words !== undefined) return itemsOf(value).every((one) => words.includes(one as string));
    return (
      (least !== undefined || most !== undefined) &&
      itemsOf(value).every(
        (one) =>
          typeof one === "number" &&
          one >= (least ?? Number.NEGATIVE_INFINITY) &&
          one <= (most ?? Number.POSITIVE_INFINITY),
      )
    );
  });
}

const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);
