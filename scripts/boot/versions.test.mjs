import { expect, test } from "vitest";
import { fitsEngines } from "./versions.mjs";

test.each([
  ["v18.20.0", false],
  ["v20.20.2", false],
  ["v22.18.9", false],
  ["v22.19.0", true],
  ["v22.21.1", true],
  ["v23.5.0", false],
  ["v24.0.0", true],
  ["v25.1.0-nightly", true],
])("Node %s fits ^22.19.0 || >=24: %s", (version, fits) => {
  expect(fitsEngines(version, "^22.19.0 || >=24")).toBe(fits);
});

test("a range it cannot read is an error, not a guess", () => {
  expect(() => fitsEngines("v24.0.0", ">=22")).toThrow("engines.node is not of the form");
});
