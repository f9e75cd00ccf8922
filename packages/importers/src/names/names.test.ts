import { describe, expect, it } from "vitest";
import { clause, clauseBeside } from "./clause.ts";
import { catalogName } from "./free-name.ts";
import { singular } from "./singular.ts";
import { wordsOf } from "./words.ts";

it.each([
  ["BoatEntry", "boat entry"],
  ["boat-entry_2", "boat entry 2"],
  ["APIKey", "api key"],
  ["größe", "gro e"],
])("the words of %s are %s", (name, words) => {
  expect(wordsOf(name).join(" ")).toBe(words);
});

it.each([
  ["boats", "boat"],
  ["people", "person"],
  ["entries", "entry"],
  ["addresses", "address"],
  ["statuses", "status"],
  ["status", "status"],
  ["boxes", "box"],
  ["series", "series"],
  ["houses", "house"],
  ["bus", "bus"],
])("one of %s is %s", (many, one) => {
  expect(singular(many)).toBe(one);
});

it.each([
  ["a-b", "a_b"],
  ["page", "page_value"],
  ["e12", "e12_value"],
  ["E12", "E12"],
  ["1st", "x_1st"],
  ["", "x"],
  ["船", "x"],
  ["null", "null_value"],
  ["_id", "id"],
])("%j may be called %s (CAT-017, LANG-021)", (wanted, name) => {
  expect(catalogName(wanted, "x")).toBe(name);
});

describe("descriptions are one clause", () => {
  it.each([
    ["The boat's name. It is unique.", "the boat's name"],
    ["See [the guide](https://a.example) for `more`", "see the guide for more"],
    ["URL of the boat", "URL of the boat"],
    ["One\nline\u0007 of two", "one line of two"],
    ["Version 2.5 of it", "version 2.5 of it"],
    ["x".repeat(30) + ", " + "y ".repeat(60), "x".repeat(30)],
  ])("%j", (text, said) => {
    expect(clause(text)).toBe(said);
  });

  it("or none, where they only say the name again", () => {
    expect(clauseBeside("The name of the boat.", "name", "Boat")).toBe("");
    expect(clauseBeside("Name by which it is called", "name")).toBe("name by which it is called");
  });
});
