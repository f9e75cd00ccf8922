import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { performedIsReported } from "./performed/performed-reported.ts";

test(
  "P27 PLAN-072 G1 performed effects are reported effects, whatever the API and its caller do",
  () => assertProperty(performedIsReported),
  300_000,
);
