import { expect, test } from "vitest";
import { taughtSymbols, withSymbols } from "./taught-symbols.ts";

/** From the worked example of the specification (TEACH section 5). */
const TEXT = `logical_session_ref s0
orchard: e1 Tree
\`\`\`tsv
plasm_expr\tMeaning
p2\tid int
p8\tstate budding|bearing|dormant
e1[p2,p8]\t[e1] Tree · opt p8 · one tree in the orchard
\`\`\`
Added from depot: e3 Crate, e4 Harvest
\`\`\`tsv
plasm_expr\tMeaning
p2\te3: uuid
p16\tlabel str
\`\`\``;

test("symbols are read from headings and slot rows", () => {
  const { entities, slots } = taughtSymbols(TEXT);
  expect([...entities]).toEqual([
    ["orchard.Tree", "e1"],
    ["depot.Crate", "e3"],
    ["depot.Harvest", "e4"],
  ]);
  expect([...slots]).toEqual([
    ["id", "p2"],
    ["state", "p8"],
    ["label", "p16"],
  ]);
});

test("programs are written with them", () => {
  const symbols = taughtSymbols(TEXT);
  expect(withSymbols("e(depot.Crate){p(state)=x}[p(id)]", symbols)).toBe("e3{p8=x}[p2]");
  expect(() => withSymbols("e(depot.Box)", symbols)).toThrow("depot.Box was not taught");
});
