import { checkProperty } from "@plasm/testkit";
import { expect, it } from "vitest";
import { boundedCommands } from "./testing/growth/properties.ts";

// The same inputs each time: `scripts/prove-properties.mjs` draws others, and many more.
it(`18.14 ${boundedCommands.says}`, async () => {
  const { failure } = await checkProperty(boundedCommands, boundedCommands.runs, 18);
  expect(failure).toBeNull();
});
