import type { SideTotal } from "./measure-tokens.ts";

/** A goal, and how far it is met. */
export interface Goal {
  readonly goal: string;
  readonly ratio: number;
  /** the most that the ratio may be */
  readonly most: number;
}

const PLASM = "plasm";
const OP_TOOLS = ["fastmcp", "openapi-mcp-generator"];
const MULTI = ["chain of three", "fan-out of 20", "two vendors"];

/** Goals in tokens (o200k); `contract` is what Plasm sends once per session besides its definitions. */
export function tokenGoals(totals: readonly SideTotal[], contract: number): readonly Goal[] {
  const all = totals.filter(({ kind, tokenizer }) => kind === "all" && tokenizer === "o200k");
  const of = (side: string): SideTotal => {
    const found = all.find((total) => total.side === side);
    if (found === undefined) throw new Error(`nothing of ${side}`);
    return found;
  };
  const multi = (side: string): number =>
    totals
      .filter(({ kind, tokenizer }) => MULTI.includes(kind) && tokenizer === "o200k")
      .reduce((sum, total) => sum + (total.side === side ? total.warm : 0), 0);
  const ours = of(PLASM);
  const best = Math.min(...OP_TOOLS.map((side) => of(side).cold));
  const cold = (side: string): number => ours.cold / of(side).cold;
  const peers = ["codemode", ...OP_TOOLS].map((side) => of(side).definitions);
  return [
    {
      goal: "fixed cost, the contract included, against the least of a peer's",
      ratio: (ours.definitions + contract) / Math.min(...peers),
      most: 1,
    },
    { goal: "cold, against the best with a tool per operation", ratio: ours.cold / best, most: 0.5 },
    { goal: "cold, against codemode, lean", ratio: cold("codemode"), most: 0.9 },
    {
      goal: "cold, against codemode, as documented",
      ratio: cold("codemode, as documented"),
      most: 0.9,
    },
    {
      goal: "warm, tasks of several calls, against codemode",
      ratio: multi(PLASM) / multi("codemode"),
      most: 0.6,
    },
  ];
}

/** Goals as lines a reader compares at a glance. */
export const goalTable = (goals: readonly Goal[]): string =>
  goals
    .map(({ goal, ratio, most }) => {
      const met = ratio <= most ? "met   " : "missed";
      return `${met}  ${ratio.toFixed(2)} (at most ${most})  ${goal}`;
    })
    .join("\n");
