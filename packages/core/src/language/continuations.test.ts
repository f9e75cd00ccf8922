import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  ["page()", "syntax at «)»: ) cannot stand here. [here may stand a handle, as in page(s0_pg1)]"],
  ["page(5)", "syntax at «5»: 5 cannot stand here. [here may stand a handle, as in page(s0_pg1)]"],
  [
    "page(s0_pg1, 5)",
    "syntax at «5»: 5 cannot stand here. [here may stand limit=5, as in page(h, limit=20)] → page(s0_pg1, limit=5)",
  ],
  [
    "page(s0_pg1, limit)",
    "syntax at «)»: ) cannot stand here. [here may stand = and a count, as in page(h, limit=20)]",
  ],
  [
    "page(s0_pg1, limit=0)",
    "bad_count at «0»: 0 is no count for page(…). [write an integer from 1 to 1000, as page(h, limit=20)]",
  ],
  [
    "page(s0_pg1, limit=1001)",
    "bad_count at «1001»: 1001 is no count for page(…). [write an integer from 1 to 1000, as page(h, limit=20)]",
  ],
  [
    "page(s0_pg1, limit=x)",
    "bad_count at «x»: x is no count for page(…). [write an integer from 1 to 1000, as page(h, limit=20)]",
  ],
  [
    "wait(s0_o1, limit=5)",
    "syntax at «limit=5»: wait takes the handle only. [write wait(s0_o1); limit belongs to page]",
  ],
  [
    "page(s0_pg1, size=5)",
    "syntax at «size»: size cannot stand here. [here may stand limit=n, as in page(h, limit=20)]",
  ],
  [
    "page(s0_pg1 limit=5)",
    "syntax at «»: A comma is missing before limit. [write a comma between them: s0_pg1, limit=5] → page(s0_pg1, limit=5)",
  ],
  [
    "page({a: 1})",
    "syntax at «{»: { cannot stand here. [here may stand a handle, as in page(s0_pg1)]",
  ],
  [
    "page(s0_pg1)\nBoat",
    "not_alone at «page(s0_pg1)»: page(…) must be the whole program. [send page(s0_pg1) by itself]",
  ],
  [
    "wait(s0_o1)\ncancel(s0_o1)",
    "not_alone at «wait(s0_o1)»: wait(…) must be the whole program. [send wait(s0_o1) by itself]",
    "not_alone at «cancel(s0_o1)»: cancel(…) must be the whole program. [send cancel(s0_o1) by itself]",
  ],
  [
    "page(s0_pg1) x",
    "unexpected_text at «x»: Nothing follows page(…). [send page(s0_pg1) by itself, without steps or other statements]",
  ],
  ["wait()", "syntax at «)»: ) cannot stand here. [here may stand a handle, as in wait(s0_o1)]"],
  [
    "cancel(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a handle, as in cancel(s0_o1)]",
  ],
  [
    "wait(s0_o1, 5)",
    "syntax at «5»: wait takes the handle only. [write wait(s0_o1); limit belongs to page]",
  ],
  [
    "wait(s0_o1).limit(3)",
    "unexpected_text at «.»: Nothing follows wait(…). [send wait(s0_o1) by itself, without steps or other statements]",
  ],
  [
    "page(s0_pg1).limit(3)\n",
    "unexpected_text at «.»: Nothing follows page(…). [send page(s0_pg1, limit=3) by itself, without steps or other statements] → page(s0_pg1, limit=3)\n",
  ],
  [
    "page(s0_pg1, limit=2).limit(3)",
    "unexpected_text at «.»: Nothing follows page(…). [send page(s0_pg1, limit=2) by itself, without steps or other statements]",
  ],
  [
    "page(s0_pg1).page_size(3)",
    "unexpected_text at «.»: Nothing follows page(…). [send page(s0_pg1, limit=3) by itself, without steps or other statements] → page(s0_pg1, limit=3)",
  ],
  [
    "wait(s0_o1)[id]",
    "unexpected_text at «[»: Nothing follows wait(…). [send wait(s0_o1) by itself, without steps or other statements]",
  ],
  [
    "wait(s0_o1) => {a: 1}",
    "unexpected_text at «=>»: Nothing follows wait(…). [send wait(s0_o1) by itself, without steps or other statements]",
  ],
  [
    "page(s0_pg1), Boat",
    "unexpected_text at «,»: Nothing follows page(…). [send page(s0_pg1) by itself, without steps or other statements]",
  ],
  [
    "page(s0_pg1))",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:13, so no closer is expected] → page(s0_pg1)",
  ],
  [
    "page(s0_pg1, limit=5, 6)",
    "bad_count at «5, 6»: 5, 6 is no count for page(…). [write an integer from 1 to 1000, as page(h, limit=20)]",
  ],
];

describe("LANG-011, LANG-016: page, wait and cancel", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
