import { describe, expect, it } from "vitest";
import type { LastSearch } from "../workspace/workspace.ts";
import { readSeedArguments } from "./read-input.ts";

const search: LastSearch = {
  server: "http://127.0.0.1:3000",
  intent: "boats",
  options: [
    { api: "quay", entity: "Boat" },
    { api: "quay", entity: "Person" },
    { api: "yard", entity: "Person" },
  ],
};

describe("seeds on a command line (SURF-21)", () => {
  it.each([
    [["yard:Boat"], [{ api: "yard", entity: "Boat" }]],
    [["Boat"], [{ api: "quay", entity: "Boat" }]],
    [
      ["yard:Person", "Boat"],
      [
        { api: "yard", entity: "Person" },
        { api: "quay", entity: "Boat" },
      ],
    ],
    [["a:b:c"], [{ api: "a", entity: "b:c" }]],
    // What no search found is for the server to find.
    [
      ["Crane", "boat", "yard boats"],
      [{ entity: "Crane" }, { entity: "boat" }, { entity: "yard boats" }],
    ],
  ])("%j", (names, seeds) => expect(readSeedArguments(names, search)).toEqual(seeds));

  it.each([
    ["Person", "Write quay:Person or yard:Person."],
    [":Boat", ":Boat is not API:ENTITY"],
    ["quay:", "quay: is not API:ENTITY"],
    ["", " is not API:ENTITY"],
    [" ", " is not API:ENTITY"],
  ])("%j is refused", (name, said) =>
    expect(() => readSeedArguments([name], search)).toThrow(said),
  );

  it("without a search the server finds whose all of them are", () =>
    expect(readSeedArguments(["Boat", "quay:Log"], null)).toEqual([
      { entity: "Boat" },
      { api: "quay", entity: "Log" },
    ]));
});
