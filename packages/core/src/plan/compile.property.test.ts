import { assertProperty } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryChains, spell } from "../../test/arbitrary-program.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { changedMembers, changedReads, respelledReads } from "../../test/properties/commits.ts";
import { keptBytes, spelledReads } from "../../test/properties/notations.ts";
import { compiledTexts } from "../../test/properties/texts.ts";
import { compileProgram } from "./compile.ts";

const never = (): boolean => false;
const plain = (pieces: Parameters<typeof spell>[0]): string => spell(pieces, quayExposure, never);

test("P21: symbols and names give one plan", () => assertProperty(spelledReads));

test("P21: strings, heredocs and bare values keep their bytes", () => assertProperty(keptBytes));

test("P14: labels, comments, blanks, line ends and dead lines change no commit", () =>
  assertProperty(respelledReads));

test("P14: an executable fact changes the commit", () => assertProperty(changedReads));

test("P14: name, summary, source and order of keys are no part of the commit, all else is", () =>
  assertProperty(changedMembers));

test("no program makes the compiler throw, and every error has its place (LANG-001, ERR-002)", () =>
  assertProperty(compiledTexts));

test("C-112 and ERR-008: a suggested program lacks its error and has no new one", () => {
  const slips = fc.constantFrom(
    ["state", "stat"],
    ["length", "lenght"],
    ["name", "nme"],
    ["owner", "ownr"],
    ["lost", "LOST"],
    ["visits", "visit"],
    ["Boat", "Baot"],
    ["12.5", "012.5"],
  );
  fc.assert(
    fc.property(arbitraryChains, slips, (chains, [right, wrong]) => {
      const text = chains
        .map(plain)
        .join("\n")
        .replace(right ?? "", wrong ?? "");
      const before = compileProgram(text, quayExposure);
      if (before.kind !== "errors") return;
      for (const { suggestedProgram, code } of before.errors) {
        if (suggestedProgram === null) continue;
        const after = compileProgram(suggestedProgram, quayExposure);
        const count = after.kind === "errors" ? after.errors.length + after.more : 0;
        expect(count, `${code}: ${suggestedProgram}`).toBeLessThan(
          before.errors.length + before.more,
        );
      }
    }),
  );
});

test("equal programs in equal sessions give equal answers (ERR-009, PLAN-001)", () => {
  fc.assert(
    fc.property(arbitraryChains, (chains) => {
      const text = chains.map(plain).join("\n");
      expect(compileProgram(text, quayExposure)).toEqual(compileProgram(text, quayExposure));
    }),
  );
});

test("what is too long is nothing but too_large, whatever was not read of it (LANG-001, LANG-012, ERR-005)", () => {
  const bindings = Array.from({ length: 1500 }, (_, at) => `x${at} = Boat`);
  const compiled = compileProgram(bindings.join("\n"), quayExposure);
  expect(compiled).toMatchObject({ kind: "errors", more: 0 });
  const errors = compiled.kind === "errors" ? compiled.errors : [];
  expect(errors.map(({ code, correction }) => `${code} ${correction}`)).toEqual([
    expect.stringMatching(/^too_large .*1500/),
  ]);
});

test("a plan of more than 1,000 nodes is too_large, however long its chain (PLAN-006)", () => {
  const compiled = compileProgram(`Boat${".sort(length)".repeat(1200)}`, quayExposure);
  expect(compiled).toMatchObject({ kind: "errors", errors: [{ code: "too_large" }] });
  const long = compileProgram(`Boat${".limit(9)".repeat(25_000)}`, quayExposure);
  expect(long).toMatchObject({ kind: "errors", errors: [{ code: "too_large" }] });
});

describe("a chain of thousands of steps (LANG-001, PLAN-006)", () => {
  /** Programs that differ in nothing but how often a step stands in them. */
  const filters = (steps: number): string => `Boat${".filter{name=x}".repeat(steps)}`;

  /** How often a program makes the compiler look into what its session knows. */
  function looks(text: string): number {
    let count = 0;
    const watched = new Proxy(quayExposure, {
      get: (exposure, name, receiver) => {
        count += 1;
        return Reflect.get(exposure, name, receiver) as unknown;
      },
    });
    compileProgram(text, watched);
    return count;
  }

  test("beyond 2,000 steps it is too_large before anything of it is checked", () => {
    expect(looks(filters(15_000))).toBe(0);
    const compiled = compileProgram(filters(15_000), quayExposure);
    expect(compiled).toMatchObject({
      kind: "errors",
      more: 0,
      errors: [{ code: "too_large", correction: expect.stringContaining("15001") as string }],
    });
  });

  test("filters that are one node are a plan", () => {
    const compiled = compileProgram(filters(400), quayExposure);
    expect(compiled.kind === "plan" ? compiled.plan.nodes.length : compiled).toBe(1);
  });

  test("twice the filters take twice the looks", () => {
    const [few, more] = [looks(filters(200)), looks(filters(400))];
    const each = (more - few) / 200;
    expect(each).toBeLessThan(100);
    expect(looks(filters(800)) - more).toBe(400 * each);
  });
});
