import type { Caller } from "@plasm/agent-core";
import fc from "fast-check";
import type { Death } from "./mortal-store.ts";

/** A call that a client makes; all of a step are under way at the same time. */
export type Call = { readonly client: number; readonly intent: number } & (
  | {
      readonly kind: "context";
      readonly entities: readonly string[];
      readonly replay: boolean;
      readonly death: Death | null;
    }
  | { readonly kind: "plan" | "run"; readonly limit: number; readonly death: Death | null }
);

export type Step =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "kill"; readonly replica: number }
  | { readonly kind: "withdraw"; readonly api: string }
  | { readonly kind: "calls"; readonly calls: readonly Call[]; readonly picks: readonly number[] };

/** Two tenants of two people each, who come by a connection and without. */
const CLIENTS = 8;

/** The clients of one world, which no other meets. */
export const clientsOf = (world: number): readonly Caller[] =>
  Array.from({ length: CLIENTS }, (_, at) => ({
    scope: `w${world}-${at < CLIENTS / 2 ? "a" : "b"}`,
    subject: at % 2 === 0 ? "ann" : "bob",
    connection: Math.floor(at / 2) % 2 === 0 ? `w${world}-c${at}` : null,
  }));

/** What sessions are of; the last binds none. */
export const INTENTS = ["one", "two", null] as const;

/** As `api.entity`; `quay.Boat` is in every call besides. */
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
const death = fc.option(
  fc.record<Death>({
    at: fc.integer({ min: 1, max: 24 }),
    when: fc.constantFrom("before", "after"),
  }),
  { freq: 5, nil: null },
);
const client = fc.nat(CLIENTS - 1);

const context = fc.record({
  kind: fc.constant("context" as const),
  client,
  intent: fc.nat(INTENTS.length - 1),
  // In any order, and some more than once: neither has an effect (P3).
  entities: fc.array(fc.constantFrom(...ENTITIES), { maxLength: 4 }),
  replay: fc.boolean(),
  death,
});
const program = fc.record({
  kind: fc.constantFrom("plan" as const, "run" as const),
  client,
  intent: fc.nat(1),
  limit: fc.integer({ min: 1, max: 3 }),
  death,
});
const call: fc.Arbitrary<Call> = fc.oneof(context, program);

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
