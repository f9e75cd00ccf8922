import fc from "fast-check";
import type { Death } from "./mortal-store.ts";
import { CLIENTS, USERS } from "./people.ts";

/** A call that a client makes; all of a step are under way at the same time. */
export type Call = { readonly client: number; readonly intent: number } & (
  | {
      readonly kind: "context";
      readonly entities: readonly string[];
      readonly replay: boolean;
      /** whom it is to act for, if it says so */
      readonly principal: string | null;
      /** it is made by whoever was drawn, though it be refused */
      readonly bold: boolean;
      readonly death: Death | null;
    }
  | ({ readonly user: (typeof USERS)[number]; readonly death: Death | null } & (
      | { readonly kind: "plan" | "run"; readonly asks: Asks }
      | { readonly kind: "page"; readonly handle: Handle; readonly limit: number | null }
      /** a plan in a session that is not the caller's */
      | { readonly kind: "intrude"; readonly by: "ref" | "uuid" | "pair" }
    ))
);

/** What a program asks of all boats: so many, or so many at a time. */
export interface Asks {
  readonly how: "limit" | "page_size";
  readonly rows: number;
}

/** A page handle of a session: of the caller, of another one there, or of nobody. */
export interface Handle {
  readonly whose: "own" | "foreign" | "nobodys";
  readonly at: number;
}

export type Step =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "kill"; readonly replica: number }
  | { readonly kind: "withdraw"; readonly api: string }
  | { readonly kind: "calls"; readonly calls: readonly Call[]; readonly picks: readonly number[] };

/** What sessions are of; the last binds none. */
export const INTENTS = ["one", "two", null] as const;

/** What every open names besides: programs read it as e1. */
export const FIRST = "quay.Boat";

/** As `api.entity`. */
const ENTITIES = [
  "quay.Boat",
  "quay.Office",
  "quay.Person",
  "quay.Visit",
  "yard.Boat",
  "yard.Part",
];

const MINUTE = 60_000;

/** Most calls die of nothing. */
const death = fc.oneof(
  { weight: 7, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record<Death>({
      at: fc.integer({ min: 1, max: 24 }),
      when: fc.constantFrom("before", "after"),
    }),
  },
);
const client = fc.nat(CLIENTS - 1);

const context = fc.record({
  kind: fc.constant("context" as const),
  client,
  intent: fc.nat(INTENTS.length - 1),
  // In any order, and some more than once: neither has an effect (P3).
  entities: fc.array(fc.constantFrom(...ENTITIES), { maxLength: 4 }),
  replay: fc.boolean(),
  principal: fc.constantFrom(null, null, null, null, ...USERS),
  bold: fc.constantFrom(false, false, false, false, true),
  death,
});
const asked = { client, intent: fc.nat(1), user: fc.constantFrom(...USERS), death };
const rows = fc.integer({ min: 1, max: 3 });
const program = fc.record({
  ...asked,
  kind: fc.constantFrom("plan" as const, "run" as const),
  asks: fc.record<Asks>({ how: fc.constantFrom("limit", "page_size", "page_size"), rows }),
});
const page = fc.record({
  ...asked,
  kind: fc.constant("page" as const),
  handle: fc.record<Handle>({
    whose: fc.constantFrom("own", "own", "own", "foreign", "nobodys"),
    at: fc.nat(7),
  }),
  limit: fc.option(rows, { freq: 2, nil: null }),
});
const intrusion = fc.record({
  ...asked,
  kind: fc.constant("intrude" as const),
  by: fc.constantFrom("ref" as const, "uuid" as const, "pair" as const),
});
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 7, arbitrary: context },
  { weight: 5, arbitrary: program },
  { weight: 4, arbitrary: page },
  { weight: 2, arbitrary: intrusion },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    // Two of the first let a session live, three do not (SESS-11).
    arbitrary: fc
      .constantFrom(25 * MINUTE, 120 * MINUTE)
      .map((ms) => ({ kind: "wait" as const, ms })),
  },
  { weight: 2, arbitrary: fc.nat(1).map((replica) => ({ kind: "kill" as const, replica })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("quay", "yard").map((api) => ({ kind: "withdraw" as const, api })),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("calls" as const),
      calls: fc.oneof(
        fc.array(call, { minLength: 1, maxLength: 1 }),
        fc.array(call, { minLength: 2, maxLength: CLIENTS }),
      ),
      picks: fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }),
    }),
  },
);

/** How many steps a world has, one by one and at once. */
const STEPS = 20;

export const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS });
