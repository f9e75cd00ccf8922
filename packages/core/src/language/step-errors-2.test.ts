import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat[id name]",
    "syntax at «name»: name cannot stand here. [here may stand , or ], as in [id, owner.name]]",
  ],
  ["Boat[id.]", "syntax at «]»: ] cannot stand here. [here may stand a name, as in owner.name]"],
  [
    'Boat[id."x"]',
    'syntax at «"x"»: "x" cannot stand here. [here may stand a name, as in owner.name]',
  ],
  [
    "Boat[*]",
    'unexpected_char at «*»: * is no character of the language. [U+002A may stand only inside quotes or a heredoc: take it out, or write the text as "…"]',
  ],
  [
    "Boat.aggregate()",
    "syntax at «)»: ) cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x) or max(x), as in .aggregate(n=count, total=sum(length))]",
  ],
  [
    "Boat.aggregate(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x) or max(x), as in .aggregate(n=count, total=sum(length))]",
  ],
  [
    "Boat.aggregate(n=)",
    "syntax at «)»: ) cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x) or max(x), as in .aggregate(n=count, total=sum(length))]",
  ],
  [
    "Boat.aggregate(n=5)",
    "syntax at «5»: 5 cannot stand here. [here may stand an aggregate: count, count(x), sum(x), avg(x), min(x) or max(x), as in .aggregate(n=count, total=sum(length))]",
  ],
  [
    "Boat.aggregate(n=median(x))",
    "syntax at «median»: median is no aggregate. [write count, count(x), sum(x), avg(x), min(x) or max(x), as in n=count]",
  ],
  [
    "Boat.aggregate(n==count)",
    "syntax at «==»: == is no operator of the language. [write n=…; operators are = != > >= < <= ~ in] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.aggregate(n=>count)",
    "syntax at «=>»: => is no operator of the language. [write n=…; operators are = != > >= < <= ~ in] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.aggregate(n=sum)",
    "syntax at «)»: ) cannot stand here. [here may stand the column in parentheses, as in sum(length)]",
  ],
  [
    "Boat.aggregate(avg)",
    "syntax at «)»: ) cannot stand here. [here may stand the column in parentheses, as in avg(length)]",
  ],
  [
    "Boat.aggregate(n=sum())",
    "syntax at «)»: ) cannot stand here. [here may stand a column, as in sum(length)]",
  ],
  [
    "Boat.aggregate(n=sum(5))",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in sum(length)]",
  ],
  [
    "Boat.aggregate(n=count(*))",
    "syntax at «*»: * is no operator of the language. [write count; operators are = != > >= < <= ~ in] → Boat.aggregate(n=count)",
  ],
  [
    "Boat.aggregate(n=count( * ), m=max(a))",
    "syntax at «*»: * is no operator of the language. [write count; operators are = != > >= < <= ~ in] → Boat.aggregate(n=count, m=max(a))",
  ],
  [
    "Boat.aggregate(n=sum(*))",
    "syntax at «*»: * is no operator of the language. [write count; operators are = != > >= < <= ~ in]",
  ],
  [
    "Boat.aggregate(count as n)",
    "syntax at «as»: An aggregate is named in front. [write .aggregate(n=count)]",
  ],
  [
    "Boat.aggregate(n=sum(a) b)",
    "syntax at «b»: b cannot stand here. [here may stand , or ), as in .aggregate(n=count)]",
  ],
  [
    "Boat.aggregate(n=sum(a b))",
    "syntax at «b»: b cannot stand here. [here may stand ), as in ()]",
  ],
  [
    "Boat.group_by()",
    "syntax at «)»: ) cannot stand here. [here may stand a column or an aggregate, as in .group_by(owner, n=count)]",
  ],
  [
    "Boat.group_by(n=count)",
    "syntax at «n»: group_by begins with a column. [name a column first, as in .group_by(owner, n=count); for all rows in one use .aggregate(…)]",
  ],
  [
    "Boat.group_by(count(a))",
    "syntax at «count»: group_by begins with a column. [name a column first, as in .group_by(owner, n=count); for all rows in one use .aggregate(…)]",
  ],
  [
    "Boat.group_by(owner, sum(a) as t)",
    "syntax at «as»: An aggregate is named in front. [write .group_by(owner, n=count)]",
  ],
  [
    "Boat.group_by(owner n=count)",
    "syntax at «n»: n cannot stand here. [here may stand , or ), as in .group_by(owner, n=count)]",
  ],
  [
    "Boat.group_by(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column or an aggregate, as in .group_by(owner, n=count)]",
  ],
  [
    "Boat.group_by(owner, 5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column or an aggregate, as in .group_by(owner, n=count)]",
  ],
  [
    "Boat.filter(a=1)",
    "syntax at «filter»: .filter takes braces. [write .filter{…}, as in .filter{state=lost}] → Boat.filter{a=1}",
  ],
  [
    "Boat.filter()",
    "syntax at «filter»: .filter takes braces. [write .filter{…}, as in .filter{state=lost}] → Boat.filter{}",
  ],
  [
    "Boat.filter(a",
    "syntax at «filter»: .filter takes braces. [write .filter{…}, as in .filter{state=lost}]",
  ],
  [
    "Boat~",
    'syntax at «»: The statement ends early. [here may stand the text to search for, as in Boat~"Al"]',
  ],
  [
    "Boat~,",
    'syntax at «,»: , cannot stand here. [here may stand the text to search for, as in Boat~"Al"]',
  ],
  [
    "Boat~)",
    "unclosed_bracket at «)»: ) closes nothing. [leave ) out: no bracket is open at 1:6, so no closer is expected]",
  ],
  [
    "Boat~[a]",
    'syntax at «[»: [ cannot stand here. [here may stand the text to search for, as in Boat~"Al"]',
  ],
  [
    "Boat~{a=1}",
    'syntax at «{»: { cannot stand here. [here may stand the text to search for, as in Boat~"Al"]',
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
];

describe("LANG-014, LANG-016, LANG-061: steps and their arguments, 2 of 2", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
