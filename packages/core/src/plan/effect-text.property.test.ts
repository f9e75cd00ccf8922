import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryEffect } from "../../test/arbitrary-effects.ts";
import { arbitraryChain, type Pieces, spell } from "../../test/arbitrary-program.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { compileProgram } from "./compile.ts";

const settings = { features: ALL_FEATURES };
const plain = (pieces: Pieces): string => spell(pieces, quayExposure, () => false);
const lines = fc.array(fc.oneof(arbitraryChain, arbitraryEffect), { minLength: 1, maxLength: 5 });

const vocabulary = fc.constantFrom(
  ..."Boat Person e1 e3 m1 m2 m3 m99 p1 p8 owner name state to note id visits a b x _".split(" "),
  ..."create update delete ping send get query limit(2) split edit ops op at".split(" "),
  ..."( ) { } [ ] , . = : => <<T .. $ null true 12 2026-01-05 lost".split(" "),
  "\n",
  " ",
  '"',
  '"b1"',
  "\nT\n",
);

/** Words at random, alone or thrust into a program that has effects. */
const texts = fc
  .tuple(
    fc.array(vocabulary, { maxLength: 30 }).map((words) => words.join("")),
    fc.option(lines, { nil: [] }),
    fc.nat(),
  )
  .map(([soup, chains, at]): string => {
    const text = chains.map(plain).join("\n");
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + soup + text.slice(cut);
  });

test("no program with effects makes the compiler throw, and every error has its place (LANG-001)", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const compiled = compileProgram(text, quayExposure, settings);
      const errors = compiled.kind === "errors" ? compiled.errors : null;
      expect(errors).not.toEqual([]);
      for (const { span, message, correction } of errors ?? []) {
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeLessThanOrEqual(text.length);
        expect(message).not.toContain("%");
        expect(correction).not.toBe("");
      }
    }),
    { numRuns: 1500 },
  );
});

test("C-112: what is suggested for a faulty effect has one error less (ERR-008)", () => {
  const slips = fc.constantFrom<readonly [RegExp, string]>(
    [/state=/, "stat="],
    [/\.ping/, ".pong"],
    [/note=/, "nte="],
    [/owner=/, "ownr="],
    [/=lost\)/, "=LOST)"],
    [/ => _\./, "."],
    [/name=x/, "name=Sea Star"],
  );
  fc.assert(
    fc.property(lines, slips, (chains, [right, wrong]) => {
      const text = chains.map(plain).join("\n").replace(right, wrong);
      const before = compileProgram(text, quayExposure, settings);
      const errors = before.kind === "errors" ? before.errors : [];
      for (const { suggestedProgram, code } of errors) {
        if (suggestedProgram === null) continue;
        const after = compileProgram(suggestedProgram, quayExposure, settings);
        const left = after.kind === "errors" ? after.errors.length + after.more : 0;
        expect(left, `${code}: ${suggestedProgram}`).toBeLessThan(errors.length);
      }
    }),
  );
});

test("a suggestion repeats a written effect at most per row, it adds none (ERR-008)", () => {
  const text = 'a = Boat.limit(2)\na.send(to=x)\nBoat("b1").ping()';
  const compiled = compileProgram(text, quayExposure, settings);
  const [error] = compiled.kind === "errors" ? compiled.errors : [];
  expect(error?.suggestedProgram).toBe(
    'a = Boat.limit(2)\na => Boat(_.id).send(to=x)\nBoat("b1").ping()',
  );
});
