import {
  countTokens,
  type TaskTokens,
  type Tokenizer,
  TOKENIZERS,
  turnsOf,
} from "./count-tokens.ts";
import type { TaskKind } from "./peer-task.ts";
import type { Played } from "./play-tasks.ts";

/** One task on one side. */
export interface TaskCost {
  readonly task: string;
  readonly kind: TaskKind;
  readonly side: string;
  /** whether it changes what a server has */
  readonly changes: boolean;
  readonly turns: number;
  readonly requests: number;
  readonly tokens: Readonly<Record<Tokenizer, TaskTokens>>;
}

const NAMES = Object.keys(TOKENIZERS) as readonly Tokenizer[];

const perTokenizer = <Value>(
  of: (tokenizer: Tokenizer) => Value,
): Readonly<Record<Tokenizer, Value>> => ({
  o200k: of("o200k"),
  cl100k: of("cl100k"),
});

/** Definitions are long and the same for all tasks of a side: they are counted once. */
function definitionCounts(
  played: readonly Played[],
): ReadonlyMap<string, Readonly<Record<Tokenizer, number>>> {
  const sides = new Map(played.map(({ side }) => [side.name, side.definitions]));
  return new Map(
    [...sides].map(([name, text]) => [name, perTokenizer((each) => TOKENIZERS[each](text))]),
  );
}

/** What tasks cost that have been done. */
export function costsOf(played: readonly Played[]): readonly TaskCost[] {
  const definitions = definitionCounts(played);
  return played.map(({ task, side, transcript }) => ({
    task: task.name,
    kind: task.kind,
    side: side.name,
    changes: task.after !== undefined,
    turns: turnsOf(transcript),
    requests: transcript.requests,
    tokens: perTokenizer((each) =>
      countTokens(transcript, definitions.get(side.name)?.[each] ?? 0, TOKENIZERS[each]),
    ),
  }));
}

/** Sums of some tasks on one side. */
export interface SideTotal {
  readonly side: string;
  readonly kind: TaskKind | "all";
  readonly tokenizer: Tokenizer;
  readonly tasks: number;
  readonly definitions: number;
  readonly learn: number;
  /** the same as `work` of the tasks: what they cost when everything is known */
  readonly warm: number;
  readonly wrote: number;
  readonly cold: number;
  readonly input: number;
  readonly turns: number;
  readonly requests: number;
}

const KINDS = ["one call", "chain of three", "fan-out of 20", "two vendors", "all"] as const;

function total(
  costs: readonly TaskCost[],
  side: string,
  kind: SideTotal["kind"],
  tokenizer: Tokenizer,
): SideTotal {
  const own = costs.filter((cost) => cost.side === side && (kind === "all" || cost.kind === kind));
  const sum = (of: (cost: TaskCost) => number): number =>
    own.reduce((all, cost) => all + of(cost), 0);
  return {
    side,
    kind,
    tokenizer,
    tasks: own.length,
    definitions: own[0]?.tokens[tokenizer].definitions ?? 0,
    learn: sum(({ tokens }) => tokens[tokenizer].learn),
    warm: sum(({ tokens }) => tokens[tokenizer].work),
    wrote: sum(({ tokens }) => tokens[tokenizer].wrote),
    cold: sum(({ tokens }) => tokens[tokenizer].cold),
    input: sum(({ tokens }) => tokens[tokenizer].input),
    turns: sum(({ turns }) => turns),
    requests: sum(({ requests }) => requests),
  };
}

/** Sums of every side, for each kind of task and for all, with each tokenizer. */
export function totalsOf(costs: readonly TaskCost[]): readonly SideTotal[] {
  const sides = [...new Set(costs.map(({ side }) => side))];
  const kinds = KINDS.filter((kind) => kind === "all" || costs.some((cost) => cost.kind === kind));
  return NAMES.flatMap((tokenizer) =>
    kinds.flatMap((kind) => sides.map((side) => total(costs, side, kind, tokenizer))),
  );
}
