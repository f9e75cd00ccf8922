import type { JsonObject } from "@plasm/core";
import { eachEffect } from "@plasm/testkit";

/** One effect as `_meta.plasm.effects` has it (PLAN-073). */
interface Entry {
  readonly node: string;
  readonly row: number | null;
  readonly capability: string;
  readonly target: string | null;
  readonly args: { readonly species?: string; readonly on?: string };
  readonly status: "done" | "failed" | "in_doubt" | "skipped";
}

const WORDS: Readonly<Record<Entry["status"], string>> = {
  done: "done",
  failed: "failed",
  in_doubt: "in doubt",
  skipped: "not started",
};

/** The effect in the words of the API's own account. */
function nameOf({ capability, target, args }: Entry): string {
  const id = target?.replace(/^Tree:/, "") ?? "";
  switch (capability) {
    case "tree_create":
      return `create ${args.species}`;
    case "tree_update":
      return `update ${id} ${args.species}`;
    case "tree_prune":
      return `prune ${id} ${args.on}`;
    default:
      return `delete ${id}`;
  }
}

/** What an answer tells of a run's effects, as data and as text. */
export interface Reported {
  readonly done: readonly string[];
  readonly doubtful: readonly string[];
  /** of each node that has an effect told of, in whatever state: the rows */
  readonly rows: readonly (readonly (number | null)[])[];
  /** the states, in order, as the members of the meta have them */
  readonly states: readonly string[];
  /** and as the lines of the text have them, each of which may tell of several */
  readonly lines: readonly string[];
}

/** A line of an effect, and not the head of a failure: `failed at n1: cancelled`. */
const LINE = /^(done|failed|in doubt|not started) (?!at n\d+:)/;

export function reportedIn(text: string, meta: JsonObject): Reported {
  const entries = (meta["effects"] ?? []) as unknown as readonly Entry[];
  const named = (status: Entry["status"]): readonly string[] =>
    entries.filter((entry) => entry.status === status).map(nameOf);
  return {
    done: named("done"),
    doubtful: named("in_doubt"),
    rows: [...new Set(entries.map(({ node }) => node))].map((node) =>
      entries.filter((entry) => entry.node === node).map(({ row }) => row),
    ),
    states: entries.map(({ status }) => WORDS[status]),
    lines: text.split("\n").flatMap((line) => {
      const [, state] = LINE.exec(line) ?? [];
      return state === undefined ? [] : eachEffect(line).map(() => state);
    }),
  };
}
