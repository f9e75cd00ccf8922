import { describe, expect, test } from "vitest";
import { NAME_ERRORS, TEXT_ERRORS } from "../../test/error-examples.ts";
import { sessionOf } from "../../test/error-sessions.ts";
import { errorsOf } from "../../test/plan-of.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { compileProgram } from "./compile.ts";

const settings = { features: ALL_FEATURES };

const ROWS = Object.entries({ ...TEXT_ERRORS, ...NAME_ERRORS }).flatMap(([code, examples]) =>
  examples.map((example) => ({ code, ...example })),
);

/** The codes of a program's errors, in order; none if it plans. */
function codes(program: string, exposure: Exposure): readonly string[] {
  const compiled = compileProgram(program, exposure, settings);
  return compiled.kind === "errors" ? compiled.errors.map(({ code }) => code) : [];
}

describe("every code of a program has a program that draws it (ERR-001, ERR-002, ERR-011)", () => {
  test.each(Object.entries({ ...TEXT_ERRORS, ...NAME_ERRORS }))("%s", (_code, examples) => {
    expect(examples.length).toBeGreaterThan(0);
  });
});

describe("code, place, words and suggestion (errors specification, sections 2 and 3)", () => {
  test.each(ROWS)("$code: $program", ({ code, program, at, marks, says, suggests, session }) => {
    const exposure = sessionOf(session);
    const found = errorsOf(program, exposure, settings);
    const error = found.find((each) => each.code === code);
    expect(found.map((each) => each.code)).toContain(code);
    expect(`${error?.span.line}:${error?.span.column}`).toBe(at);
    expect(program.slice(error?.span.start, error?.span.end)).toBe(marks);
    for (const word of says) expect(`${error?.message}\n${error?.correction}`).toContain(word);
    expect(error?.snippet.split("\n")[1]).toMatch(/^ *\^+$/);
    expect(error?.suggestedProgram).toBe(suggests);
  });

  test.each(ROWS.filter(({ suggests }) => suggests !== null))(
    "C-112 ERR-008 the suggestion for $program removes $code and adds nothing",
    ({ code, program, suggests, session }) => {
      const exposure = sessionOf(session);
      const left = codes(program, exposure).toSpliced(codes(program, exposure).indexOf(code), 1);
      expect(codes(suggests ?? "", exposure)).toEqual(left);
    },
  );
});
