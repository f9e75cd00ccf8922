import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { unchangedNotice } from "./teaching-session.ts";

const KEPT = "Notation stays symbols, read_only stays false: both are fixed when a session opens.";
const HINT = "This connection has not seen the tables; replay:true sends them.";

test.each([
  ["symbols", ["Tree", "Harvest"], [], "s0 unchanged: e1 Tree, e2 Harvest. Symbols stand."],
  ["symbols", ["Tree"], [HINT], `s0 unchanged: e1 Tree. Symbols stand. ${HINT}`],
  ["names", ["Tree", "Boat", "Boat"], [], "s0 unchanged: Tree, Boat, e3 Boat. Names stand."],
] as const)(
  "the unchanged notice in %s of %j with %j (SESS-19)",
  (notation, entities, remarks, text) => {
    expect(unchangedNotice("s0", entities, notation, remarks)).toBe(text);
  },
);

test("whatever a session holds, the notice has at most 60 tokens (SESS-19, TEACH-41, A41)", () => {
  const word = fc.constantFrom(
    ..."Harvest Tree Time Entry Issue Relation Api PR Status Purchase Order Line".split(" "),
  );
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(""));
  const remarks = fc.subarray([KEPT, HINT]);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 80 }), remarks, (entities, said) => {
      const text = unchangedNotice("s12", entities, "symbols", said);
      expect(countTokens(text)).toBeLessThanOrEqual(60);
      const shown = text.match(/\be\d+ /g)?.length ?? 0;
      const left = Number(/\+(\d+)\. Symbols/.exec(text)?.[1] ?? 0);
      expect(shown + left).toBe(entities.length);
      const named = said.length < 2 ? 1 : 0; // both remarks may leave no room for a name
      expect(shown).toBeGreaterThanOrEqual(named);
    }),
  );
});

test("with the real count as many entities are named as fit", () => {
  const entities = Array.from({ length: 60 }, (_, at) => `Entity${at}`);
  const shown = (text: string) => text.match(/\be\d+ /g)?.length ?? 0;
  const exact = unchangedNotice("s0", entities, "symbols", [HINT], countTokens);
  expect(countTokens(exact)).toBeLessThanOrEqual(60);
  expect(countTokens(exact)).toBeGreaterThan(50);
  expect(shown(exact)).toBeGreaterThanOrEqual(
    shown(unchangedNotice("s0", entities, "symbols", [HINT])),
  );
});
