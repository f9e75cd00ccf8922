import { describe, expect, it } from "vitest";
import { clause, clauseBeside } from "./clause.ts";
import { catalogName } from "./free-name.ts";
import { singular } from "./singular.ts";
import { wordsOf } from "./words.ts";

it.each([
  ["BoatEntry", "boat entry"],
  ["boat-entry_2", "boat entry 2"],
  ["APIKey", "api key"],
  ["lampIDs", "lamp ids"],
  ["URLsOfLamps", "urls of lamps"],
  ["HTTPServer", "http server"],
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
    ["This method provides the list of boats.", "provides the list of boats"],
    ["This API endpoint allows you to list boats", "list boats"],
    ["A name, e.g. &quot;Sea&nbsp;Otter&quot; &amp; Co", 'a name, e.g. "Sea Otter" & Co'],
    ["This operation is deprecated", "this operation is deprecated"],
    [
      `One of \`\`, \`Arrived\`, \`Checked In\`, ${"`Gone`, ".repeat(20)}or \`Lost\``,
      'one of "", Arrived, Checked In, Gone, Gone, Gone, Gone, Gone, Gone, Gone, Gone, Gone…',
    ],
    ["x".repeat(30) + ", " + "y ".repeat(60), "x".repeat(30)],
  ])("%j", (text, said) => {
    expect(clause(text)).toBe(said);
  });

  it("or none, where they only say the name again", () => {
    expect(clauseBeside("The name of the boat.", "name", "Boat")).toBe("");
    expect(clauseBeside("Name by which it is called", "name")).toBe("name by which it is called");
  });

  it.each<[string, ...string[]]>([
    ["Optional parameter", "colour"],
    ["Required.", "colour"],
    ["Read Only", "colour"],
    ["An array of boats", "boats"],
    ["The unique ID of the Boat", "boatID"],
    ["The unique identifier of the resource", "id", "Boat"],
    ["ID of the boat to list visits from", "boat_id"],
    ["The id of the boat whose visits will be listed", "boat_id"],
    ["The ID of the boat you want to sink.", "boatId"],
    ["The UTC ISO 8601 time at which the boat was created", "created_at", "Boat"],
    ["When the boat was last modified", "last_modified", "Boat"],
    ["Whether the boat is archived", "is_archived", "Boat"],
    ["True if archived", "archived", "Boat"],
  ])("21 nothing of %j, which says no more than the name and its type", (said, ...names) => {
    expect(clauseBeside(said, ...names)).toBe("");
  });

  it.each<[string, ...string[]]>([
    ["Optional colour of the sails", "colour"],
    ["ID of the boat to move into", "parent_id"],
    ["Whether the boat is not archived", "archived", "Boat"],
    ["When the boat was sunk", "created_at", "Boat"],
    ["Unique name of the boat", "name", "Boat"],
    ["Comma separated list of boats", "boats"],
  ])("21 %j says more", (said, ...names) => {
    expect(clauseBeside(said, ...names)).not.toBe("");
  });
});
