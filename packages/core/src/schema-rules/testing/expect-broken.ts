import { describe, expect, test } from "vitest";
import { type BrokenCase, diagnosePatch } from "./diagnose-patch.ts";

/** One test a case: exactly one diagnostic, at the marked place, saying what it must. */
export function expectBroken(cases: readonly BrokenCase[]): void {
  for (const broken of cases) {
    describe(broken.rule, () => {
      test(broken.when, () => {
        const { found, expected, message, missing } = diagnosePatch(broken);
        expect(found).toEqual(expected);
        expect({ message, missing }).toEqual({ message, missing: [] });
        expect(message).not.toMatch(/\{\w+\}|undefined|\[object/);
      });
    });
  }
}
