import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { ALL_FEATURES } from "../../policy/policy.ts";
import { compileProgram } from "../../plan/compile.ts";
import { relativeDateValue } from "../../values/relative-date.ts";

const compiled = (text: string) => compileProgram(text, quayExposure, { features: ALL_FEATURES });

function errorOf(text: string) {
  const program = compiled(text);
  if (program.kind !== "errors") throw new Error(`${text} is ${program.kind}`);
  const [error] = program.errors;
  return { code: error?.code, says: `${error?.message} ${error?.correction}` };
}

function notesOf(text: string): readonly string[] {
  const program = compiled(text);
  if (program.kind !== "plan") throw new Error(JSON.stringify(program));
  const { reasons } = program.plan.summary;
  return reasons.flatMap(({ code, detail }) => (code === "text_not_binding" ? [`${detail}`] : []));
}

const LET =
  'z = [{name: "Oar", stock: 3, sold: 2026-01-31T10:30:00Z, info: {a: 1}}, {name: "Rope", stock: 9, sold: null, info: {a: 2}}]\n';

describe("LANG-048: what would be computed otherwise than it is meant is refused", () => {
  test.each([
    ["text and a relative date", "z{sold[:10] = today}", "bad_operator", "date(sold[:10]) = today"],
    ["a column of many rows", 'z => {x: z.info."a" + 1}', "not_singleton", "z.limit(1)"],
    [
      "numbers where text is taken",
      "Boat.create(name=555 - 1234, owner=ann)",
      "argument_invalid",
      '"555 - 1234"',
    ],
    [
      "a quotient that does not come out even where text is taken",
      "Boat.create(name=555 / 1234, owner=ann)",
      "argument_invalid",
      '"555 / 1234"',
    ],
    ["a quotient of 0", "z => {x: 10 / 3 / 0}", "bad_literal", "divides by 0"],
  ])("%s", (_, text, code, says) => {
    expect(errorOf(LET + text)).toEqual({ code, says: expect.stringContaining(says) });
  });
});

describe("LANG-041: digits beyond what a number keeps", () => {
  const nines = "9".repeat(400);
  const size = { code: "bad_literal", says: expect.stringContaining("at most 100 characters") };
  const far = { code: "bad_literal", says: expect.stringContaining("too far from today") };
  test.each([
    ["Boat.limit(1) => {a: now + Nd}", size],
    ["Boat.limit(1) => {a: 2 * Nd}", size],
    ["Boat{built > today - Nd}", size],
    ["Boat{built > now + Nh}", size],
    ["Boat{built > now+Nh}", far],
    ["Boat{length > Nd}", size],
    ["z{date(sold) > now + Nd}", size],
    ["z.sort(date(sold) + Nw)", size],
    ["Boat.limit(1) => {a: 1 + N}", size],
    ["Boat.limit(1) => {a: -1eN}", size],
    ["Boat{length in [N]}", size],
  ])("%s", (text, refusal) => {
    expect(errorOf(LET + text.replace("N", nines))).toEqual(refusal);
  });

  test("a length of time of 100 digits is one, and a moment as far has no value when it is read", () => {
    expect(compiled(`Boat.limit(1) => {a: now + ${"9".repeat(100)}w}`).kind).toBe("plan");
    expect(compiled(`Boat.limit(1) => {a: now+${nines}d}`).kind).toBe("plan");
    expect(relativeDateValue(`now+${nines}d`, 0, null)).toBeNull();
  });
});

describe("LANG-049: forms of other languages are answered with those of this one", () => {
  test.each([
    ["z => {x: _.stock == 3}", "syntax", "write ="],
    ["z => {x: _.stock > 3 && _.stock < 9}", "unquoted_text", "write and"],
    ['z => {x: _.name || "x"}', "unquoted_text", "coalesce(a, b)"],
    ["z => {x: _.name is not null}", "unquoted_text", "!= null"],
    ["z => {x: _.stock not in [1, 2]}", "unquoted_text", "not a in [b, c]"],
    ["z => {x: _.stock between 1 and 3}", "unquoted_text", "a >= low and a <= high"],
    ["z => {x: 1 if _.stock > 3 else 0}", "unquoted_text", "if(condition, value, other)"],
    ["z => {x: substring(_.name, 0, 3)}", "unknown_name", "text[from:to]"],
    ['z => {x: concat(_.name, "x")}', "unknown_name", "a + b"],
    ["z{strlen(name) > 3}", "unknown_name", "length"],
    ["z{len(name) > 3}", "unknown_name", "use length"],
    ["z.sort(len(name))", "unknown_name", "use length"],
    ["z.group_by(date_trunc(sold), n=count)", "unknown_name", "start_of(date, month)"],
  ])("%s", (text, code, says) => {
    expect(errorOf(LET + text)).toEqual({ code, says: expect.stringContaining(says) });
  });

  test.each([
    ["z => {x: _.stock == 3}", "z => {x: _.stock = 3}"],
    ["z => {x: _.stock > 3 && _.stock < 9}", "z => {x: _.stock > 3 and _.stock < 9}"],
    ["z{len(name) > 3}", "z{length(name) > 3}"],
  ])("%s is suggested to be %s", (text, expected) => {
    const program = compiled(LET + text);
    const suggested = program.kind === "errors" ? program.errors[0]?.suggestedProgram : null;
    expect(suggested).toBe(LET + expected);
  });
});

describe("LANG-048: a word of text that is called like a column is noted", () => {
  test.each([
    ["z => {x: stock}", ["stock is text; the column is _.stock"]],
    ["z => Boat{name=name}", ["name is text; the column is _.name"]],
    ["z => Boat{owner=stock}", ["stock is text; the column is _.stock"]],
    ["z{info > info.a}", ["info.a is text; the column is _.info.a"]],
    ["z => {x: stocks}", []],
    ["z => {x: _.stock}", []],
  ])("%s", (text, notes) => {
    expect(notesOf(LET + text)).toEqual(notes);
  });
});

test("LANG-048: a whole number is compared with any number", () => {
  expect(notesOf(`${LET}z => {x: length(_.name) > 2.5, y: _.stock - 1 < 0.5}`)).toEqual([]);
});

test("LANG-040: a reference may stand in a computed condition", () => {
  expect(notesOf('Boat{_.owner = Person("ann") or length * 2 > 3}')).toEqual([]);
  expect(errorOf('Boat{_.owner = Perso("ann") or length * 2 > 3}').code).toBe("unknown_name");
});

describe("LANG-058: months and years move dates", () => {
  const planned = (text: string): string => {
    const program = compiled(text);
    if (program.kind !== "plan") throw new Error(JSON.stringify(program));
    return JSON.stringify(program.plan.nodes);
  };

  test.each([
    ["Boat{built < today - 10y}", '{"now":"today-10y"}'],
    ["Boat{built < today-3mo}", '{"now":"today-3mo"}'],
    ["Boat.limit(1) => {a: 2026-01-31 + 1mo}", '"2026-02-28"'],
    ["Boat.limit(1) => {a: 2026-01-31 + 2 * 1y}", '"2028-01-31"'],
    ["Boat.limit(1) => {a: _.built - 1y}", '"op":"earlier_months"'],
    ["Boat.limit(1) => {a: _.built + _.length * 1mo}", '"op":"multiply"'],
    ["Boat.limit(1) => {a: _.built + if(_.length > 9, 1y, 6mo)}", '"op":"later_months"'],
    ["Boat{built >= start_of(today, month) - 1mo}", '"op":"earlier_months"'],
  ])("%s", (text, part) => {
    expect(planned(text)).toContain(part);
  });

  test.each([
    ["Boat.limit(1) => {a: 2 * 3mo}", "bad_operator", "no fixed number of days"],
    ["Boat{today - built > 3mo}", "bad_operator", "move a date by months, as in today - 3mo"],
    ["Boat{built < today - 3 months}", "unquoted_text", "write 3mo"],
    ["Boat{built < now - 1 year}", "unquoted_text", "write 1y"],
    ["Boat{built < today-3months}", "argument_invalid", "write today-3mo"],
    ["Boat{built < 1990}", "argument_invalid", "write its first day, 1990-01-01"],
    ["Boat{built < today-2000y}", "bad_literal", "too far from today"],
    ["Boat.limit(1) => {a: add_months(_.built, 1)}", "unknown_name", "write a + 2d, a + 1mo"],
  ])("%s is told %s", (text, code, says) => {
    expect(errorOf(text)).toEqual({ code, says: expect.stringContaining(says) });
  });
});
