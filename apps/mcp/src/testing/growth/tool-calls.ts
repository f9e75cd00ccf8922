import { arbitraryGrownText } from "@plasm/testkit";
import fc from "fast-check";

/** A call of a tool with what an agent gives it. */
export interface DrawnCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const PIECES: readonly string[] = [
  "Boat ",
  "Boat\n",
  "quay:Boat,",
  "list the boats ",
  "boats of the harbour, ",
  "s0_o1 ",
  "pc1,",
  "page(s0_pg1)\n",
  "wait(s0_o1);",
  ".limit(1)",
  "[id]",
  "{state=lost}",
];

const text = arbitraryGrownText(PIECES);

/** Lists and maps that are as long or as deep as their text. */
const tree: fc.Arbitrary<unknown> = fc.oneof(
  text,
  text.map((grown) => grown.split(/[ ,\n]/).slice(0, 5_000)),
  text.map((grown) =>
    Array.from({ length: Math.min(5_000, grown.length) }, () => ({ entity: "Boat" })),
  ),
  text.map((grown) =>
    Array.from({ length: Math.min(5_000, grown.length) }, (_, at) => ({
      api: "quay",
      entity: `${grown.slice(0, 50)}${at}`,
    })),
  ),
  text.map((grown) =>
    Object.fromEntries(
      Array.from({ length: Math.min(5_000, grown.length) }, (_, at) => [
        `k${at}`,
        grown.slice(0, 9),
      ]),
    ),
  ),
  text.map((grown) =>
    Array.from({ length: Math.min(2_000, grown.length) }).reduce<unknown>(
      (inner) => ({ inner }),
      1,
    ),
  ),
  fc.constantFrom<unknown>(null, true, -1, 1e308, 0.5, [], {}, [[]], "", "__proto__"),
);

/** What each argument is as a rule, so that most calls get beyond the look at their arguments. */
const USUAL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plasm_context: { intent: "list the boats", seeds: [{ api: "quay", entity: "Boat" }] },
  plasm: { logical_session_ref: "s0", program: "Boat.limit(1)" },
  plasm_run: { logical_session_ref: "s0", program: "page(s0_pg1)" },
  discover_capabilities: { intent: "list the boats" },
  grafted_context_fetch: { graft_id: "g1", logical_session_ref: "s0" },
};

const NAMES: Readonly<Record<string, readonly string[]>> = {
  plasm_context: [
    "intent",
    "seeds",
    "replay",
    "notation",
    "read_only",
    "grafts",
    "logical_session_ref",
  ],
  plasm: ["logical_session_ref", "program", "mode", "explain", "force", "wait"],
  plasm_run: ["logical_session_ref", "program", "plan_commit_ref", "force", "wait", "mode"],
  discover_capabilities: ["intent", "apis", "limit"],
  grafted_context_fetch: ["graft_id", "logical_session_ref", "offset"],
};

const argument = (tool: string): fc.Arbitrary<readonly [string, unknown]> => {
  const known = fc.constantFrom(...(NAMES[tool] ?? ["intent"]));
  return fc.oneof(
    { weight: 9, arbitrary: fc.tuple(known, tree) },
    { weight: 1, arbitrary: fc.tuple(text, tree) },
  );
};

/** Texts that stand where a seed, an api or a graft is named. */
const seeds = text.map((grown) => [
  { api: "quay", entity: grown },
  { api: grown, entity: "Boat" },
  { entity: grown },
]);

/** Calls of every tool, one or two arguments of each as long as can be. */
export const arbitraryCall: fc.Arbitrary<DrawnCall> = fc
  .constantFrom(...Object.keys(USUAL))
  .chain((tool) =>
    fc.tuple(
      fc.constant(tool),
      argument(tool),
      fc.option(argument(tool), { nil: null }),
      fc.option(seeds, { nil: null, freq: 3 }),
    ),
  )
  .map(([tool, first, second, named]) => ({
    tool,
    args: {
      ...USUAL[tool],
      ...(named !== null && tool === "plasm_context" ? { seeds: named } : {}),
      [first[0]]: first[1],
      ...(second === null ? {} : { [second[0]]: second[1] }),
    },
  }));
