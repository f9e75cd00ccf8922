import fc from "fast-check";

export const VERBS = ["create", "update", "prune", "delete"] as const;
export type Verb = (typeof VERBS)[number];

/** A statement with an effect, or with one per tree of a plot. */
export interface Step {
  readonly verb: Verb;
  readonly perRow: boolean;
}

export const effectSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ verb: fc.constantFrom(...VERBS), perRow: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
);

/** Each statement has a plot, a species and a day of its own, so that no two effects are alike. */
function statement({ verb, perRow }: Step, at: number): string {
  const plot = at + 1;
  const species = perRow ? "_.species" : `"kind${plot}"`;
  const tree = perRow ? "Tree(_.id)" : `Tree(${plot * 100})`;
  const calls: Readonly<Record<Verb, string>> = {
    create: `Tree.create(species=${species}, plot="${plot}")`,
    update: `${tree}.update(species="kind${plot}")`,
    prune: `${tree}.prune(on=2026-01-0${plot})`,
    delete: `${tree}.delete()`,
  };
  return perRow ? `Tree{plot="${plot}"} => ${calls[verb]}` : calls[verb];
}

export const programOf = (steps: readonly Step[]): string => steps.map(statement).join("\n");
