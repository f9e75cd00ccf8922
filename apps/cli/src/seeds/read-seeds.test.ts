import { describe, expect, it } from "vitest";
import type { LastSearch } from "../workspace/last-search.ts";
import { readSeeds } from "./read-seeds.ts";

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
  ])("%j", (names, seeds) => expect(readSeeds(names, search)).toEqual(seeds));

  it.each([
    ["Person", "Write quay:Person or yard:Person."],
    [
      "Crane",
      "Crane: an entity is API:ENTITY, such as quay:Boat. The last search did not find it.",
    ],
    ["boat", "did not find it."],
    [":Boat", ":Boat is no API:ENTITY"],
    ["quay:", "quay: is no API:ENTITY"],
    ["", "did not find"],
  ])("%j is refused", (name, said) => expect(() => readSeeds([name], search)).toThrow(said));

  it("nothing is unqualified without a search", () =>
    expect(() => readSeeds(["Boat"], null)).toThrow("There was no search yet."));
});
