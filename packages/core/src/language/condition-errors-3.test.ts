import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  ["Boat{a.=1}", "syntax at «=»: = cannot stand here. [here may stand a name, as in owner.name]"],
  [
    'Boat{a."b"=1}',
    'syntax at «"b"»: "b" cannot stand here. [here may stand a name, as in owner.name]',
  ],
  ["Boat{not a=1}", "syntax at «not»: not needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  ["Boat{NOT a=1}", "syntax at «NOT»: NOT needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  [
    "Boat{not  a=1, b=2}",
    "syntax at «not»: not needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}, b=2}",
  ],
  [
    "Boat{not exists(a)}",
    "syntax at «not»: not needs braces. [write not{…}: not{exists(a)}] → Boat{not{exists(a)}}",
  ],
  [
    "Boat{not (a=1)}",
    "syntax at «not»: not takes braces. [write not{…}: not{a=1}] → Boat{not{a=1}}",
  ],
  ["Boat{!a=1}", "syntax at «!»: ! needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  ["Boat{! a=1}", "syntax at «!»: ! needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  [
    "Boat{!exists(a)}",
    "syntax at «!»: ! needs braces. [write not{…}: not{exists(a)}] → Boat{not{exists(a)}}",
  ],
  ["Boat{not a}", "syntax at «not»: not needs braces. [write not{…}: not{a}]"],
  ["Boat{!(a=1)}", "syntax at «!»: ! needs braces. [write not{…}: not{(a=1)}]"],
  [
    "Boat{any(a=1, b=2)}",
    "syntax at «any»: any takes braces. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{all (a=1)}",
    "syntax at «all»: all takes braces. [write all{…}: all{a=1}] → Boat{all{a=1}}",
  ],
  [
    "Boat{not(a=1)}",
    "syntax at «not»: not takes braces. [write not{…}: not{a=1}] → Boat{not{a=1}}",
  ],
  [
    "Boat{ANY(a=1)}",
    "syntax at «ANY»: any takes braces. [write any{…}: any{a=1}] → Boat{any{a=1}}",
  ],
  [
    "Boat{Any(a=1), b=2}",
    "syntax at «Any»: any takes braces. [write any{…}: any{a=1}] → Boat{any{a=1}, b=2}",
  ],
  ["Boat{any(a=1}", "syntax at «any»: any takes braces. [write any{…}: any{a=1}]"],
  [
    "Boat{or(a=1, b=2)}",
    "syntax at «(»: ( cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{and(a=1)}",
    "syntax at «(»: ( cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{or{a=1, b=2}}",
    "syntax at «or»: or is no group of conditions. [write any{…}; the groups are any{…} for or, all{…} for and, not{…}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{and{a=1}}",
    "syntax at «and»: and is no group of conditions. [write all{…}; the groups are any{…} for or, all{…} for and, not{…}] → Boat{all{a=1}}",
  ],
  [
    "Boat{OR {a=1}}",
    "syntax at «OR»: OR is no group of conditions. [write any{…}; the groups are any{…} for or, all{…} for and, not{…}] → Boat{any {a=1}}",
  ],
  [
    "Boat{AND{a=1}}",
    "syntax at «AND»: AND is no group of conditions. [write all{…}; the groups are any{…} for or, all{…} for and, not{…}] → Boat{all{a=1}}",
  ],
  [
    "Boat{xor{a=1}}",
    "syntax at «{»: { cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{(a=1)}",
    "syntax at «(»: Conditions are not grouped with parentheses. [write all{…}, any{…} or not{…}, as in any{a=1, all{b=2, c=3}}]",
  ],
  [
    "Boat{(a=1 or b=2)}",
    "syntax at «(»: Conditions are not grouped with parentheses. [write all{…}, any{…} or not{…}, as in any{a=1, all{b=2, c=3}}]",
  ],
  [
    "Boat{exists}",
    "syntax at «exists»: exists alone is no condition. [compare it, as in exists=true, or test it with exists(exists)]",
  ],
  [
    "Boat{exists()}",
    "syntax at «)»: ) cannot stand here. [here may stand a column, as in exists(built)]",
  ],
  [
    "Boat{exists(5)}",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in exists(built)]",
  ],
  ['Boat{exists("a")}', 'syntax at «"a"»: Names stand without quotes. [write a] → Boat{exists(a)}'],
  ["Boat{exists(a b)}", "syntax at «b»: b cannot stand here. [here may stand ), as in ()]"],
  ["Boat{exists(a, b)}", "syntax at «b»: b cannot stand here. [here may stand ), as in ()]"],
  [
    "Boat{exists{a}}",
    "syntax at «{»: { cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in state=lost]",
  ],
  [
    "Boat{any}",
    "syntax at «any»: any alone is no condition. [compare it, as in any=true, or test it with exists(any)]",
  ],
  [
    "Boat{a=1|2}",
    "unquoted_text at «1|2»: Several options are a list. [write in [1, 2] in place of =; text that holds | needs quotes] → Boat{a in [1, 2]}",
  ],
  [
    "Boat{a=x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write in [x, y] in place of =; text that holds | needs quotes] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a=x | y | z}",
    "unquoted_text at «x | y | z»: Several options are a list. [write in [x, y, z] in place of =; text that holds | needs quotes] → Boat{a in [x, y, z]}",
  ],
  [
    "Boat{a!=x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write in [x, y] in place of =; text that holds | needs quotes]",
  ],
  [
    "Boat{a>x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write in [x, y] in place of =; text that holds | needs quotes]",
  ],
  [
    "Boat{a= x|y}",
    "unquoted_text at «x|y»: Several options are a list. [write in [x, y] in place of =; text that holds | needs quotes] → Boat{a in [x, y]}",
  ],
  [
    "Boat{a=x||y}",
    'unquoted_text at «x||y»: This text needs quotes. [write "x||y"] → Boat{a="x||y"}',
  ],
  ["Boat{a=x|}", 'unquoted_text at «x|»: This text needs quotes. [write "x|"] → Boat{a="x|"}'],
  ["Boat(a=x|y)", 'unquoted_text at «x|y»: This text needs quotes. [write "x|y"] → Boat(a="x|y")'],
  [
    "Boat{a=x|y, b=1}",
    "unquoted_text at «x|y»: Several options are a list. [write in [x, y] in place of =; text that holds | needs quotes] → Boat{a in [x, y], b=1}",
  ],
];

describe("LANG-015, ERR-006: conditions as other languages write them, 3 of 3", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
