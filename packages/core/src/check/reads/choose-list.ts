import type { EntityKey } from "../../federation/entity-key.ts";
import type { Capability } from "../../schema/capability.ts";
import { type AccessRules, deniedCapabilities } from "../access.ts";
import {
  candidateLists,
  type ListCandidate,
  listCandidate,
  type ListQuestion,
} from "./list-candidates.ts";

/** Which list serves a question (RUN-110), or why none does. */
export type ListChoice =
  | { readonly kind: "chosen"; readonly list: ListCandidate }
  | { readonly kind: "none" }
  /** one that was taught would serve, and policy forbids it since (SURF-25) */
  | { readonly kind: "denied"; readonly capability: Capability }
  | { readonly kind: "tie"; readonly lists: readonly ListCandidate[] }
  | { readonly kind: "unsatisfied"; readonly lists: readonly ListCandidate[] }
  | { readonly kind: "refused"; readonly lists: readonly ListCandidate[] };

/** A list that would serve if policy had not come to forbid it. */
function deniedList(
  rules: AccessRules,
  entity: EntityKey,
  question: ListQuestion,
): Capability | null {
  const kinds = question.search === null ? (["query"] as const) : (["search"] as const);
  const found = deniedCapabilities(rules, entity, kinds).find((each) => {
    const { refused, missing } = listCandidate(rules, entity, each, question);
    return refused.length === 0 && missing.length === 0;
  });
  return found ?? null;
}

/**
 * Chooses the list capability: `named` by its label or by a relation, else of those that can take all
 * conditions (LANG-026) the one with most required parameters bound, then most optional, then fewest
 * declared.
 */
export function chooseList(
  rules: AccessRules,
  entity: EntityKey,
  question: ListQuestion,
  named: Capability | null,
): ListChoice {
  const capabilities =
    named === null ? candidateLists(rules, entity, question.search !== null) : [named];
  if (capabilities.length === 0) return { kind: "none" };
  const all = capabilities.map((each) => listCandidate(rules, entity, each, question));
  const able = all.filter(({ refused }) => refused.length === 0);
  const considered = able.length > 0 ? able : all;
  const bound = considered.filter(({ missing }) => missing.length === 0);
  if ((able.length === 0 || bound.length === 0) && named === null) {
    const denied = deniedList(rules, entity, question);
    if (denied !== null) return { kind: "denied", capability: denied };
  }
  if (able.length === 0) return { kind: "refused", lists: bound.length > 0 ? bound : all };
  if (bound.length === 0) return { kind: "unsatisfied", lists: considered };
  const best = bound.toSorted(byFit)[0];
  if (best === undefined) return { kind: "none" };
  const tied = bound.filter((each) => byFit(each, best) === 0);
  return tied.length === 1 ? { kind: "chosen", list: best } : { kind: "tie", lists: tied };
}

function byFit(a: ListCandidate, b: ListCandidate): number {
  return (
    b.boundRequired - a.boundRequired ||
    b.boundOptional - a.boundOptional ||
    a.declared - b.declared
  );
}
