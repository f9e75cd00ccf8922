import { createRequire } from "node:module";
import fc from "fast-check";
import type { Environment } from "minijinja-js";
import { expect, test } from "vitest";
import { render } from "./testing/render.ts";
import { bindingsArbitrary, templateArbitrary } from "./testing/template-arbitrary.ts";

const RUNS = 1500;

/** Reasons for which templates fail here though minijinja makes something of them. */
const STRICTER = [
  /^There is no \w+ here\.$/, // minijinja lets undefined into ~, ==, lists, set, lower, join …
  / has no .* Test it with is defined/,
  /^The (?:list|text) has .*no (?:item|character)/,
  /^There is no (?:first|last) of nothing/,
  /Allowed: two numbers or two texts\./, // it orders values of all kinds among each other
  /^Division by zero\.$/, // it prints inf and NaN
  /Allowed: in a list, a key in an object, a text in a text\.$/, // it turns the part into text
  /Allowed: two numbers(?:,| ?or|\.).* ~ joins anything/, // it counts true as 1
  / \| (?:first|int) ?\. Allowed: | \| (?:first|int)\. Allowed: /, // first key; null as 0
  /^The number is too large/,
];

type Tried = "same" | "both fail" | "stricter";

interface Oracle {
  readonly Environment: typeof Environment;
}

const require = createRequire(import.meta.url);

function isOracle(module: unknown): module is Oracle {
  return typeof module === "object" && module !== null && "Environment" in module;
}

/** minijinja as fresh as can be: after a panic the module that had it is of no use. */
function loadOracle(): Oracle {
  const path = require.resolve("minijinja-js");
  Reflect.deleteProperty(require.cache, path);
  const module: unknown = require(path);
  if (!isOracle(module)) throw new Error("minijinja-js has no Environment.");
  return module;
}

let oracle = loadOracle();

/** What minijinja makes of a template; null if it fails. Where it panics (2^53 + 1 < 0.5) nothing is compared. */
function expectedOf(template: string, bindings: object): string | null {
  const environment = new oracle.Environment();
  environment.undefinedBehavior = "strict";
  environment.enablePyCompat();
  try {
    const text = environment.renderStr(template, bindings);
    environment.free();
    return text;
  } catch (error) {
    if (error instanceof Error && error.name === "RuntimeError") {
      oracle = loadOracle();
      fc.pre(false);
    }
    environment.free();
    return null;
  }
}

function compare(template: string, bindings: object): Tried {
  const expected = expectedOf(template, bindings);
  const rendered = render(template, { ...bindings });
  if ("text" in rendered) {
    if (rendered.text === expected) return "same";
    throw new Error(`here ${JSON.stringify(rendered.text)}, there ${JSON.stringify(expected)}`);
  }
  if ("problem" in rendered) throw new Error(`problem: ${rendered.problem} at ${rendered.at}`);
  if (expected === null) return "both fail";
  if (STRICTER.some((reason) => reason.test(rendered.failure))) return "stricter";
  const there = JSON.stringify(expected);
  throw new Error(`here ${rendered.failure} at ${rendered.at}, there ${there}`);
}

test("RUN-101: templates of the subset give what minijinja gives, or both fail", () => {
  const counts: Record<Tried, number> = { same: 0, "both fail": 0, stricter: 0 };
  fc.assert(
    fc.property(templateArbitrary, bindingsArbitrary, (template, bindings) => {
      counts[compare(template, bindings)]++;
    }),
    { numRuns: RUNS },
  );
  expect(counts.same).toBeGreaterThan(RUNS / 3);
  expect(counts["both fail"]).toBeGreaterThan(RUNS / 50);
});
