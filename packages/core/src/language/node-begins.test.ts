import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "",
    "empty_program at «»: The program has no statement. [write at least one root, a line that binds nothing: E.limit(5)]",
  ],
  [
    "  ",
    "empty_program at «»: The program has no statement. [write at least one root, a line that binds nothing: E.limit(5)]",
  ],
  [
    ";; only",
    "empty_program at «»: The program has no statement. [write at least one root, a line that binds nothing: E.limit(5)]",
  ],
  [
    "x = )",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:5, so no closer is expected]",
  ],
  [
    "x = ,",
    "syntax at «,»: , cannot stand here. [here may stand rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal, as in a = E(id)]",
  ],
  [
    "x = > 1",
    "syntax at «>»: > cannot stand here. [here may stand rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal, as in a = E(id)]",
  ],
  ["x = .a", 'unquoted_text at «.a»: This text needs quotes. [write ".a"] → x = ".a"'],
  [
    "Boat, 5",
    "syntax at «5»: 5 cannot stand here. [here may stand rows, as in E.limit(1), E.limit(5)]",
  ],
  [
    "Boat, )",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:7, so no closer is expected]",
  ],
  [
    "]",
    "unclosed_bracket at «]»: ] closes nothing. [leave ] out: no bracket is open at 1:1, so no closer is expected]",
  ],
];

describe("LANG-010, LANG-012: where rows or a statement belong and none stand", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
