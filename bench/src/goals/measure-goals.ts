import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Catalog, CURRENT_FEATURES, discover, exposeSeeds } from "@plasm/core";
import { everydayWords, seedsOfGoal, tokenize } from "@plasm/core/internal";
import { parse } from "yaml";

/** A goal, and what must be found: one of each list, as `catalog:Entity`. */
export interface Goal {
  /** null for what no catalog is about */
  readonly api: string | null;
  readonly text: string;
  readonly needs: readonly (readonly string[])[];
  /** what meets it as well where no API is named: it means no catalog in particular */
  readonly alike: readonly string[];
  /** whether its misses may be looked at for tuning */
  readonly isSeen: boolean;
}

const FILES = {
  goals: fileURLToPath(new URL("goals.yaml", import.meta.url)),
  control: fileURLToPath(new URL("control.yaml", import.meta.url)),
};
const SAME = "same";
const ALSO = "also";
const SEVERAL = "several";

type GoalsByApi = Readonly<Record<string, readonly (string | Record<string, string>)[]>>;

const goalsFile = (file: keyof typeof FILES = "goals"): unknown =>
  parse(readFileSync(FILES[file], "utf8"));

/** The goals of a file, in its order. */
export function readGoals(file: keyof typeof FILES = "goals"): readonly Goal[] {
  const byApi = goalsFile(file) as GoalsByApi;
  const { [SAME]: same = [], [ALSO]: also = [], [SEVERAL]: _several, ...goalsByApi } = byApi;
  const alike = new Map(
    also.flatMap((line) => (typeof line === "string" ? [] : Object.entries(line))),
  );
  const others = new Map<string, readonly string[]>();
  for (const line of same) {
    const names = typeof line === "string" ? line.split(" ") : [];
    for (const name of names) others.set(name, names);
  }
  return Object.entries(goalsByApi)
    .flatMap(([api, goals]) =>
      goals.flatMap((goal) => {
        if (typeof goal === "string") return [goalOf(null, goal, "", others)];
        return Object.entries(goal).map(([needs, text]) => goalOf(api, text, needs, others));
      }),
    )
    .map((goal) => ({ ...goal, alike: alike.get(goal.text)?.split(" ") ?? [] }));
}

/** The goals of the file that speak of several things (TEACH-58). */
export function readGoalsOfSeveral(): readonly Goal[] {
  const { [SEVERAL]: byApi } = goalsFile() as { readonly [SEVERAL]: GoalsByApi };
  return Object.entries(byApi).flatMap(([api, goals]) =>
    goals.flatMap((goal) =>
      Object.entries(goal).map(([needs, text]) => ({
        ...goalOf(api, String(text), needs, new Map()),
        alike: [],
      })),
    ),
  );
}

/** How many of some goals are taught all that they need, with their API named. */
export const taughtOf = (goals: readonly Goal[], catalogs: readonly Catalog[]): number =>
  goals.filter((goal) => meets(goal, taughtBy(goal, catalogs, true).chosen)).length;

function goalOf(
  api: string | null,
  text: string,
  needs: string,
  same: ReadonlyMap<string, readonly string[]>,
): Omit<Goal, "alike"> {
  const seenBy = createHash("sha256").update(text).digest("hex");
  const alternatives = (entity: string): readonly string[] => {
    const name = entity.includes(":") ? entity : `${api}:${entity}`;
    return same.get(name) ?? [name];
  };
  return {
    api,
    text,
    needs:
      api === null ? [] : needs.split(" + ").map((each) => each.split("/").flatMap(alternatives)),
    isSeen: /^[02468ace]/.test(seenBy),
  };
}

/** o200k tokens that the tables of a goal alone are held to, as estimated by their fields and methods (TEACH-47). */
const BUDGET = 1_500;

/** What became of the goals of one half. */
export interface GoalFigures {
  readonly goals: number;
  /** all that a goal needs is among the first eight; with and without its catalog named */
  readonly found_named: number;
  readonly found: number;
  /** the same without its catalog named, or what meets it as well is among them */
  readonly found_or_alike: number;
  /** the same, or another catalog alone has what is equally right, by rule (TEACH-55) */
  readonly found_or_equal: number;
  /** all that a goal needs is told by discovery, in its rows or by name; and by plasm_context, taught or by name (TEACH-59, TEACH-60) */
  readonly told_named: number;
  readonly told: number;
  readonly offered_named: number;
  readonly offered: number;
  /** answered with no row */
  readonly silent_named: number;
  readonly silent: number;
  /** all that a goal needs is taught by itself (TEACH-47), with how many entities and o200k tokens of tables */
  readonly taught_named: number;
  readonly taught: number;
  readonly entities_named: number;
  readonly entities: number;
  readonly tokens_named: number;
  readonly tokens: number;
  /** goals whose tables of several entities take more than the budget, with and without catalog named */
  readonly over_budget: number;
  /** goals that no catalog is about, and how many of them were answered with rows */
  readonly foreign: number;
  readonly false_answers: number;
}

/** A goal of which something is missing among the first eight. */
export interface Miss {
  readonly goal: Goal;
  readonly named: boolean;
  readonly found: readonly string[];
}

export interface MeasuredGoals {
  readonly seen: GoalFigures;
  readonly unseen: GoalFigures;
  readonly catalogs: number;
  /** of the half that may be looked at */
  readonly misses: readonly Miss[];
  /** goals of that half that nothing fits, and what they were answered */
  readonly falseAnswers: readonly Miss[];
}

type Counts = { -readonly [key in keyof GoalFigures]: number };

const none = (): Counts => ({
  goals: 0,
  found_named: 0,
  found: 0,
  found_or_alike: 0,
  found_or_equal: 0,
  told_named: 0,
  told: 0,
  offered_named: 0,
  offered: 0,
  silent_named: 0,
  silent: 0,
  taught_named: 0,
  taught: 0,
  entities_named: 0,
  entities: 0,
  tokens_named: 0,
  tokens: 0,
  over_budget: 0,
  foreign: 0,
  false_answers: 0,
});

/** Looks for each goal among all catalogs, and in its own alone. */
export function measureGoals(
  catalogs: readonly Catalog[],
  count: (text: string) => number,
  goals: readonly Goal[] = readGoals(),
): MeasuredGoals {
  const halves = { seen: none(), unseen: none() };
  const misses: Miss[] = [];
  const falseAnswers: Miss[] = [];
  const tokensOf = tableTokens(catalogs, count);
  const entities = namedEntities(catalogs);
  for (const goal of goals) {
    const counts = goal.isSeen ? halves.seen : halves.unseen;
    const { rows: all, others: beside } = discovered(goal.text, catalogs);
    if (goal.api === null) {
      counts.foreign += 1;
      counts.false_answers += all.length > 0 ? 1 : 0;
      if (all.length > 0 && goal.isSeen) falseAnswers.push({ goal, named: false, found: all });
      continue;
    }
    counts.goals += 1;
    for (const apis of [undefined, [goal.api]]) {
      const named = apis !== undefined;
      const answer = named ? discovered(goal.text, catalogs, apis) : { rows: all, others: beside };
      const found = answer.rows;
      const isFound = meets(goal, found);
      if (!isFound && goal.isSeen) misses.push({ goal, named, found });
      const { chosen, others } = taughtBy(goal, catalogs, named);
      counts[named ? "found_named" : "found"] += isFound ? 1 : 0;
      counts[named ? "told_named" : "told"] += meets(goal, [...found, ...answer.others]) ? 1 : 0;
      counts[named ? "offered_named" : "offered"] += meets(goal, [...chosen, ...others]) ? 1 : 0;
      if (!named) {
        const isAlike = isFound || goal.alike.some((name) => found.includes(name));
        counts.found_or_alike += isAlike ? 1 : 0;
        counts.found_or_equal += isAlike || meetsEqually(goal, found, entities) ? 1 : 0;
      }
      counts[named ? "silent_named" : "silent"] += found.length === 0 ? 1 : 0;
      counts[named ? "taught_named" : "taught"] += meets(goal, chosen) ? 1 : 0;
      counts[named ? "entities_named" : "entities"] += chosen.length;
      const tokens = tokensOf(chosen);
      counts[named ? "tokens_named" : "tokens"] += tokens;
      counts.over_budget += chosen.length > 1 && tokens > BUDGET ? 1 : 0;
    }
  }
  return { ...halves, catalogs: catalogs.length, misses, falseAnswers };
}

/** Counts the tokens of the tables of these entities, `catalog:Entity` each, without what is said of the language. */
function tableTokens(
  catalogs: readonly Catalog[],
  count: (text: string) => number,
): (names: readonly string[]) => number {
  const byId = new Map(catalogs.map((catalog) => [catalog.entryId, catalog]));
  const known = new Map<string, number>();
  return (names) => {
    const key = names.toSorted().join(" ");
    const before = known.get(key);
    if (before !== undefined) return before;
    const seeds = [...new Set(names.map((name) => name.split(":")[0] ?? ""))].map((entryId) => ({
      entryId,
      entities: names.flatMap((name) =>
        name.startsWith(`${entryId}:`) ? [name.slice(entryId.length + 1)] : [],
      ),
    }));
    const { waves } = exposeSeeds({
      exposure: null,
      seeds,
      catalogs: byId,
      notation: "names",
      policy: {},
      features: CURRENT_FEATURES,
    });
    const tables = waves.flatMap(({ text }) => text.match(/^```tsv$[^]*?^```$/gmu) ?? []);
    const tokens = tables.reduce((sum, table) => sum + count(table), 0);
    known.set(key, tokens);
    return tokens;
  };
}

/** The entities that a goal alone is taught, with its API named or without, and those that it is told of by name. */
function taughtBy(
  { api, text: intent }: Goal,
  catalogs: readonly Catalog[],
  named: boolean,
): { readonly chosen: readonly string[]; readonly others: readonly string[] } {
  const apis = named && api !== null ? { apis: [api] } : {};
  const seeds = seedsOfGoal({ intent, synonyms: everydayWords(), ...apis }, catalogs, {});
  return seeds.ok
    ? { chosen: seeds.chosen.map(nameOf), others: seeds.others.map(nameOf) }
    : { chosen: [], others: seeds.nearest.map(nameOf) };
}

const nameOf = ({ api, entity }: { readonly api: string; readonly entity: string }): string =>
  `${api}:${entity}`;

/** The first eight that discovery shows, and what it tells by name. */
function discovered(
  intent: string,
  catalogs: readonly Catalog[],
  apis?: readonly string[],
): { readonly rows: readonly string[]; readonly others: readonly string[] } {
  const found = discover(
    { intent, synonyms: everydayWords(), ...(apis && { apis }) },
    catalogs,
    {},
  );
  return found.ok
    ? { rows: found.options.map(nameOf), others: [...found.others, ...found.further].map(nameOf) }
    : { rows: [], others: [] };
}

const meets = ({ needs }: Goal, found: readonly string[]): boolean =>
  needs.every((each) => each.some((name) => found.includes(name)));

/** What an entity is called, and the kinds of things that can be done with it. */
export interface NamedEntity {
  readonly name: string;
  readonly kinds: ReadonlySet<string>;
}

/** Words that importers and authors of documents put beside what a thing is called. */
const ADDED = new Set(tokenize("get list json response"));
const KINDS: Readonly<Record<string, string>> = {
  query: "read",
  search: "read",
  get: "read",
  create: "create",
  update: "change",
  action: "change",
  delete: "delete",
};

/** The entities of catalogs, as `catalog:Entity`: called by the words of their names, without what is added and the catalog's id. */
export function namedEntities(catalogs: readonly Catalog[]): ReadonlyMap<string, NamedEntity> {
  const found = new Map<string, NamedEntity>();
  for (const { entryId, cgs } of catalogs) {
    const id = new Set(tokenize(entryId));
    for (const { name } of cgs.entities.values()) {
      const words = tokenize(name).filter((word) => !id.has(word) && !ADDED.has(word));
      const capabilities = [...cgs.capabilities.values()].filter(({ entity }) => entity === name);
      const kinds = capabilities.map(({ kind }) => KINDS[kind] ?? kind);
      found.set(`${entryId}:${name}`, { name: words.join(" "), kinds: new Set(kinds) });
    }
  }
  return found;
}

/**
 * Whether one other catalog alone meets every need of a goal among these: by an entity that is called the same as one that the goal
 * accepts, with which at least the same kinds of things can be done: read, create, change, delete (TEACH-55).
 */
export function meetsEqually(
  { needs }: Pick<Goal, "needs">,
  found: readonly string[],
  entities: ReadonlyMap<string, NamedEntity>,
): boolean {
  const equals = (name: string, accepted: string): boolean => {
    const [one, other] = [entities.get(name), entities.get(accepted)];
    if (one === undefined || other === undefined || one.name === "") return false;
    return one.name === other.name && [...other.kinds].every((kind) => one.kinds.has(kind));
  };
  const catalogs = new Set(found.map((name) => name.split(":")[0] ?? ""));
  return [...catalogs].some((catalog) => {
    const own = found.filter((name) => name.startsWith(`${catalog}:`));
    return needs.every((each) =>
      each.some((accepted) => own.some((name) => equals(name, accepted))),
    );
  });
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;

/** The figures as a table. */
export function goalsTable({ seen, unseen, catalogs }: MeasuredGoals): string {
  const whole = sumOf(seen, unseen);
  const halves = [whole, seen, unseen];
  const row = (label: string, say: (one: GoalFigures) => string): string =>
    [label, ...halves.map(say)].join("\t");
  const share = (key: keyof GoalFigures) => (one: GoalFigures) => percent(one[key], one.goals);
  const mean = (key: keyof GoalFigures) => (one: GoalFigures) => (one[key] / one.goals).toFixed(2);
  return [
    `goals on ${catalogs} catalogs\tall\ttuned on\tunseen`,
    row("goals", ({ goals }) => `${goals}`),
    row("found among 8, API named", share("found_named")),
    row("found among 8", share("found")),
    row("found among 8, or what means the same", share("found_or_alike")),
    row("found among 8, or what is equally right by rule", share("found_or_equal")),
    row("in the answer, as rows or by name, API named", share("told_named")),
    row("in the answer, as rows or by name", share("told")),
    row("taught or told by name, API named", share("offered_named")),
    row("taught or told by name", share("offered")),
    row("answered nothing, API named", share("silent_named")),
    row("answered nothing", share("silent")),
    row("taught by itself, API named", share("taught_named")),
    row("taught by itself", share("taught")),
    row("entities taught, API named", mean("entities_named")),
    row("entities taught", mean("entities")),
    row("tokens of tables taught, API named", mean("tokens_named")),
    row("tokens of tables taught", mean("tokens")),
    row("tables of several entities above the budget", ({ over_budget }) => `${over_budget}`),
    row("about nothing here", ({ foreign }) => `${foreign}`),
    row("false answers", (one) => percent(one.false_answers, one.foreign)),
  ].join("\n");
}

/** The goals of which something was missed, and the false answers, of the half that may be looked at. */
export function missesText({ misses, falseAnswers }: MeasuredGoals): string {
  const lines = [...misses, ...falseAnswers].map(({ goal, named, found }) => {
    const needs =
      goal.api === null ? "nothing" : goal.needs.map((each) => each.join("/")).join(" + ");
    return `${named ? "named" : "all"}\t${needs}\t${goal.text}\t${found.join(" ")}`;
  });
  return lines.join("\n");
}

/** The figures of both halves. */
export function sumOf(left: GoalFigures, right: GoalFigures): GoalFigures {
  const sum = none();
  for (const key of Object.keys(sum) as (keyof GoalFigures)[]) sum[key] = left[key] + right[key];
  return sum;
}
