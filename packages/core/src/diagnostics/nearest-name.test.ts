import { describe, expect, it } from "vitest";
import { nameList, nearestName, nearestNames } from "./nearest-name.ts";

const columns = ["built", "flags", "id", "length", "meta", "name", "note", "owner", "state"];

describe("ERR-007: nearest names", () => {
  it.each([
    ["lenght", "length"],
    ["nme", "name"],
    ["Length", "length"],
    ["OWNER_", "owner"],
    ["sta-te", "state"],
    ["colour", null],
    ["x", null],
  ])("%s is near %s", (wanted, expected) => {
    expect(nearestName(wanted, columns)).toBe(expected);
  });

  it("the distance is at most 3 and less than half the name's length", () => {
    expect(nearestNames("ab", ["abc", "abcd", "abcde"])).toEqual(["abc"]);
    expect(nearestNames("abcdefgh", ["abcdefgh1234", "abcdefgh123"])).toEqual(["abcdefgh123"]);
    expect(nearestNames("i", ["id"])).toEqual([]);
  });

  it("of two equally near ones none is chosen", () => {
    expect(nearestName("nate", ["name", "note", "nature"])).toBe(null);
    expect(nearestNames("nate", ["name", "note", "nature"])).toEqual(["name", "note", "nature"]);
  });

  it("lists hold 20 names, of more the nearest first, then +n", () => {
    expect(nameList(columns, "lenght")).toBe(columns.join(", "));
    const many = Array.from({ length: 24 }, (_, at) => `column${at}`);
    const list = nameList([...many, "length"], "lenght");
    expect(list.startsWith("length, ")).toBe(true);
    expect(list.endsWith(", +5")).toBe(true);
    expect(list.split(", ")).toHaveLength(21);
  });
});
