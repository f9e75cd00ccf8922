import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { onlyApprovedRuns } from "./attempts.ts";

test(
  "G5 OPS-36 a thousand attempts to swap, replay, force or pretend send nothing that nobody approved",
  () => assertProperty(onlyApprovedRuns),
  300_000,
);
