import { clause, singularWords, wordsOf } from "@plasm/importers";

/** What is known of a tool where tools are put together. */
export interface GroupedTool {
  readonly name: string;
  readonly description: string;
  readonly isRead: boolean;
  readonly slots: readonly ToolSlot[];
}

interface ToolSlot {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** what it takes, as text: the same where the same is taken */
  readonly takes: string;
  /** it takes one of a few words */
  readonly isChoice: boolean;
}

/** Tools that stand on one entity. */
export interface ToolGroup<T extends GroupedTool> {
  /** what they are about, in words, the last in the singular; null where they have nothing in common but their server */
  readonly about: readonly string[] | null;
  readonly tools: readonly T[];
  /** arguments that tables leave out until an agent asks for detail, as {@link argumentKey} */
  readonly rare: ReadonlySet<string>;
}

export const argumentKey = (tool: GroupedTool, slot: { readonly name: string }): string =>
  `${tool.name} ${slot.name}`;

/** What the rows of an entity may take in a table, in characters: some 1,200 tokens. */
const ROOM = 4_500;

/** What a table shows of a description at most, and what it writes around a row, in characters. */
const [SHOWN, AROUND] = [100, 24];

/** A tool with so many options is not what makes a table large. */
const FEW = 5;

const rowSize = (name: string, description: string): number =>
  AROUND + name.length + Math.min(description.length, SHOWN);

/** What tools take in a table: a row each, and one for each argument, which others of the same name share. */
function sizeOf(tools: readonly GroupedTool[], rare: ReadonlySet<string>): number {
  const rows = tools.map(({ name, description }) => rowSize(name, description));
  const shown = tools.flatMap((tool) =>
    tool.slots.filter((slot) => !rare.has(argumentKey(tool, slot))),
  );
  const texts = new Set(shown.map(({ name, description }) => `${name} ${description}`));
  const types = [...texts].map((text) => rowSize("", text));
  const names = shown.map(({ name }) => name.length + 4);
  return [...rows, ...types, ...names].reduce((sum, size) => sum + size, 0);
}

/** Words with which the name of a tool begins or ends, and which say what it does: none that names a thing as often. */
const DOES = new Set(
  `list get fetch read show view describe retrieve lookup search find query browse count check inspect download export
  create add new make insert upsert update edit modify change patch set put replace rename move copy write append upload
  import send post publish submit delete remove clear destroy archive unarchive restore cancel close reopen approve
  unapprove reject accept start stop pause resume retry run execute trigger play enable disable assign unassign mark
  resolve subscribe unsubscribe validate verify convert generate apply cleanup promote protect unprotect manage bulk batch
  all my a an the`.split(/\s+/),
);

/** Words after which a name says how, and no longer what. */
const HOW = new Set([
  "by",
  "for",
  "from",
  "in",
  "of",
  "on",
  "to",
  "with",
  "via",
  "as",
  "at",
  "per",
]);

/** What a tool's name is about, as far as verbs that are known tell; with what it does, or without. */
interface About {
  readonly words: readonly string[];
  readonly hasVerb: boolean;
}

function aboutOf(all: readonly string[]): About {
  const how = all.findIndex((word, at) => at > 0 && HOW.has(word));
  let words = how === -1 ? all : all.slice(0, how);
  const whole = words.length;
  const begins = ([first = ""]: readonly string[]): boolean =>
    DOES.has(first) || (words.length < whole && first === "or");
  while (words.length > 1 && begins(words)) words = words.slice(1);
  if (words.length > 1 && words.length === whole && DOES.has(words.at(-1) ?? ""))
    words = words.slice(0, -1);
  return { words: singularWords(words), hasVerb: words.length < whole };
}

/** Shares of the names of tools that begin with one word, from which on it is the product's. */
const [MANY, MOST] = [4, 0.6];

/** The words of each name without what nearly all begin with: `browser_click` and `browser_type` are of one browser. */
function plainWords(tools: readonly GroupedTool[]): readonly (readonly string[])[] {
  const all = tools.map(({ name }) => wordsOf(name));
  const first = all[0]?.[0] ?? "";
  const begin = all.filter(([word]) => word === first).length;
  const isShared = all.length >= MANY && begin / all.length >= MOST && !DOES.has(first);
  return all.map((words) =>
    isShared && words[0] === first && words.length > 1 ? words.slice(1) : words,
  );
}

const keyOf = (words: readonly string[]): string => words.join(" ");

/** The same words without the first ones, then without the last ones: the nearest first. */
const partsOf = (words: readonly string[]): readonly (readonly string[])[] => [
  ...words.slice(1).map((_word, at) => words.slice(at + 1)),
  ...words.slice(1).map((_word, at) => words.slice(0, words.length - 1 - at)),
];

/** What each tool is about: something that at least two tools are about; null for all else. */
function thingsOf(tools: readonly GroupedTool[]): readonly (readonly string[] | null)[] {
  const names = plainWords(tools);
  const abouts = names.map(aboutOf);
  const known = new Set(abouts.filter(({ hasVerb }) => hasVerb).map(({ words }) => keyOf(words)));
  // `merge_merge_request`: what a verb is, is told by the others.
  const things = abouts.map(({ words, hasVerb }) => {
    const rest = words.slice(1);
    return !hasVerb && known.has(keyOf(rest)) ? rest : words;
  });
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(keyOf(thing), (counts.get(keyOf(thing)) ?? 0) + 1);
  const isThing = (words: readonly string[]): boolean =>
    words.length > 0 && (counts.get(keyOf(words)) ?? 0) > 1;
  return things.map((thing) => [thing, ...partsOf(thing)].find(isThing) ?? null);
}

/** Arguments of one name that take the same have one description, the one that most of them have: then a table says it once. */
function alikeDescribed<T extends GroupedTool>(tools: readonly T[]): readonly T[] {
  const keyed = ({ name, takes }: ToolSlot): string => `${name} ${takes}`;
  const said = new Map<string, Map<string, number>>();
  for (const slot of tools.flatMap(({ slots }) => slots)) {
    const counts = said.get(keyed(slot)) ?? new Map<string, number>();
    if (slot.description !== "")
      counts.set(slot.description, (counts.get(slot.description) ?? 0) + 1);
    said.set(keyed(slot), counts);
  }
  const mostSaid = (slot: ToolSlot): string =>
    [...(said.get(keyed(slot)) ?? [])].reduce(
      (best, one) => (one[1] > best[1] ? one : best),
      [slot.description, 0],
    )[0];
  return tools.map((tool) => ({
    ...tool,
    slots: tool.slots.map((slot) => ({ ...slot, description: mostSaid(slot) })),
  }));
}

/** Which options of a tool with many are left out of a table that is too long, in this order until it fits. */
const STEPS: readonly ((tool: GroupedTool, slot: ToolSlot) => boolean)[] = [
  ({ isRead }) => !isRead,
  ({ isRead }, { isChoice }) => isRead && !isChoice,
  () => true,
];

/** The arguments that tables leave out; none that a tool of the group demands. */
function rareArguments(tools: readonly GroupedTool[]): ReadonlySet<string> {
  const demanded = new Set(
    tools.flatMap(({ slots }) => slots.filter(({ required }) => required).map(({ name }) => name)),
  );
  const optionsOf = (tool: GroupedTool) => {
    const open = tool.slots.filter(({ required }) => !required);
    return open.length > FEW ? open.filter(({ name }) => !demanded.has(name)) : [];
  };
  const rare = new Set<string>();
  for (const isLeft of STEPS) {
    if (sizeOf(tools, rare) <= ROOM) break;
    for (const tool of tools) {
      const left = optionsOf(tool).filter((slot) => isLeft(tool, slot));
      for (const slot of left) rare.add(argumentKey(tool, slot));
    }
  }
  return rare;
}

/**
 * Tools as the entities that they stand on: all on one, if its table stays short; else by what their names are about, and those
 * that are about nothing in common on one of their own. Descriptions of tools that are parted are one clause each, and
 * one for all arguments of a name.
 */
export function groupTools<T extends GroupedTool>(tools: readonly T[]): readonly ToolGroup<T>[] {
  if (sizeOf(tools, new Set()) <= ROOM) return [{ about: null, tools, rare: new Set() }];
  const brief = tools.map((tool): T => ({
    ...tool,
    description: clause(tool.description),
    slots: tool.slots.map((slot) => ({ ...slot, description: clause(slot.description) })),
  }));
  const things = thingsOf(brief);
  const groups = new Map<string, { about: readonly string[] | null; tools: T[] }>();
  for (const [at, tool] of brief.entries()) {
    const about = things[at] ?? null;
    const key = about === null ? "" : keyOf(about);
    const group = groups.get(key) ?? { about, tools: [] };
    group.tools.push(tool);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ about, tools: some }) => {
    const alike = alikeDescribed(some);
    return { about, tools: alike, rare: rareArguments(alike) };
  });
}
