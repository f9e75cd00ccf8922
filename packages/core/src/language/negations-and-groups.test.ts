import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  ["Boat{NOT a=1}", "syntax at «NOT»: NOT needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  ["Boat{!a=1}", "syntax at «!»: ! needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  [
    "Boat{!exists(a)}",
    "syntax at «!»: ! needs braces. [write not{…}: not{exists(a)}] → Boat{not{exists(a)}}",
  ],
  [
    "Boat{not a}",
    "syntax at «a»: a alone is no condition. [compare it, as in a=true, or test it with exists(a)]",
  ],
  ["Boat{!(a=1)}", "syntax at «!»: ! needs braces. [write not{…}: not{a=1}] → Boat{not{a=1}}"],
  [
    "Boat{any(a=1, b=2)}",
    "syntax at «any»: any takes braces. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{all (a=1)}",
    "syntax at «all»: all takes braces. [write all{…}: all{a=1}] → Boat{all{a=1}}",
  ],
  [
    "Boat{ANY(a=1)}",
    "syntax at «ANY»: any takes braces. [write any{…}: any{a=1}] → Boat{any{a=1}}",
  ],
  ["Boat{any(a=1}", "syntax at «any»: any takes braces. [write any{…}: any{a=1}]"],
  [
    "Boat{or(a=1, b=2)}",
    "syntax at «or»: any takes braces. [write any{…}: any{a=1, b=2}] → Boat{any{a=1, b=2}}",
  ],
  [
    "Boat{and(a=1)}",
    "syntax at «and»: all takes braces. [write all{…}: all{a=1}] → Boat{all{a=1}}",
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
    "Boat{xor{a=1}}",
    "syntax at «{»: { cannot stand here. [here may stand an operator: = != > >= < <= ~ in, as in p=v]",
  ],
  [
    "Boat{((a=1)}",
    "unclosed_bracket at «}»: } does not close the ( at 1:6. [write ), which closes the ( at 1:6, before }] → Boat{((a=1))}",
  ],
];

describe("LANG-051, errors section 2: not, any, all and parentheses", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
