import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compute } from "./compute.ts";
import { placesOf } from "./edits.ts";
import { ValueFault } from "./numbers.ts";

/** What an operation says of values that it cannot edit. */
function faultOf(name: string, ...args: Parameters<typeof compute>[1]): ValueFault {
  try {
    compute(name, args);
  } catch (error) {
    if (error instanceof ValueFault) return error;
    throw error;
  }
  throw new Error("it has a value");
}

describe("LANG-056 where a part stands in a text", () => {
  it("is found as by trying each place, however the part repeats itself", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 200 });
    fc.assert(
      fc.property(
        letters,
        letters,
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        (text, part, apart, times) => {
          const whole = part.repeat(times).slice(0, 80);
          const within = `${text}${whole}${text}`;
          const tried: number[] = [];
          for (let at = 0; whole !== "" && at + whole.length <= within.length; at += 1) {
            if (!within.startsWith(whole, at)) continue;
            tried.push(at);
            if (apart) at += whole.length - 1;
          }
          expect(placesOf(within, whole, apart)).toEqual(tried);
        },
      ),
    );
  });

  it("takes time by both lengths, not by their product", () => {
    const text = "a".repeat(1_000_000);
    expect(placesOf(text, `${"a".repeat(400_000)}b`, true)).toEqual([]);
    expect(placesOf(text, `b${"a".repeat(400_000)}`, true)).toEqual([]);
    expect(placesOf(text, "a".repeat(400_000), false)).toHaveLength(600_001);
  });
});

describe("LANG-056 a part of a text that stands there once", () => {
  test.each([
    ["replace_one", ["one two three", "two", "2"], "one 2 three"],
    ["replace_one", ["one two three", "two ", ""], "one three"],
    ["insert_after", ["one three", "one", " two"], "one two three"],
    ["insert_before", ["one three", "three", "two "], "one two three"],
    ["replace", ["a.a.a", "a", "bb"], "bb.bb.bb"],
    ["replace", ["aaa", "aa", "b"], "ba"],
    ["replace", ["$& x", "x", "$&"], "$& $&"],
    ["replace_one", ["$& x", "x", "$&"], "$& $&"],
  ])("%s%j", (name, args, made) => {
    expect(compute(name, args)).toBe(made);
  });

  test.each([
    [["the old wall", "new", "x"], '"new" does not occur in the text', "exactly as it stands"],
    [["the Old wall", "old", "x"], "with other capitals", "exactly as it stands"],
    [["old and old", "old", "x"], 'occurs 2 times: "old and old", "old and old"', "write all"],
    [["aaa", "aa", "b"], "occurs 2 times", "more of the text around"],
    [["text", "", "x"], "the part to look for is empty", null],
    [[null, "a", "b"], "it is null", null],
    [["text", null, "b"], "null", null],
    [[{ a: 1 }, "a", "b"], "no text", null],
  ] as const)("%j is told", (args, why, fix) => {
    const { message, fix: told } = faultOf("replace_one", ...args);
    expect(message).toContain(why);
    expect(told ?? "no fix").toContain(fix ?? "no fix");
  });

  it("an error shows a few places and little of what is around them, and no way to insert at all of them", () => {
    const text = `${"x".repeat(500)}old${"y".repeat(500)}old old old`;
    const { message, fix } = faultOf("insert_after", text, "old", "!");
    expect(message).toContain("occurs 4 times");
    expect(message.length).toBeLessThan(300);
    expect(fix).not.toContain("all");
  });

  it("a text that would be too long is not made", () => {
    const spent: number[] = [];
    const long = "a".repeat(1_000_000);
    expect(() =>
      compute(
        "insert_after",
        [`${long}b`, "b", long],
        "",
        (characters) => void spent.push(characters),
      ),
    ).toThrow("more than 1,048,576 characters");
  });
});

describe("LANG-056 a member of json", () => {
  const meta = { engine: { hp: 90, maker: null }, tags: ["a", "b"], "a b": 1 };
  test.each([
    ["set_member", [meta, 200, "engine", "hp"], { ...meta, engine: { hp: 200, maker: null } }],
    ["set_member", [meta, null, "engine", "hp"], { ...meta, engine: { hp: null, maker: null } }],
    ["set_member", [meta, "x", "new"], { ...meta, new: "x" }],
    ["set_member", [meta, 2, "a b"], { ...meta, "a b": 2 }],
    ["set_member", [meta, "z", "tags", "1"], { ...meta, tags: ["a", "z"] }],
    ["set_member", [meta, "c", "tags", "2"], { ...meta, tags: ["a", "b", "c"] }],
    ["remove_member", [meta, "engine", "hp"], { ...meta, engine: { maker: null } }],
    ["remove_member", [meta, "tags", "0"], { ...meta, tags: ["b"] }],
    ["set_member", [{}, 1, "__proto__"], JSON.parse('{"__proto__":1}')],
  ] as const)("%s%j", (name, args, made) => {
    const before = structuredClone(args);
    const found = compute(name, args);
    expect(JSON.stringify(found)).toBe(JSON.stringify(made));
    expect(args).toEqual(before);
  });

  test.each([
    ["set_member", [meta, 1, "engine", "maker", "name"], 'nothing at "engine.maker"'],
    ["set_member", [meta, 1, "motor", "hp"], 'nothing at "motor"'],
    ["set_member", [meta, 1, "engine", "hp", "x"], '"engine.hp" is 90'],
    ["set_member", [meta, 1, "tags", "3"], "a list of 2 elements"],
    ["set_member", [meta, 1, "tags", "first"], "a list of 2 elements"],
    ["remove_member", [meta, "tags", "2"], "a list of 2 elements"],
    ["remove_member", [meta, "engine", "kw"], 'nothing at "engine.kw"'],
    ["remove_member", [meta, "toString"], 'nothing at "toString"'],
    ["set_member", [null, 1, "a"], "it is null"],
    ["set_member", ["text", 1, "a"], "no members"],
  ] as const)("%s%j is told", (name, args, why) => {
    expect(faultOf(name, ...args).message).toContain(why);
  });
});
