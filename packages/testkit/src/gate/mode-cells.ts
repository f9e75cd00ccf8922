/** What `wait` says, if anything. */
export type CellWait = "omitted" | "false" | "true";

/** A plan on quay's boats, with the reasons that its dry run has. */
export interface ModePlan {
  readonly what: string;
  readonly program: string;
  /** codes of its reasons, each with its severity (OPS-5) */
  readonly reasons: readonly string[];
  /** whether one of them is of severity expensive */
  readonly expensive: boolean;
}

/** One cell of the table of modes: `accepted` answers a handle at once, `answered` the results. */
export interface ModeCell {
  readonly plan: ModePlan;
  readonly wait: CellWait;
  readonly outcome: "answered" | "accepted";
}

const CHEAP: readonly Omit<ModePlan, "expensive">[] = [
  { what: "a get", program: 'Boat("b1")[id]', reasons: [] },
  {
    what: "a read with advice",
    program: "Boat{length>1}.limit(2)[id]",
    reasons: ["info scan"],
  },
  { what: "an effect", program: 'Boat("b1").ping()', reasons: ["review effect"] },
  {
    what: "reads per row of what a condition bounds",
    program: "Boat{state=moored} => Boat(_.id)",
    reasons: ["review unbounded_for_each"],
  },
];

const EXPENSIVE: readonly Omit<ModePlan, "expensive">[] = [
  {
    what: "a read of all pages",
    program: "old = Boat{built<2015-01-01}\nold",
    reasons: ["expensive unbounded_read"],
  },
  {
    what: "effects per row",
    program: "few = Boat.limit(2)\nfew => Boat(_.id).ping()",
    reasons: ["review effect", "expensive mutating_for_each"],
  },
];

/** Plans of both kinds: no reason but an expensive one delays a run. */
export const MODE_PLANS: readonly ModePlan[] = Object.freeze([
  ...CHEAP.map((plan) => ({ ...plan, expensive: false })),
  ...EXPENSIVE.map((plan) => ({ ...plan, expensive: true })),
]);

/** OPS-9's table, in its words: what a run does, by `wait` and by the plan. */
const TABLE = {
  omitted: { cheap: "answered", expensive: "accepted" },
  false: { cheap: "accepted", expensive: "accepted" },
  true: { cheap: "answered", expensive: "answered" },
} as const;

const WAITS = ["omitted", "false", "true"] as const;

/** Every cell of the table of modes (OPS-9): the one table that all tests of it walk. */
export const MODE_CELLS: readonly ModeCell[] = Object.freeze(
  MODE_PLANS.flatMap((plan) =>
    WAITS.map((wait) => {
      const outcome = TABLE[wait][plan.expensive ? "expensive" : "cheap"];
      return { plan, wait, outcome };
    }),
  ),
);

/** The argument of a cell, as a call takes it. */
export const waitOf = ({ wait }: ModeCell): { readonly wait?: boolean } =>
  wait === "omitted" ? {} : { wait: wait === "true" };

/** A cell as a test is named after it. */
export const modeName = ({ plan, wait, outcome }: ModeCell): string =>
  `${plan.what}, wait ${wait} → ${outcome}`;
