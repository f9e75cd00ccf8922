import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat~",
    'syntax at «»: The statement ends early. [here may stand the text to search for, as in E~"words"]',
  ],
  [
    "Boat~,",
    'syntax at «,»: , cannot stand here. [here may stand the text to search for, as in E~"words"]',
  ],
  [
    "Boat~)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:6, so no closer is expected]",
  ],
  [
    "Boat~[a]",
    'syntax at «[»: [ cannot stand here. [here may stand the text to search for, as in E~"words"]',
  ],
  [
    "Boat~{a=1}",
    'syntax at «{»: { cannot stand here. [here may stand the text to search for, as in E~"words"]',
  ],
  [
    "Boat~Al.limit(3)",
    'unquoted_text at «Al.limit»: Al.limit is read as one word, so no step can follow. [keep words and steps apart with quotes: "Al".limit(…)] → Boat~"Al".limit(3)',
  ],
  [
    "Boat~Al.visits",
    'unquoted_text at «Al.visits»: Al.visits is read as one word, and Al is no label bound on an earlier line. [keep words and steps apart with quotes: "Al".visits, or "Al.visits" to search for the whole]',
  ],
  [
    "Boat~a.b.limit(3)",
    'unquoted_text at «a.b.limit»: a.b.limit is read as one word, so no step can follow. [keep words and steps apart with quotes: "a.b".limit(…)] → Boat~"a.b".limit(3)',
  ],
  [
    "Boat~two words",
    'unquoted_text at «two words»: Text with blanks needs quotes. [write "two words"] → Boat~"two words"',
  ],
  [
    "Boat~two words.limit(3)",
    'unquoted_text at «two words»: Text with blanks needs quotes. [write "two words"] → Boat~"two words".limit(3)',
  ],
  [
    "Boat~2026-01-01",
    'unquoted_text at «2026-01-01»: This text needs quotes. [write "2026-01-01"] → Boat~"2026-01-01"',
  ],
  ["Boat~4f2a", 'unquoted_text at «4f2a»: This text needs quotes. [write "4f2a"] → Boat~"4f2a"'],
  [
    "Boat~550e8400-e29b-41d4-a716-446655440000",
    'unquoted_text at «550e8400-e29b-41d4-a716-446655440000»: This text needs quotes. [write "550e8400-e29b-41d4-a716-446655440000"] → Boat~"550e8400-e29b-41d4-a716-446655440000"',
  ],
  [
    "Boat~<<",
    "bad_heredoc at «<<»: << needs a tag right behind it. [write <<TAG, newline, the text, newline, TAG; a TAG is letters, digits and _]",
  ],
  [
    "Boat~<<T\nx",
    "unterminated_heredoc at «<<T»: No line closes T. [after the text of <<T on line 1 write a line T]",
  ],
  [
    "Boat~Al.x(1)",
    'unquoted_text at «Al.x»: Al.x is read as one word, so no step can follow. [keep words and steps apart with quotes: "Al".x(…)] → Boat~"Al".x(1)',
  ],
  [
    "Boat ~",
    'syntax at «»: The statement ends early. [here may stand the text to search for, as in E~"words"]',
  ],
  [
    "Boat ~ x y",
    'unquoted_text at «x y»: Text with blanks needs quotes. [write "x y"] → Boat ~ "x y"',
  ],
];

describe("LANG-007, LANG-017: search text", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
