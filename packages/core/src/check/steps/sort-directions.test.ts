import { expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";

test.each<SaidRow>([
  [
    "Boat.sort(length, DESC)",
    "syntax",
    "DESC",
    "DESC is no direction.",
    "write asc or desc: .sort(length desc)",
    "Boat.sort(length, desc)",
  ],
  [
    "Boat[id, owner.name].sort(id, owner.name, Ascending)",
    "syntax",
    "Ascending",
    "Ascending is no direction.",
    "write asc or desc: .sort(owner.name asc)",
    "Boat[id, owner.name].sort(id, owner.name, asc)",
  ],
  [
    "Boat.sort(DESC)",
    "unknown_column",
    "DESC",
    "DESC is no column of Boat.",
    "Columns: built, flags, id, length, meta, name, note, owner, papers, state",
  ],
])("LANG-014: a direction in other letters, %s", (...row) => {
  expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
});
