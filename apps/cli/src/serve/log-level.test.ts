import { expect, it } from "vitest";
import { logLevel } from "./log-level.ts";

it.each([
  [undefined, "info"],
  ["", "info"],
  ["debug ", "debug"],
  ["silent", "silent"],
])("PLASM_LOG=%j is the level %s", (setting, level) => expect(logLevel(setting)).toBe(level));

it("another word is told, with those there are", () => {
  expect(() => logLevel("loud")).toThrow(/^PLASM_LOG is "loud"\. It is one of trace, debug, info/);
});
