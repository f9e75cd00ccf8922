import assert from "node:assert/strict";
import { type Property, pureProperty } from "@plasm/testkit";
import fc from "fast-check";
import { commitOf } from "../../src/plan/commit.ts";
import { arbitraryEffect } from "../arbitrary-effects.ts";
import { arbitraryChain, type Pieces } from "../arbitrary-program.ts";
import { freshPlan, keptPlan, plain } from "./plans.ts";

/** The commit of a plan with one result, had that another label. */
function relabelled(text: string, label: string): string {
  const plan = freshPlan(text);
  return commitOf({ ...plan, returns: plan.returns.map((each) => ({ ...each, label })) });
}

type Respelling = (text: string, other: string, label: string) => string;
const commit = (text: string): string => freshPlan(text).commit;

const RESPELLINGS: readonly Respelling[] = [
  (text) => commit(`${text} ;; all of it`),
  (text) => commit(`\n\n  ${text}\n\n`),
  (text, other) => commit(`dead = ${other}\n${text}`),
  (text, other) => commit(`${text}\ndead = ${other}`),
  (text, _, label) => relabelled(`kept = ${text}\nkept`, label),
  (text, _, label) => relabelled(`a = ${text}\nb = a\nb`, label),
];
const READS: readonly Respelling[] = [
  ...RESPELLINGS,
  (text) => commit(`${text}\r\n\r\n`),
  (text) => commit(text.replaceAll(",", " ,\n  ").replaceAll("{", "{ ")),
];
const EFFECTS: readonly Respelling[] = [
  ...RESPELLINGS,
  (text) => commit(text.includes("<<") ? text : text.replaceAll(", ", " ,\n  ")),
  (text) => commit(text.replaceAll("note=12.50", 'note="12.50"')),
];

const respelled = (
  key: string,
  says: string,
  chains: fc.Arbitrary<Pieces>,
  respellings: readonly Respelling[],
): Property =>
  pureProperty({
    key,
    says,
    runs: 400,
    holds: () =>
      fc.property(
        chains,
        arbitraryChain,
        fc.constantFrom(...respellings),
        (chain, other, again) => {
          const text = plain(chain);
          const plan = keptPlan(text);
          assert.equal(again(text, plain(other), plan.returns[0]?.label ?? ""), plan.commit);
        },
      ),
  });

export const respelledReads = respelled(
  "P14-spelling",
  "labels, comments, blanks, line ends and dead lines change no commit",
  arbitraryChain,
  READS,
);

export const respelledEffects = respelled(
  "P14-spelling-effects",
  "labels, comments, blanks, line ends and dead lines change no commit of effects",
  arbitraryEffect,
  EFFECTS,
);

type Fact = readonly [RegExp, string];

const READ_FACTS: readonly Fact[] = [
  [/lost/, "sailing"],
  [/limit\((\d+)\)/, "limit(77)"],
  [/page_size\((\d+)\)/, "page_size(77)"],
  [/12\.5/, "12.25"],
  [/"Al"/, '"Bo"'],
  [/"ann"/, '"bob"'],
  [/, desc/, ""],
];

/** Whether a fact of a read decides nothing there, so that its change need not show. */
function isIdle(text: string, pattern: RegExp): boolean {
  // What is said of a row that is not read has no weight (PLAN-002).
  if (text.startsWith("Boat(")) return true;
  // A condition may be implied by another, as may one written twice.
  if (/any\{|not\{| in \[|sailing/.test(text)) return true;
  if ((text.match(new RegExp(pattern.source, "g")) ?? []).length > 1) return true;
  // A page size is a result's: a step that leads elsewhere leaves it behind (LANG-061).
  return pattern.source.startsWith("page") && /\.(owner|visits|logs)/.test(text);
}

const EFFECT_FACTS: readonly Fact[] = [
  [/b1/, "b2"],
  [/state=lost\}/, "state=moored}"],
  [/\(state=lost/, "(state=moored"],
  [/limit\(3\)/, "limit(4)"],
  [/"n"/, '"m"'],
  [/\nlong/, "\nlong "],
  [/ping/, "delete"],
  [/ann/, "bob"],
  [/to="x"/, 'to="y"'],
  [/to=_\.name/, "to=_.id"],
];

const changed = (
  key: string,
  says: string,
  chains: fc.Arbitrary<Pieces>,
  facts: readonly Fact[],
  idle: (text: string, pattern: RegExp) => boolean,
): Property =>
  pureProperty({
    key,
    says,
    runs: 400,
    holds: () =>
      fc.property(chains, fc.nat(99), (chain, pick) => {
        const text = plain(chain);
        const weighty = facts.filter(([pattern]) => pattern.test(text) && !idle(text, pattern));
        const [pattern, replacement] = weighty[pick % weighty.length] ?? [];
        if (pattern === undefined || replacement === undefined) return;
        const other = text.replace(pattern, replacement);
        assert.notEqual(keptPlan(other).commit, keptPlan(text).commit, `${text} and ${other}`);
      }),
  });

export const changedReads = changed(
  "P14-facts",
  "an executable fact changes the commit",
  arbitraryChain,
  READ_FACTS,
  isIdle,
);

export const changedEffects = changed(
  "P14-facts-effects",
  "an executable fact of an effect changes the commit",
  arbitraryEffect,
  EFFECT_FACTS,
  () => false,
);

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value with all its members in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isMembers(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, reversed(child)] as const);
  return Object.fromEntries(entries.toReversed());
}

/** Places of a value, each as the keys that lead there. */
function places(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => places(child, [...path, key]))];
}

/** Another value: of another size if it holds values, else another scalar. */
function otherThan(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, null];
  if (isMembers(value)) return { ...value, further: null };
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  return typeof value === "string" ? `${value} ` : "null";
}

/** The value with that at one place changed. */
function changedAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return otherThan(value);
  if (Array.isArray(value)) {
    return value.map((child, at) => (String(at) === key ? changedAt(child, rest) : child));
  }
  return isMembers(value) ? { ...value, [key]: changedAt(value[key], rest) } : value;
}

const HASHED = ["version", "nodes", "edges", "topological_order", "returns"] as const;

export const changedMembers = pureProperty({
  key: "P14-members",
  says: "name, source, summary and order of keys are no part of the commit; every hashed value is",
  runs: 400,
  holds: () =>
    fc.property(
      fc.oneof(arbitraryChain, arbitraryEffect),
      fc.string(),
      fc.nat(),
      (chain, words, pick) => {
        const plan = keptPlan(plain(chain));
        const renamed = { ...plan, name: words, source: words, summary: { words }, commit: words };
        assert.equal(commitOf(reversed(renamed) as typeof plan), plan.commit);
        const hashed = Object.fromEntries(HASHED.map((member) => [member, plan[member]]));
        const inside = places(hashed).slice(1);
        const path = inside[pick % inside.length] ?? [];
        const other = changedAt(hashed, path) as typeof plan;
        assert.notEqual(commitOf(other), plan.commit, path.join("."));
      },
    ),
});

export const properties = [
  respelledReads,
  respelledEffects,
  changedReads,
  changedEffects,
  changedMembers,
];
