import { type Ending, habitPrograms } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { compileProgram } from "./compile.ts";

const settings = { features: ALL_FEATURES };
const compiled = (text: string) => compileProgram(text, quayExposure, settings);

interface End {
  readonly ends: Ending;
  /** the text after all suggestions were taken */
  readonly text: string;
  /** message and correction of what was wrong first */
  readonly words: string;
}

/** Takes every suggestion there is, as an agent would, one at a time. */
function followed(program: string): End {
  let text = program;
  let result = compiled(text);
  const [first] = result.kind === "errors" ? result.errors : [];
  const words = first === undefined ? "" : `${first.message}\n${first.correction}`;
  for (let step = 0; result.kind === "errors" && step < 10; step++) {
    const suggested = result.errors.find((error) => error.suggestedProgram !== null);
    const next = suggested?.suggestedProgram ?? null;
    if (next === null) break;
    text = next;
    result = compiled(text);
  }
  const mended = result.kind !== "errors";
  return { ends: first === undefined ? "plans" : mended ? "mended" : "told", text, words };
}

const programs = habitPrograms();

describe("habits of other languages plan, are mended, or are told what to write", () => {
  test.each(programs.filter(({ ends }) => ends === "plans"))("$habit: $program", (one) => {
    expect(followed(one.program).ends).toBe("plans");
  });

  test.each(programs.filter(({ ends }) => ends === "mended"))("$habit: $program", (one) => {
    expect(followed(one.program)).toMatchObject({ ends: "mended", text: one.as });
  });

  test.each(programs.filter(({ ends }) => ends === "told"))("$habit: $program", (one) => {
    const { ends, words } = followed(one.program);
    expect(ends).toBe("told");
    expect(one.says).not.toBe("");
    expect(words).toContain(one.says);
  });
});

test("there are enough of them, in every habit", () => {
  const habits = new Map<string, number>();
  for (const { habit } of programs) habits.set(habit, (habits.get(habit) ?? 0) + 1);
  expect(programs.length).toBeGreaterThanOrEqual(130);
  for (const [habit, own] of habits) expect(own, habit).toBeGreaterThanOrEqual(5);
});
