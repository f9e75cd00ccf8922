import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { requestsAreBilled } from "../../test/properties/billed.ts";

test(
  "G7 PLAN-020 OPS-37: the bill's exact figures are what a run sends",
  () => assertProperty(requestsAreBilled),
  60_000,
);
