import fc from "fast-check";
import { expect, test } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { optionText, wireText } from "./option-text.ts";

test.each([
  ["open", "open"],
  ["in-progress", "in-progress"],
  ["12", "12"],
  ["2026-01-31", "2026-01-31"],
  ["in progress", '"in progress"'],
  ["a|b", '"a|b"'],
  ["true", '"true"'],
  ["null", '"null"'],
  ["", '""'],
  ["tab\there", '"tab\\there"'],
  ["\u202eback", '"\\u202eback"'],
  ["4f2a", '"4f2a"'],
])("optionText(%j): as a program writes it (TEACH-23)", (option, expected) => {
  expect(optionText(option)).toBe(expected);
});

test("wireText writes a discriminator of any JSON kind (TEACH-18)", () => {
  expect([wireText("insert"), wireText(3), wireText(true)]).toEqual(["insert", "3", "true"]);
});

test("no option breaks a cell (TEACH-12)", () => {
  fc.assert(
    fc.property(wellFormedText(), (option) => {
      const text = optionText(option);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(text).toBe(text.trim());
    }),
  );
});
