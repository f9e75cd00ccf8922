import type { SideTotal, TaskCost } from "./measure-tokens.ts";

/** A goal, and how far it is met. */
export interface Goal {
  readonly goal: string;
  readonly ratio: number;
  /** the most that the ratio may be; null where a figure only says where a goal's comes from */
  readonly most: number | null;
}

/** What goals are judged by. */
export interface Measured {
  readonly totals: readonly SideTotal[];
  readonly costs: readonly TaskCost[];
  /** all tasks in one conversation */
  readonly together: readonly { readonly side: string; readonly tokens: number }[];
  /** what Plasm sends once per session besides its definitions */
  readonly contract: number;
}

const PLASM = "plasm";
const CODEMODE = "codemode";
const DOCUMENTED = "codemode, as documented";
const OP_TOOLS = ["fastmcp", "openapi-mcp-generator"];

function needed<Row extends { readonly side: string }>(rows: readonly Row[], side: string): Row {
  const found = rows.find((row) => row.side === side);
  if (found === undefined) throw new Error(`nothing of ${side}`);
  return found;
}

/** Plasm's tokens of tasks of several calls, divided by codemode's, once all is known. */
function warm(costs: readonly TaskCost[], wanted: (cost: TaskCost) => boolean): number {
  const own = costs.filter((cost) => cost.kind !== "one call" && wanted(cost));
  const sum = (side: string): number =>
    own.reduce((all, cost) => all + (cost.side === side ? cost.tokens.o200k.work : 0), 0);
  return sum(PLASM) / sum(CODEMODE);
}

function fixedGoals({ totals, contract }: Measured): readonly Goal[] {
  const all = totals.filter(({ kind, tokenizer }) => kind === "all" && tokenizer === "o200k");
  const of = (side: string): SideTotal => needed(all, side);
  const peers = [CODEMODE, ...OP_TOOLS].map((side) => of(side).definitions);
  const best = Math.min(...OP_TOOLS.map((side) => of(side).cold));
  const fixed = (of(PLASM).definitions + contract) / Math.min(...peers);
  const cold = (side: string): number => of(PLASM).cold / of(side).cold;
  return [
    { goal: "fixed cost with the contract / the least of a peer's", ratio: fixed, most: 1 },
    { goal: "cold / the best with a tool per operation", ratio: of(PLASM).cold / best, most: 0.5 },
    { goal: "cold / codemode, lean", ratio: cold(CODEMODE), most: 0.9 },
    { goal: "cold / codemode, as documented", ratio: cold(DOCUMENTED), most: 0.9 },
  ];
}

function knownGoals({ costs, together }: Measured): readonly Goal[] {
  const ratio = (side: string): number =>
    needed(together, PLASM).tokens / needed(together, side).tokens;
  return [
    { goal: "all in one conversation / codemode, lean", ratio: ratio(CODEMODE), most: null },
    {
      goal: "all in one conversation / codemode, as documented",
      ratio: ratio(DOCUMENTED),
      most: null,
    },
    { goal: "warm, several calls / codemode", ratio: warm(costs, () => true), most: 0.6 },
    {
      goal: "of these, what only reads",
      ratio: warm(costs, ({ changes }) => !changes),
      most: null,
    },
    {
      goal: "of these, what changes something",
      ratio: warm(costs, ({ changes }) => changes),
      most: null,
    },
  ];
}

/** Goals in tokens (o200k), and the figures that explain them. */
export const tokenGoals = (measured: Measured): readonly Goal[] => [
  ...fixedGoals(measured),
  ...knownGoals(measured),
];

const verdictOf = ({ ratio, most }: Goal): string => {
  if (most === null) return "      ";
  return ratio <= most ? "met   " : "missed";
};

/** Goals as lines a reader compares at a glance. */
export const goalTable = (goals: readonly Goal[]): string =>
  goals
    .map((each) => {
      const most = each.most === null ? "" : ` (at most ${each.most})`;
      return `${verdictOf(each)}  ${each.ratio.toFixed(2)}  ${each.goal}${most}`;
    })
    .join("\n");
