import fc from "fast-check";
import { expect, it } from "vitest";
import { boundedProperty } from "./bounded-property.ts";
import { checkProperty } from "./check-property.ts";

const of = (inputs: fc.Arbitrary<string>) =>
  boundedProperty({
    key: "hungry",
    says: "no input is hungry",
    runs: 3,
    inputs,
    thread: new URL("testing/hungry-thread.ts", import.meta.url),
  });

it.each([
  ["nothing", "null"],
  ["throws", "it takes no such input"],
  ["hungry", "more than 64 MB"],
])("an input that is %s: %s", async (input, why) => {
  const { failure } = await checkProperty(of(fc.constant(input)), 3, 1);
  expect(String(failure)).toContain(why);
});
